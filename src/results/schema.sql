-- schema.sql: one file with every number of a comparison.
--
-- Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
--
-- Conventions
--   * Every table but `planned` and those of plans begins with run_id, so that one run is all
--     rows with its number.
--   * The unit stands in brackets at the start of a column's comment; [] is a
--     plain number, [#] a count, [key] part of the primary key. Times are
--     nanoseconds since the start of the run, of simulated time where the backend is
--     the model, else of the wall clock.
--   * NULL means: not known, did not happen, or there is none.
--   * A column marked `volatile` differs between two runs of the same input; all
--     others are the same bytes on every machine, where the backend is the model. A real
--     run is an observation: what it measured differs from the next one.
--   * Numbers derive from what a row is, never from the order in which it was
--     written: runs are numbered by (cell, variant, seed), jobs by creation.
--   * What each metric means is in doc/metrics.md; rules that must hold between
--     rows are the invariants of `binnacle check`.
--
-- application_id is "Bnac" in ASCII. user_version rises when a column changes
-- its meaning or goes; new columns and views may come without notice.

PRAGMA application_id = 1114530147;
PRAGMA user_version = 4;

-- One row a run: a variant of a scheduler, with one seed, on one workload.
CREATE TABLE runs (
  run_id INTEGER NOT NULL PRIMARY KEY, -- [key] position in (cell, variant, seed) order, from 1
  run_key TEXT NOT NULL,           -- [] SHA-256 of version, scenario_sha256, trace_sha256, variant, scheduler,
                                   --    settings and seed: what the run is, whatever else was run
  scenario TEXT NOT NULL,          -- [] name of the scenario
  scenario_text TEXT NOT NULL,     -- [] every key, `section.key = value` lines, overrides applied, for this
                                   --    run alone: its seed, its scheduler
  scenario_sha256 TEXT NOT NULL,   -- [] of scenario_text without name, seeds, record and schedulers, and of
                                   --    the catalogue files: the same for all runs of one cell
  trace_sha256 TEXT NOT NULL,      -- [] of the arrival trace's bytes; empty without a trace
  variant TEXT NOT NULL,           -- [] canonical name, `compass[queue=srpt]`, or its label
  scheduler TEXT NOT NULL,         -- [] name of the scheduler
  settings TEXT NOT NULL,          -- [] every setting of the variant, `key=value` lines
  seed TEXT NOT NULL,              -- [] unsigned 64-bit, decimal
  version TEXT NOT NULL,           -- [] of the program
  backend TEXT NOT NULL,           -- [] who did the work: model (a simulation) | cpu | cuda: the one
                                   --    column that tells a simulated run from a real one
  record TEXT NOT NULL,            -- [] summary | jobs | tasks: which tables are filled
  warmup_ns INTEGER NOT NULL,      -- [ns] jobs created before are left out of job and task metrics
  arrivals TEXT NOT NULL,          -- [] poisson | uniform | gamma | correlated | onoff | trace | recorded
  rate_per_s REAL,                 -- [jobs/s] asked for
  offered_load REAL,               -- [] rate x mean GPU runtime / sum of slots x speed
  n_workers INTEGER,               -- [#]
  n_slots INTEGER,                 -- [#] over all workers
  state TEXT NOT NULL,             -- [] running | complete | stuck | interrupted | failed; a file
                                   --    that nobody writes and that says running was cut off
  message TEXT,                    -- [] why, unless complete
  label TEXT,                      -- [] STABLE | BACKLOGGED | OVERLOADED | UNKNOWN
  end_ns INTEGER,                  -- [ns] last event
  last_arrival_ns INTEGER,         -- [ns] creation of the last job
  n_jobs INTEGER,                  -- [#] created
  n_done INTEGER,                  -- [#]
  n_refused INTEGER,               -- [#] could never run
  n_failed INTEGER,                -- [#] tried and given up
  n_dropped INTEGER,               -- [#] by a decision
  n_unfinished INTEGER,            -- [#] live when the run ended
  n_tasks_done INTEGER,            -- [#]
  n_events INTEGER,                -- [#] handled by the engine
  n_decisions INTEGER,             -- [#] calls of a scheduler's hooks
  n_messages INTEGER,              -- [#] between workers, other than rows and data
  n_forwarded INTEGER,             -- [#] tasks sent on by a worker that had got them
  n_stolen INTEGER,                -- [#] tasks given to a worker that asked for work
  row_updates INTEGER,             -- [#] changes published
  row_bytes INTEGER,               -- [B] sizes of the rows that went out with them
  yardstick INTEGER,               -- [] 1: it knew what no real scheduler could, else 0
  peak_live_jobs INTEGER,          -- [#]
  violations INTEGER,              -- [#] of the task invariants, as checked in memory
  bound_jobs INTEGER,              -- [#] that the two bounds are about: jobs counted, were all of them
                                   --    done; NULL: not known, as when the run is not complete
  bound_latency_ns INTEGER,        -- [ns] no scheduler has a lower mean latency of these jobs
  bound_latency_kind TEXT,         -- [] how that is proved: per-job | relaxation | prices
  bound_slowdown REAL,             -- [] the same of the mean slowdown; NULL: no job has one
  bound_slowdown_kind TEXT,        -- []
  host TEXT,                       -- [] volatile: name of the machine
  started_at TEXT,                 -- [] volatile: UTC, ISO 8601
  wall_ns INTEGER,                 -- [ns] volatile: of the wall clock, for the run alone
  n_failures INTEGER,              -- [#] operations that did not end well
  n_workers_lost INTEGER,          -- [#]
  n_verified INTEGER,              -- [#] tasks whose output was compared with the reference; NULL: not asked
  profile TEXT,                    -- [] the profile in effect, the whole file; NULL: none
  replay_of INTEGER,               -- [] run of this file that it has the jobs of; NULL: it is no replay
  trace_block REAL                 -- [#] arrivals in a block, on average, of a trace that was resampled;
                                   --    NULL: it was not
) STRICT;

-- Every parameter by name: the scenario's keys and the variant's settings.
CREATE TABLE parameters (
  run_id INTEGER NOT NULL,         -- [key]
  source TEXT NOT NULL,            -- [key] scenario | variant
  name TEXT NOT NULL,              -- [key] `section.key`, or the setting
  value TEXT NOT NULL,             -- [] as a person writes it, with its unit
  PRIMARY KEY (run_id, source, name)
) STRICT, WITHOUT ROWID;

-- Kinds of GPU, one for each server group.
CREATE TABLE gpu_types (
  run_id INTEGER NOT NULL,         -- [key]
  gpu_type INTEGER NOT NULL,       -- [key] from 0
  name TEXT NOT NULL,              -- []
  server_group TEXT NOT NULL,      -- [] that it comes from
  n_workers INTEGER NOT NULL,      -- [#]
  slots INTEGER NOT NULL,          -- [#] tasks at once
  memory_bytes INTEGER NOT NULL,   -- [B] usable for models
  speed_ppm INTEGER NOT NULL,      -- [1e-6] relative to the profile
  pcie_bytes_per_s INTEGER NOT NULL, -- [B/s]
  pcie_latency_ns INTEGER NOT NULL,  -- [ns]
  idle_watts REAL NOT NULL,        -- [W]
  active_watts REAL NOT NULL,      -- [W]
  price_per_hour REAL NOT NULL,    -- [1/h] of one device
  PRIMARY KEY (run_id, gpu_type)
) STRICT, WITHOUT ROWID;

-- Worker to worker: see doc/cost-model.md. One row a run.
CREATE TABLE networks (
  run_id INTEGER NOT NULL PRIMARY KEY, -- [key]
  latency_ns INTEGER NOT NULL,     -- [ns] of every transfer
  bytes_per_s INTEGER NOT NULL,    -- [B/s] of transfers of ramp_limit_bytes and more
  small_limit_bytes INTEGER NOT NULL, -- [B] smaller ones take the latency alone
  ramp_limit_bytes INTEGER NOT NULL,  -- [B] smaller ones run at ramp_base + ramp_per_kb * (size in kB)
  ramp_base_bytes_per_s INTEGER NOT NULL,   -- [B/s]
  ramp_per_kb_bytes_per_s INTEGER NOT NULL  -- [B/s]
) STRICT;

-- Workers, and where their time went. Slot time: executing + loading + evicting
-- + idle = slots x end_ns. Filled when the run ends.
CREATE TABLE workers (
  run_id INTEGER NOT NULL,         -- [key]
  worker INTEGER NOT NULL,         -- [key] from 0
  gpu_type INTEGER NOT NULL,       -- []
  server INTEGER NOT NULL,         -- [] from 0
  device INTEGER NOT NULL,         -- [] within its server, from 0
  slots INTEGER NOT NULL,          -- [#]
  memory_bytes INTEGER NOT NULL,   -- [B]
  executing_ns INTEGER,            -- [ns] slots held by executing tasks
  loading_ns INTEGER,              -- [ns] slots held by tasks whose model was loading
  evicting_ns INTEGER,             -- [ns] slots held by tasks that waited for evictions
  idle_ns INTEGER,                 -- [ns] slots held by nobody
  active_ns INTEGER,               -- [ns] at least one slot executed: active_watts
  link_ns INTEGER,                 -- [ns] its loads and evictions, each from start to end, summed
  tasks INTEGER,                   -- [#] executed to the end
  loads INTEGER,                   -- [#] finished, prefetches included
  load_bytes INTEGER,              -- [B]
  evictions INTEGER,               -- [#]
  evict_bytes INTEGER,             -- [B]
  energy_j REAL,                   -- [J] idle_watts and active_watts over end_ns
  PRIMARY KEY (run_id, worker)
) STRICT, WITHOUT ROWID;

CREATE TABLE models (
  run_id INTEGER NOT NULL,         -- [key]
  model INTEGER NOT NULL,          -- [key] from 0
  name TEXT NOT NULL,              -- []
  size_bytes INTEGER NOT NULL,     -- [B]
  layers TEXT NOT NULL,            -- [] burn | mlp | conv | lstm | transformer: what a real backend computes
  weights_seed TEXT NOT NULL,      -- [] of its weights there, unsigned 64-bit, decimal
  PRIMARY KEY (run_id, model)
) STRICT, WITHOUT ROWID;

-- Runtimes stated for a GPU type, in place of the profile.
CREATE TABLE model_runtimes (
  run_id INTEGER NOT NULL,         -- [key]
  model INTEGER NOT NULL,          -- [key]
  gpu_type TEXT NOT NULL,          -- [key] its name
  runtime_ns INTEGER NOT NULL,     -- [ns]
  PRIMARY KEY (run_id, model, gpu_type)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflows (
  run_id INTEGER NOT NULL,         -- [key]
  workflow INTEGER NOT NULL,       -- [key] from 0
  name TEXT NOT NULL,              -- []
  n_tasks INTEGER NOT NULL,        -- [#]
  lower_bound_ns INTEGER NOT NULL, -- [ns] critical path at relative speed 1, no transfer, no load
  deadline_ns INTEGER,             -- [ns] of its jobs, after creation, where stated as a time
  deadline_ppm INTEGER,            -- [1e-6] of the lower bound, where stated as a multiple of it
  PRIMARY KEY (run_id, workflow)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_tasks (
  run_id INTEGER NOT NULL,         -- [key]
  workflow INTEGER NOT NULL,       -- [key]
  task INTEGER NOT NULL,           -- [key] its number within the workflow, from 0
  label TEXT NOT NULL,             -- [] its name in the catalogue
  model INTEGER,                   -- [] NULL: needs none
  input_bytes INTEGER NOT NULL,    -- [B] of an entry task: what the client sends
  output_bytes INTEGER NOT NULL,   -- [B] sent whole to each successor
  runtime_ns INTEGER NOT NULL,     -- [ns] the profile, at relative speed 1
  work_ns INTEGER NOT NULL,        -- [ns] the same as the catalogue states it, whatever was measured since:
                                   --    how much a real backend computes
  PRIMARY KEY (run_id, workflow, task)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_edges (
  run_id INTEGER NOT NULL,         -- [key]
  workflow INTEGER NOT NULL,       -- [key]
  task INTEGER NOT NULL,           -- [key]
  pred INTEGER NOT NULL,           -- [key] a task whose output it needs
  PRIMARY KEY (run_id, workflow, task, pred)
) STRICT, WITHOUT ROWID;

-- record = jobs, tasks. A row is written when the job ends, whatever became of it.
CREATE TABLE jobs (
  run_id INTEGER NOT NULL,         -- [key]
  job_id INTEGER NOT NULL,         -- [key] order of creation, from 0
  workflow INTEGER NOT NULL,       -- []
  ingress INTEGER,                 -- [] worker that the client sends to
  create_ns INTEGER NOT NULL,      -- [ns]
  arrive_ns INTEGER,               -- [ns] at its ingress, or at the central scheduler
  end_ns INTEGER,                  -- [ns] its last task ended, or it was given up
  lower_bound_ns INTEGER NOT NULL, -- [ns] on the fastest GPU type present
  deadline_ns INTEGER,             -- [ns] absolute
  state TEXT NOT NULL,             -- [] done | refused | failed | dropped | unfinished
  reason TEXT,                     -- [] why, unless done
  tasks_done INTEGER NOT NULL,     -- [#]
  PRIMARY KEY (run_id, job_id)
) STRICT, WITHOUT ROWID;

-- record = tasks. A row is written when the job ends, also for a task that never ran.
CREATE TABLE tasks (
  run_id INTEGER NOT NULL,         -- [key]
  job_id INTEGER NOT NULL,         -- [key]
  task INTEGER NOT NULL,           -- [key] its number within the workflow
  attempt INTEGER NOT NULL,        -- [key] how often it lost its slot without a result before
  execution_id INTEGER NOT NULL,   -- [] equal for tasks executed together; job_id * 2^20 + task
                                   --    of the first of them
  state TEXT NOT NULL,             -- [] done, or how far it came
  worker INTEGER,                  -- [] where it ran
  planned_worker INTEGER,          -- [] as planned on arrival, or where it was placed first
  access TEXT NOT NULL,            -- [] hit | miss | joined; none without a model or a start
  placed_ns INTEGER,               -- [ns] the last decision about it took effect
  enqueue_ns INTEGER,              -- [ns] all inputs there, entered the queue; of a stolen task
                                   --    the queue that it ran from
  start_ns INTEGER,                -- [ns] left the queue; evictions, then the load, begin
  evict_ns INTEGER NOT NULL,       -- [ns] duration of evictions before its load; 0 where they overlap
  fetch_ns INTEGER NOT NULL,       -- [ns] of its load, or rest of the load it joined; 0 likewise
  exec_ns INTEGER,                 -- [ns] execution began
  end_ns INTEGER,                  -- [ns] execution ended
  estimate_ns INTEGER NOT NULL,    -- [ns] runtime on its worker as schedulers know it
  factor REAL NOT NULL,            -- [] true runtime / profile runtime; of a real run as measured
  moved_bytes INTEGER NOT NULL,    -- [B] inputs that crossed between workers
  fetch_bytes INTEGER NOT NULL,    -- [B] loaded for it
  evict_bytes INTEGER NOT NULL,    -- [B] evicted for it
  digest_a REAL,                   -- [] two numbers that stand for its output (bn_nn_digest); NULL: outputs
  digest_b REAL,                   --    were not computed, or not to be verified
  PRIMARY KEY (run_id, job_id, task, attempt)
) STRICT, WITHOUT ROWID;

-- record = tasks. One row for each worker given to a task.
CREATE TABLE decisions (
  run_id INTEGER NOT NULL,         -- [key]
  job_id INTEGER NOT NULL,         -- [key]
  task INTEGER NOT NULL,           -- [key]
  decision INTEGER NOT NULL,       -- [key] its place among the decisions of the run, from 0
  kind TEXT NOT NULL,              -- [] plan | place | pull | forward | steal | review | retry
  observer INTEGER,                -- [] worker that decided; NULL: the central scheduler
  from_worker INTEGER,             -- [] where the task was before
  worker INTEGER NOT NULL,         -- [] chosen
  asked_ns INTEGER NOT NULL,       -- [ns] the question came up
  seen_ns INTEGER NOT NULL,        -- [ns] the view is of this instant
  effect_ns INTEGER NOT NULL,      -- [ns] the decision takes effect
  seen_wait_ns INTEGER,            -- [ns] FT of the chosen worker as seen; NULL: loads are not read
  true_wait_ns INTEGER,            -- [ns] the same in truth
  row_age_ns INTEGER,              -- [ns] age of the chosen worker's load row, 0 for one's own
  seen_cached INTEGER,             -- [] 1 model resident, 0 not; NULL: no model or caches not read
  true_cached INTEGER,             -- [] the same in truth
  decide_ns INTEGER,               -- [ns] of the wall clock, that the hook took; NULL: a simulation whose
                                   --    decision-cost is not measured
  PRIMARY KEY (run_id, job_id, task, decision)
) STRICT, WITHOUT ROWID;

-- decision-cost = measured, at every record level: what each answer of the scheduler took on the wall clock, by
-- which its run's times can be repeated.
CREATE TABLE decision_costs (
  run_id INTEGER NOT NULL,         -- [key]
  question INTEGER NOT NULL,       -- [key] its place among the questions of the run, from 0
  job_id INTEGER NOT NULL,         -- [] that it was about
  cost_ns INTEGER NOT NULL,        -- [ns]
  PRIMARY KEY (run_id, question)
) STRICT, WITHOUT ROWID;

-- record = tasks. Inputs that crossed between workers, or came from the client.
CREATE TABLE transfers (
  run_id INTEGER NOT NULL,         -- [key]
  job_id INTEGER NOT NULL,         -- [key]
  task INTEGER NOT NULL,           -- [key] that needs the input
  pred INTEGER NOT NULL,           -- [key] that made it; -1: the client's input
  transfer INTEGER NOT NULL,       -- [key] its place among the transfers of the run, from 0
  from_worker INTEGER,             -- [] NULL: the client, or the central scheduler
  to_worker INTEGER NOT NULL,      -- []
  bytes INTEGER NOT NULL,          -- [B]
  start_ns INTEGER NOT NULL,       -- [ns]
  end_ns INTEGER NOT NULL,         -- [ns]
  voided INTEGER NOT NULL,         -- [] 1: the task had moved on before it arrived
  PRIMARY KEY (run_id, job_id, task, pred, transfer)
) STRICT, WITHOUT ROWID;

-- record = tasks. Loads and evictions.
CREATE TABLE cache_events (
  run_id INTEGER NOT NULL,         -- [key]
  worker INTEGER NOT NULL,         -- [key]
  event INTEGER NOT NULL,          -- [key] its place among the worker's events, by end, from 0
  kind TEXT NOT NULL,              -- [] load | evict | preload (resident from the start)
  model INTEGER NOT NULL,          -- []
  start_ns INTEGER NOT NULL,       -- [ns]
  end_ns INTEGER NOT NULL,         -- [ns] equal to start_ns where an eviction is free
  bytes INTEGER NOT NULL,          -- [B] of the model
  resident_bytes INTEGER NOT NULL, -- [B] of the worker after it, loads under way included
  prefetch INTEGER NOT NULL,       -- [] 1: no task waited for the load when it began
  job_id INTEGER,                  -- [] for whom
  task INTEGER,                    -- []
  left_ns INTEGER,                 -- [ns] evict: the model was not usable from here on; NULL: other kinds
  PRIMARY KEY (run_id, worker, event)
) STRICT, WITHOUT ROWID;

-- Operations of a real backend that did not end well, at every record level.
CREATE TABLE failures (
  run_id INTEGER NOT NULL,         -- [key]
  failure INTEGER NOT NULL,        -- [key] its place among the failures of the run, from 0
  start_ns INTEGER NOT NULL,       -- [ns] the operation began
  time_ns INTEGER NOT NULL,        -- [ns] the run heard of it
  kind TEXT NOT NULL,              -- [] load | evict | transfer | run
  status TEXT NOT NULL,            -- [] out of memory | failed | device lost
  worker INTEGER NOT NULL,         -- []
  model INTEGER,                   -- []
  job_id INTEGER,                  -- [] for whom; NULL: no task waited for it
  task INTEGER,                    -- []
  attempt INTEGER NOT NULL,        -- [] of the task, see tasks
  reason TEXT NOT NULL,            -- [] the backend's
  after TEXT NOT NULL,             -- [] what the run did: resent | evicted | moved | job failed | worker down
                                   --    | nothing
  PRIMARY KEY (run_id, failure)
) STRICT, WITHOUT ROWID;

-- Filled when the run ends, at every record level. `binnacle list metrics`.
CREATE TABLE metrics (
  run_id INTEGER NOT NULL,         -- [key]
  name TEXT NOT NULL,              -- [key]
  scope TEXT NOT NULL,             -- [key] empty: the run; else the name of a workflow
  value REAL,                      -- [unit] NULL: undefined, as the mean of nothing
  unit TEXT NOT NULL,              -- [] of value
  PRIMARY KEY (run_id, name, scope)
) STRICT, WITHOUT ROWID;

-- Jobs in the system, as time averages over windows of one width.
CREATE TABLE backlog (
  run_id INTEGER NOT NULL,         -- [key]
  bin INTEGER NOT NULL,            -- [key] from 0
  start_ns INTEGER NOT NULL,       -- [ns]
  width_ns INTEGER NOT NULL,       -- [ns]
  mean_jobs REAL NOT NULL,         -- [jobs]
  arrivals INTEGER NOT NULL,       -- [#] jobs created within it
  PRIMARY KEY (run_id, bin)
) STRICT, WITHOUT ROWID;

-- Latency and slowdown of the jobs done, in buckets at most 1/256 of their value wide.
CREATE TABLE histograms (
  run_id INTEGER NOT NULL,         -- [key]
  metric TEXT NOT NULL,            -- [key] latency_ns | slowdown_ppm
  workflow INTEGER NOT NULL,       -- [key]
  low INTEGER NOT NULL,            -- [key] [ns or 1e-6] least value of the bucket
  high INTEGER NOT NULL,           -- [ns or 1e-6] greatest value of the bucket
  n INTEGER NOT NULL,              -- [#] jobs
  PRIMARY KEY (run_id, metric, workflow, low)
) STRICT, WITHOUT ROWID;

-- Runs that a sweep is to hold, done or not: empty in a file that no sweep has made. The one
-- table that does not begin with run_id, because it is not about a run that is there.
CREATE TABLE planned (
  unit INTEGER NOT NULL,           -- [key] place of its unit, a cell with one seed, in the sweep, from 0
  run_id INTEGER NOT NULL,         -- [key] number that the run has or will have
  run_key TEXT NOT NULL,           -- [] as in runs
  name TEXT NOT NULL,              -- [] of the unit: what is varied, and its seed
  shard INTEGER,                   -- [] from 1, that the unit belongs to; NULL: the sweep is not divided
  PRIMARY KEY (unit, run_id)
) STRICT, WITHOUT ROWID;

-- ---- views: what plots, exports and people read ----

-- Runs, with the name that tables and pictures show: a file that holds a backend other
-- than the model says of every run which one it had.
CREATE VIEW v_runs AS
SELECT r.*, r.variant || CASE WHEN EXISTS (SELECT 1 FROM runs WHERE backend <> 'model')
                              THEN ' (' || r.backend || ')' ELSE '' END AS shown
FROM runs r;

-- Jobs with their latency [ns] and slowdown [].
CREATE VIEW v_latency AS
SELECT j.run_id, r.shown AS variant, r.seed, j.job_id, w.name AS workflow, j.create_ns, j.end_ns,
       j.end_ns - j.create_ns AS latency_ns,
       CASE WHEN j.lower_bound_ns > 0
            THEN CAST (j.end_ns - j.create_ns AS REAL) / j.lower_bound_ns END AS slowdown,
       j.deadline_ns, j.deadline_ns IS NULL OR j.end_ns <= j.deadline_ns AS in_time,
       j.create_ns >= r.warmup_ns AS counted
FROM jobs j JOIN v_runs r USING (run_id)
     JOIN workflows w ON w.run_id = j.run_id AND w.workflow = j.workflow
WHERE j.state = 'done';

-- Plot: latency CDF by scheduler. fraction [] of the jobs done and counted within latency_ms.
CREATE VIEW v_latency_cdf AS
SELECT h.run_id, r.shown AS variant, r.seed, h.high / 1e6 AS latency_ms,
       CAST (SUM (SUM (h.n)) OVER (PARTITION BY h.run_id ORDER BY h.low) AS REAL)
         / SUM (SUM (h.n)) OVER (PARTITION BY h.run_id) AS fraction
FROM histograms h JOIN v_runs r USING (run_id)
WHERE h.metric = 'latency_ns'
GROUP BY h.run_id, h.low, h.high
ORDER BY h.run_id, h.low;

-- Plot: slowdown [] by workflow (empty: all) and scheduler.
CREATE VIEW v_slowdown AS
SELECT m.run_id, r.shown AS variant, r.seed, m.scope AS workflow,
       MAX (CASE m.name WHEN 'slowdown_mean' THEN m.value END) AS mean,
       MAX (CASE m.name WHEN 'slowdown_p50' THEN m.value END) AS p50,
       MAX (CASE m.name WHEN 'slowdown_p95' THEN m.value END) AS p95,
       MAX (CASE m.name WHEN 'slowdown_p99' THEN m.value END) AS p99,
       MAX (CASE m.name WHEN 'slowdown_max' THEN m.value END) AS max
FROM metrics m JOIN v_runs r USING (run_id)
     LEFT JOIN workflows w ON w.run_id = m.run_id AND w.name = m.scope
WHERE m.name GLOB 'slowdown_*'
GROUP BY m.run_id, m.scope
ORDER BY m.run_id, w.workflow;

-- Plot: hit rate and split of the GPUs' slot time by scheduler, as fractions [].
CREATE VIEW v_gpu_split AS
SELECT m.run_id, r.shown AS variant, r.seed,
       MAX (CASE m.name WHEN 'hit_rate' THEN m.value END) AS hit_rate,
       MAX (CASE m.name WHEN 'executing' THEN m.value END) AS executing,
       MAX (CASE m.name WHEN 'loading' THEN m.value END) AS loading,
       MAX (CASE m.name WHEN 'evicting' THEN m.value END) AS evicting,
       MAX (CASE m.name WHEN 'idle' THEN m.value END) AS idle
FROM metrics m JOIN v_runs r USING (run_id)
WHERE m.scope = ''
GROUP BY m.run_id
ORDER BY m.run_id;

-- Plot: jobs in the system over time; time_s is the middle of the window.
CREATE VIEW v_backlog AS
SELECT b.run_id, r.shown AS variant, r.seed, (b.start_ns + b.width_ns / 2) / 1e9 AS time_s, b.mean_jobs AS jobs
FROM backlog b JOIN v_runs r USING (run_id)
ORDER BY b.run_id, b.bin;

-- Plot: what workers did when; kind is execute | load | evict. With several slots,
-- and with prefetch, slices of one worker overlap.
CREATE VIEW v_gantt AS
SELECT t.run_id, t.worker, 'execute' AS kind, t.exec_ns AS start_ns, t.end_ns, t.job_id, t.task,
       w.name AS workflow, s.label, m.name AS model
FROM tasks t JOIN jobs j USING (run_id, job_id)
     JOIN workflows w ON w.run_id = t.run_id AND w.workflow = j.workflow
     JOIN workflow_tasks s ON s.run_id = t.run_id AND s.workflow = j.workflow AND s.task = t.task
     LEFT JOIN models m ON m.run_id = t.run_id AND m.model = s.model
WHERE t.state = 'done'
UNION ALL
SELECT c.run_id, c.worker, c.kind, c.start_ns, c.end_ns, c.job_id, c.task, w.name, s.label, m.name
FROM cache_events c JOIN models m ON m.run_id = c.run_id AND m.model = c.model
     LEFT JOIN jobs j ON j.run_id = c.run_id AND j.job_id = c.job_id
     LEFT JOIN workflows w ON w.run_id = c.run_id AND w.workflow = j.workflow
     LEFT JOIN workflow_tasks s ON s.run_id = c.run_id AND s.workflow = j.workflow AND s.task = c.task
WHERE c.kind <> 'preload' AND c.end_ns > c.start_ns;

-- Task log, one row a task that ran, in the columns of `binnacle export tasks`
-- (planned_worker: where it ran if it was never planned).
CREATE VIEW v_task_log AS
SELECT t.run_id, t.job_id, w.name AS workflow, s.label AS task_id, IFNULL (m.name, 'none') AS task_model,
       t.worker, t.planned_worker, j.create_ns AS job_create_ns, t.enqueue_ns, t.start_ns, t.fetch_ns, t.evict_ns,
       t.exec_ns, t.end_ns, t.task
FROM tasks t JOIN jobs j USING (run_id, job_id)
     JOIN workflows w ON w.run_id = t.run_id AND w.workflow = j.workflow
     JOIN workflow_tasks s ON s.run_id = t.run_id AND s.workflow = j.workflow AND s.task = t.task
     LEFT JOIN models m ON m.run_id = t.run_id AND m.model = s.model
WHERE t.state = 'done'
ORDER BY t.run_id, t.job_id, t.task, t.attempt;

-- ---- plans: what `binnacle plan` was asked last, and what it found ----

-- One row a promise. All of them are to be kept.
CREATE TABLE plan_promises (
  promise INTEGER NOT NULL PRIMARY KEY, -- [key] from 1
  promised TEXT NOT NULL,          -- [] as it was asked: `p99(latency) <= 1.5s`
  name TEXT NOT NULL,              -- [] its left side
  metric TEXT NOT NULL,            -- [] see metrics; a promise about deadline_miss is one about 1 - deadline_met
  unit TEXT NOT NULL,              -- [] of the metric, and of
  limit_value REAL NOT NULL,       -- [unit]
  at_least INTEGER NOT NULL        -- [] 1: the value is to be this or more, else this or less
) STRICT;

-- One row a scheduler and combination of what is varied.
CREATE TABLE plans (
  plan INTEGER NOT NULL PRIMARY KEY, -- [key] from 1
  variant TEXT NOT NULL,           -- [] see runs
  settings TEXT NOT NULL,          -- [] what is varied, `section.key = value` lines
  rate_per_s REAL,                 -- [jobs/s] asked for; NULL: a trace
  kind TEXT NOT NULL,              -- [] count (the least) | rate (the greatest) | mix (the cheapest)
  key TEXT NOT NULL,               -- [] what is looked for: `section.key`, of a mix several between blanks
  work REAL NOT NULL,              -- [of the key; mix: 1/h] what the work alone takes: the offered load is 1 there
  answer REAL,                     -- [of the key; mix: 1/h] by the means; NULL: none was found
  answer_text TEXT,                -- [] the same as a scenario has it; of a mix its counts
  low REAL,                        -- [the same] count, mix: below it the promise is broken; rate: from it on down kept
  low_text TEXT,                   -- []
  high REAL,                       -- [the same] count, mix: from it on the promise is kept; rate: broken
  high_text TEXT,                  -- []   NULL of either: that was not shown
  answer_cost REAL,                -- [1/h] of all GPUs; NULL: they have no prices
  low_cost REAL,                   -- [1/h]
  high_cost REAL,                  -- [1/h]
  point INTEGER,                   -- [] of the answer
  seeds_needed REAL,               -- [#] that would decide what is tried and undecided between low and high, as
                                   --    far as can be told; NULL: nothing is; 9e999: no number
  note TEXT                        -- [] what else there is to say
) STRICT;

-- One row a number that was tried.
CREATE TABLE plan_points (
  plan INTEGER NOT NULL,           -- [key]
  point INTEGER NOT NULL,          -- [key] in the order of trying, from 1
  value REAL NOT NULL,             -- [of the key; mix: 1/h]
  value_text TEXT NOT NULL,        -- []
  seeds INTEGER NOT NULL,          -- [#] 1 to this
  verdict TEXT NOT NULL,           -- [] broken | undecided | kept
  unstable INTEGER NOT NULL,       -- [#] runs labelled BACKLOGGED or OVERLOADED
  lost INTEGER NOT NULL,           -- [#] runs that did not complete, or whose jobs were not all done
  seeds_needed REAL,               -- [#] as in plans
  PRIMARY KEY (plan, point)
) STRICT, WITHOUT ROWID;

-- What was seen of each promise there.
CREATE TABLE plan_estimates (
  plan INTEGER NOT NULL,           -- [key]
  point INTEGER NOT NULL,          -- [key]
  promise INTEGER NOT NULL,        -- [key]
  mean REAL NOT NULL,              -- [unit of the promise] over seeds
  low REAL NOT NULL,               -- [unit of the promise] one-sided bound, with looks at several numbers
  high REAL NOT NULL,              -- [unit of the promise]    of seeds counted in (doc/planning.md)
  PRIMARY KEY (plan, point, promise)
) STRICT, WITHOUT ROWID;

-- The runs that it is of.
CREATE TABLE plan_runs (
  plan INTEGER NOT NULL,           -- [key]
  point INTEGER NOT NULL,          -- [key]
  run_id INTEGER NOT NULL,         -- [key]
  PRIMARY KEY (plan, point, run_id)
) STRICT, WITHOUT ROWID;
