/* rules_list.c: the rules that must hold in any results file, each with its query.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A query returns (run_id, what is wrong) for each row at fault. It may read,
 * besides the tables of schema.sql, the temporary ones of rules.c:
 *
 *   ended      runs that have ended
 *   done       tasks that were executed to the end, with what their job and the
 *              catalogue say of them
 *   residency  when a model was resident: worker, model, from_ns, until_ns
 *   beside     runs whose loads go beside their tasks (overlap)
 *   troubled   runs with operations that failed
 *   measured   simulated runs whose decisions cost what a clock said
 *
 * A number, once given, is never given to another rule.
 */
#include "rules.h"

#define JOB(id) "'job '||" id "||'"
#define TASK "'job '||job_id||' task '||task||'"
#define ON_WORKER " on worker '||worker||'"

/* After a text that is open: "…: worker 7". And where the column of a row `n` is no
 * worker of its run `r`: 0 to n_workers - 1. */
#define NAMED(column) ": worker '||IFNULL (" column ", 'of no number')"
#define NO_SUCH(table, column) \
  " FROM numbered r CROSS JOIN " table " n USING (run_id)" \
  " WHERE IFNULL (n." column ", -1) NOT BETWEEN 0 AND r.n_workers - 1"

/* Of task `d`: the worker that was decided upon last. */
#define LAST_CHOICE \
  "(SELECT x.worker FROM decisions x WHERE x.run_id = d.run_id AND x.job_id = d.job_id AND x.task = d.task" \
  " ORDER BY x.decision DESC LIMIT 1)"

const BnInvariant bn_invariant_list[] = {
  /* ---- any record level ---- */
  { 1, BN_RECORD_SUMMARY, "the file is sound: pages, indexes and keys", NULL },

  { 2, BN_RECORD_SUMMARY, "jobs created = done + refused + failed + dropped + unfinished",
    "SELECT run_id, n_jobs||' jobs, and '||(n_done + n_refused + n_failed + n_dropped + n_unfinished)||' ended'"
    " FROM ended WHERE n_jobs <> n_done + n_refused + n_failed + n_dropped + n_unfinished"
    " OR min (n_done, n_refused, n_failed, n_dropped, n_unfinished) < 0" },

  { 3, BN_RECORD_SUMMARY, "a complete run leaves no job unfinished",
    "SELECT run_id, n_unfinished||' unfinished jobs' FROM ended WHERE state = 'complete' AND n_unfinished <> 0" },

  { 4, BN_RECORD_SUMMARY, "no task invariant was violated in memory",
    "SELECT run_id, violations||' violations' FROM ended WHERE violations <> 0" },

  { 5, BN_RECORD_SUMMARY, "a worker's executing, loading, evicting and idle time fill its slots",
    "SELECT run_id, 'worker '||worker||': '||(executing_ns + loading_ns + evicting_ns + idle_ns)||' ns, not '"
    "||(slots * end_ns) FROM workers JOIN ended USING (run_id)"
    " WHERE executing_ns + loading_ns + evicting_ns + idle_ns IS NOT slots * end_ns"
    " OR min (executing_ns, loading_ns, evicting_ns, idle_ns) < 0" },

  { 6, BN_RECORD_SUMMARY, "a worker's energy is its watts over its active and its other time",
    "SELECT run_id, 'worker '||worker||': '||energy_j||' J' FROM workers JOIN ended USING (run_id)"
    " JOIN gpu_types USING (run_id, gpu_type)"
    " WHERE abs (energy_j - (idle_watts * (end_ns - active_ns) + active_watts * active_ns) / 1e9)"
    " > 1e-9 * abs (energy_j) OR active_ns NOT BETWEEN 0 AND end_ns OR energy_j IS NULL" },

  { 7, BN_RECORD_SUMMARY, "hits + misses + joined = tasks with a model, of the jobs counted",
    "SELECT run_id, accesses||' accesses, '||with_model||' tasks of jobs done have a model' FROM"
    " (SELECT r.run_id, r.n_jobs = r.n_done AS all_done,"
    "   (SELECT sum (value) FROM metrics m WHERE m.run_id = r.run_id AND scope = ''"
    "    AND name IN ('hits', 'misses', 'joined')) AS accesses,"
    "   (SELECT sum (m.value) FROM metrics m JOIN workflows w ON w.run_id = m.run_id AND w.name = m.scope"
    "    JOIN workflow_tasks t ON t.run_id = w.run_id AND t.workflow = w.workflow"
    "    WHERE m.run_id = r.run_id AND m.name = 'jobs_done' AND t.model IS NOT NULL) AS with_model FROM ended r)"
    " WHERE IFNULL (accesses, -1) < IFNULL (with_model, 0) OR (all_done AND accesses > IFNULL (with_model, 0))" },

  { 8, BN_RECORD_SUMMARY, "quantiles rise: p50 <= p95 <= p99 <= max, and the mean is within",
    "SELECT run_id, what||' of '||iif (scope = '', 'all', scope) FROM"
    " (SELECT m.run_id, m.scope, q.what, max (iif (m.name = q.what||'_p50', value, NULL)) AS p50,"
    "   max (iif (m.name = q.what||'_p95', value, NULL)) AS p95,"
    "   max (iif (m.name = q.what||'_p99', value, NULL)) AS p99,"
    "   max (iif (m.name = q.what||'_max', value, NULL)) AS top,"
    "   max (iif (m.name = q.what||'_mean', value, NULL)) AS mean"
    "  FROM metrics m JOIN (SELECT 'latency' AS what UNION SELECT 'slowdown') q ON m.name GLOB q.what||'_*'"
    "  GROUP BY m.run_id, m.scope, q.what)"
    " WHERE p50 > p95 OR p95 > p99 OR p99 > top OR mean > top OR p50 < 0 OR mean < 0" },

  { 9, BN_RECORD_SUMMARY, "shares lie between 0 and 1, and those of slot time add up to 1",
    "SELECT run_id, name||' is '||value FROM metrics WHERE value NOT BETWEEN 0 AND 1"
    " AND name IN ('hit_rate', 'deadline_met', 'executing', 'loading', 'evicting', 'idle')"
    " UNION ALL SELECT run_id, 'slot time adds up to '||sum (value) FROM metrics"
    " WHERE name IN ('executing', 'loading', 'evicting', 'idle') GROUP BY run_id"
    " HAVING abs (sum (value) - 1) > 1e-9" },

  { 10, BN_RECORD_SUMMARY, "the histograms hold every job done that is counted",
    "SELECT run_id, 'workflow '||workflow||': '||n||' in the histogram, '||value||' done' FROM"
    " (SELECT w.run_id, w.workflow, m.value, IFNULL ((SELECT sum (h.n) FROM histograms h WHERE h.run_id = w.run_id"
    "   AND h.workflow = w.workflow AND h.metric = 'latency_ns'), 0) AS n"
    "  FROM workflows w JOIN ended USING (run_id) JOIN metrics m ON m.run_id = w.run_id AND m.scope = w.name"
    "  AND m.name = 'jobs_done') WHERE n <> value" },

  { 11, BN_RECORD_SUMMARY, "backlog windows follow each other and hold no more jobs than there were",
    "SELECT run_id, 'window '||bin FROM backlog b JOIN ended r USING (run_id) WHERE start_ns <> bin * width_ns"
    " OR width_ns <= 0 OR mean_jobs < 0 OR mean_jobs > peak_live_jobs OR b.arrivals < 0"
    " UNION ALL SELECT run_id, 'windows hold '||sum (b.arrivals)||' arrivals of '||n_jobs FROM backlog b"
    " JOIN ended USING (run_id) GROUP BY run_id HAVING sum (b.arrivals) > n_jobs" },

  /* ---- record = jobs ---- */
  { 21, BN_RECORD_JOBS, "every job is there once",
    "SELECT run_id, n||' rows, from '||first||' to '||last||', of '||n_jobs||' jobs' FROM"
    " (SELECT run_id, n_jobs, (SELECT count (*) FROM jobs j WHERE j.run_id = r.run_id) AS n,"
    "   (SELECT IFNULL (min (job_id), 0) FROM jobs j WHERE j.run_id = r.run_id) AS first,"
    "   (SELECT IFNULL (max (job_id), -1) FROM jobs j WHERE j.run_id = r.run_id) AS last FROM ended r"
    "  WHERE record <> 'summary') WHERE n <> n_jobs OR first <> 0 OR last <> n_jobs - 1" },

  { 22, BN_RECORD_JOBS, "jobs by state are as many as the run says",
    "SELECT run_id, s.state||': '||told||' told, '||counted||' counted' FROM"
    " (SELECT r.run_id, s.state, CASE s.state WHEN 'done' THEN n_done WHEN 'refused' THEN n_refused WHEN 'failed'"
    "   THEN n_failed WHEN 'dropped' THEN n_dropped ELSE n_unfinished END AS told,"
    "   (SELECT count (*) FROM jobs j WHERE j.run_id = r.run_id AND j.state = s.state) AS counted"
    "  FROM ended r JOIN (SELECT 'done' AS state UNION SELECT 'refused' UNION SELECT 'failed' UNION SELECT 'dropped'"
    "  UNION SELECT 'unfinished') s WHERE r.record <> 'summary') s WHERE told <> counted" },

  { 23, BN_RECORD_JOBS, "a job's times are in order, none is negative, and jobs are created in order",
    "SELECT run_id, " JOB ("job_id") "' FROM jobs j WHERE create_ns < 0 OR arrive_ns < create_ns"
    " OR end_ns < IFNULL (arrive_ns, create_ns) OR lower_bound_ns < 0 OR deadline_ns < create_ns"
    " OR (state = 'done' AND (end_ns IS NULL OR arrive_ns IS NULL))"
    " OR create_ns < (SELECT b.create_ns FROM jobs b WHERE b.run_id = j.run_id AND b.job_id = j.job_id - 1)" },

  { 24, BN_RECORD_JOBS, "a job done has every task of its workflow done, and any other has a cause or is unfinished",
    "SELECT j.run_id, " JOB ("job_id") " is '||state||' with '||tasks_done||' of '||IFNULL (n_tasks, 0)||' tasks'"
    " FROM jobs j LEFT JOIN workflows w ON w.run_id = j.run_id AND w.workflow = j.workflow"
    " WHERE n_tasks IS NULL OR tasks_done NOT BETWEEN 0 AND n_tasks OR (state = 'done' AND tasks_done <> n_tasks)"
    " OR (state IN ('refused', 'failed') AND reason IS NULL)" },

  /* ---- record = tasks ---- */
  { 31, BN_RECORD_TASKS, "every task of every job is there once",
    "SELECT j.run_id, " JOB ("j.job_id") ": not its '||w.n_tasks||' tasks' FROM jobs j"
    " JOIN runs r ON r.run_id = j.run_id AND r.record = 'tasks'"
    " JOIN workflows w ON w.run_id = j.run_id AND w.workflow = j.workflow"
    " WHERE w.n_tasks <> (SELECT count (*) FROM tasks t WHERE t.run_id = j.run_id AND t.job_id = j.job_id)"
    " OR w.n_tasks <> (SELECT count (DISTINCT task) FROM tasks t WHERE t.run_id = j.run_id AND t.job_id = j.job_id)"
    " OR EXISTS (SELECT 1 FROM tasks t WHERE t.run_id = j.run_id AND t.job_id = j.job_id"
    "  AND t.task NOT BETWEEN 0 AND w.n_tasks - 1)"
    " UNION ALL SELECT run_id, " JOB ("job_id") ": no such job' FROM (SELECT DISTINCT run_id, job_id FROM tasks) t"
    " WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.run_id = t.run_id AND j.job_id = t.job_id)" },

  { 32, BN_RECORD_TASKS, "tasks done are as many as each job and the run say",
    "SELECT j.run_id, " JOB ("j.job_id") ": '||tasks_done||' told, '||count (d.task)||' counted' FROM jobs j"
    " JOIN runs r ON r.run_id = j.run_id AND r.record = 'tasks'"
    " LEFT JOIN done d ON d.run_id = j.run_id AND d.job_id = j.job_id"
    " GROUP BY j.run_id, j.job_id HAVING count (d.task) <> tasks_done"
    " UNION ALL SELECT run_id, n_tasks_done||' told of the run' FROM ended r WHERE record = 'tasks'"
    " AND n_tasks_done <> (SELECT count (*) FROM done d WHERE d.run_id = r.run_id)" },

  { 33, BN_RECORD_TASKS, "a task's times are in order and none is negative",
    "SELECT run_id, " TASK "' FROM done WHERE placed_ns IS NULL OR enqueue_ns IS NULL OR start_ns IS NULL"
    " OR exec_ns IS NULL OR end_ns IS NULL OR placed_ns < create_ns OR enqueue_ns < arrive_ns OR placed_ns > start_ns"
    " OR start_ns < enqueue_ns OR exec_ns <> start_ns + evict_ns + fetch_ns OR end_ns < exec_ns"
    " UNION ALL SELECT run_id, " TASK ": a negative duration or size' FROM tasks WHERE min (evict_ns, fetch_ns,"
    " estimate_ns, moved_bytes, fetch_bytes, evict_bytes) < 0 OR factor < 0" },

  { 34, BN_RECORD_TASKS, "no task is queued before its predecessors have ended",
    "SELECT t.run_id, 'job '||t.job_id||' task '||t.task||': queued at '||t.enqueue_ns||', task '||e.pred"
    "||' ended at '||IFNULL (p.end_ns, 'no time') FROM done t CROSS JOIN workflow_edges e USING (run_id, workflow, task)"
    " LEFT JOIN done p ON p.run_id = t.run_id AND p.job_id = t.job_id AND p.task = e.pred"
    " WHERE p.end_ns IS NULL OR p.end_ns > t.enqueue_ns" },

  { 35, BN_RECORD_TASKS, "every input from another worker has travelled to its task before that is queued",
    "SELECT t.run_id, 'job '||t.job_id||' task '||t.task||': input of task '||e.pred FROM done t"
    " CROSS JOIN workflow_edges e USING (run_id, workflow, task)"
    " CROSS JOIN done p ON p.run_id = t.run_id AND p.job_id = t.job_id AND p.task = e.pred"
    " WHERE p.worker <> t.worker AND NOT EXISTS (SELECT 1 FROM transfers x WHERE x.run_id = t.run_id"
    "  AND x.job_id = t.job_id AND x.task = t.task AND x.pred = e.pred AND x.voided = 0 AND x.to_worker = t.worker"
    "  AND x.end_ns <= t.enqueue_ns)" },

  { 36, BN_RECORD_TASKS, "no transfer begins before or where what it carries is not there, or ends before it begins",
    "SELECT x.run_id, 'job '||x.job_id||' task '||x.task||' from task '||x.pred FROM transfers x LEFT JOIN done p"
    " ON p.run_id = x.run_id AND p.job_id = x.job_id AND p.task = x.pred"
    " LEFT JOIN jobs j ON j.run_id = x.run_id AND j.job_id = x.job_id"
    " WHERE x.end_ns < x.start_ns OR x.bytes < 0 OR (x.pred < 0 AND x.start_ns < j.arrive_ns)"
    " OR (x.pred >= 0 AND j.job_id IS NOT NULL AND (p.end_ns IS NULL OR x.start_ns < p.end_ns))"
    " OR (x.from_worker <> p.worker AND NOT EXISTS (SELECT 1 FROM transfers y WHERE y.run_id = x.run_id"
    "  AND y.job_id = x.job_id AND y.task = x.task AND y.pred = x.pred AND y.to_worker = x.from_worker"
    "  AND y.end_ns <= x.start_ns))" },

  { 37, BN_RECORD_TASKS, "a job done ends when its last task ends",
    "SELECT j.run_id, " JOB ("j.job_id") " ends at '||j.end_ns||', its last task at '||max (d.end_ns) FROM jobs j"
    " JOIN done d USING (run_id, job_id) WHERE j.state = 'done' GROUP BY j.run_id, j.job_id"
    " HAVING max (d.end_ns) <> j.end_ns" },

  { 38, BN_RECORD_TASKS, "no worker has more tasks at once than slots", NULL },

  { 39, BN_RECORD_TASKS, "every worker, model and task that is named exists",
    "WITH numbered AS MATERIALIZED (SELECT run_id, count (*) AS n_workers FROM workers GROUP BY run_id)"
    " SELECT run_id, " TASK NAMED ("worker") NO_SUCH ("done", "worker")
    " UNION ALL SELECT run_id, " TASK NAMED ("planned_worker") NO_SUCH ("done", "planned_worker")
    " UNION ALL SELECT run_id, 'a decision on '||" TASK NAMED ("worker") NO_SUCH ("decisions", "worker")
    " UNION ALL SELECT run_id, 'a transfer for '||" TASK NAMED ("to_worker") NO_SUCH ("transfers", "to_worker")
    " UNION ALL SELECT run_id, 'cache event '||event||'" NAMED ("worker") NO_SUCH ("cache_events", "worker")
    " UNION ALL SELECT run_id, 'job '||job_id||': ingress '||ingress" NO_SUCH ("jobs", "ingress")
    "  AND ingress IS NOT NULL"
    " UNION ALL SELECT run_id, count (*)||' workers, numbered '||min (worker)||' to '||max (worker) FROM workers"
    "  GROUP BY run_id HAVING min (worker) <> 0 OR max (worker) <> count (*) - 1"
    " UNION ALL SELECT run_id, 'cache event '||event||' of worker '||worker||': model '||model FROM cache_events c"
    "  WHERE NOT EXISTS (SELECT 1 FROM models m WHERE m.run_id = c.run_id AND m.model = c.model)" },

  { 40, BN_RECORD_TASKS, "every model fits the GPU where it is used",
    "SELECT run_id, " TASK ON_WORKER "' FROM done JOIN workers w USING (run_id, worker)"
    " JOIN gpu_types g USING (run_id, gpu_type) WHERE size_bytes > g.memory_bytes" },

  { 41, BN_RECORD_TASKS, "resident bytes are within the capacity of the GPU at every instant",
    "SELECT run_id, 'worker '||worker||' at '||at_ns||' ns: '||max (resident)||' B' FROM"
    " (SELECT run_id, worker, at_ns, sum (step) OVER (PARTITION BY run_id, worker ORDER BY at_ns"
    "   RANGE UNBOUNDED PRECEDING) AS resident FROM"
    "   (SELECT run_id, worker, start_ns AS at_ns, bytes AS step FROM cache_events WHERE kind <> 'evict'"
    "    UNION ALL SELECT run_id, worker, end_ns, -bytes FROM cache_events WHERE kind = 'evict'))"
    " JOIN workers w USING (run_id, worker) WHERE resident NOT BETWEEN 0 AND w.memory_bytes"
    " GROUP BY run_id, worker, at_ns"
    " UNION ALL SELECT run_id, 'worker '||worker||' event '||event||': '||resident_bytes||' B told' FROM cache_events"
    " JOIN workers w USING (run_id, worker) WHERE resident_bytes NOT BETWEEN 0 AND w.memory_bytes" },

  { 42, BN_RECORD_TASKS, "cache events are of models whose size they tell, and in order of time",
    "SELECT run_id, 'worker '||worker||' event '||event FROM cache_events c JOIN models m USING (run_id, model)"
    " WHERE c.bytes <> m.size_bytes OR c.end_ns < c.start_ns OR c.start_ns < 0"
    " OR (c.kind = 'evict') <> (c.left_ns IS NOT NULL) OR c.left_ns > c.start_ns"
    " OR (c.kind = 'preload' AND c.end_ns <> 0) OR c.kind NOT IN ('load', 'evict', 'preload')" },

  { 43, BN_RECORD_TASKS, "a model is resident from the start of each execution that needs it to its end",
    "SELECT run_id, " TASK ON_WORKER "' FROM done d WHERE model IS NOT NULL"
    " AND IFNULL ((SELECT until_ns FROM residency r WHERE r.run_id = d.run_id AND r.worker = d.worker"
    " AND r.model = d.model AND r.from_ns <= d.exec_ns ORDER BY r.from_ns DESC LIMIT 1), -1) < end_ns" },

  { 44, BN_RECORD_TASKS, "a task is a hit, a miss or joined if and only if it has a model; only a miss loads",
    "SELECT run_id, " TASK " is '||access||' and loaded '||fetch_bytes||' B' FROM done"
    " WHERE (model IS NULL) <> (access = 'none') OR access NOT IN ('hit', 'miss', 'joined', 'none')"
    " OR fetch_bytes <> iif (access = 'miss', size_bytes, 0)" },

  { 45, BN_RECORD_TASKS, "every miss has its load, and every load that was no prefetch or beside tasks its miss",
    "SELECT run_id, 'worker '||worker||' event '||event||': load for job '||IFNULL (c.job_id, 'of no number') FROM"
    " cache_events c WHERE kind = 'load' AND prefetch = 0 AND run_id NOT IN beside AND run_id NOT IN troubled"
    "  AND NOT EXISTS (SELECT 1 FROM tasks t JOIN jobs j USING (run_id, job_id) JOIN workflow_tasks s"
    "  ON s.run_id = j.run_id"
    "  AND s.workflow = j.workflow AND s.task = t.task WHERE t.run_id = c.run_id AND t.job_id = c.job_id"
    "  AND t.task = c.task AND t.worker = c.worker AND t.access = 'miss' AND s.model = c.model)"
    "  AND (SELECT state FROM runs r WHERE r.run_id = c.run_id) = 'complete'"
    " UNION ALL SELECT run_id, " TASK ON_WORKER ": no load of its own' FROM done d WHERE access = 'miss'"
    "  AND NOT EXISTS (SELECT 1 FROM cache_events c WHERE c.run_id = d.run_id AND c.worker = d.worker"
    "   AND c.kind = 'load' AND c.job_id = d.job_id AND c.task = d.task AND c.model = d.model)"
    " UNION ALL SELECT run_id, m||' misses and '||l||' loads' FROM (SELECT run_id, (SELECT count (*) FROM done d"
    "  WHERE d.run_id = r.run_id AND access = 'miss') AS m, (SELECT count (*) FROM cache_events c"
    "  WHERE c.run_id = r.run_id AND kind = 'load' AND prefetch = 0) AS l FROM ended r WHERE state = 'complete'"
    "  AND record = 'tasks' AND n_done = n_jobs) WHERE iif (run_id IN beside OR run_id IN troubled, m > l, m <> l)" },

  { 46, BN_RECORD_TASKS, "decisions look back and not ahead, and the last one is where the task ran",
    "SELECT run_id, 'decision '||decision||' on job '||job_id||' task '||task FROM decisions"
    " WHERE seen_ns < asked_ns OR effect_ns < seen_ns OR row_age_ns < 0 OR seen_wait_ns < 0"
    " UNION ALL SELECT d.run_id, 'job '||d.job_id||' task '||d.task||' ran on worker '||d.worker||', decided for '"
    "||IFNULL (" LAST_CHOICE ", 'none') FROM done d WHERE " LAST_CHOICE " IS NOT d.worker" },

  { 47, BN_RECORD_TASKS, "what workers did equals a recount", NULL },

  { 48, BN_RECORD_JOBS, "metrics equal a recount of what was recorded", NULL },

  /* ---- any record level ---- */
  { 49, BN_RECORD_SUMMARY, "no mean is below what was proved to be the least possible",
    "SELECT run_id, what||' of '||value||' is below '||least FROM"
    " (SELECT r.run_id, m.name AS what, m.value, iif (m.name = 'latency_mean', r.bound_latency_ns / 1e6,"
    "   r.bound_slowdown) AS least FROM ended r JOIN metrics m ON m.run_id = r.run_id AND m.scope = ''"
    "   AND m.name IN ('latency_mean', 'slowdown_mean')"
    "  JOIN metrics d ON d.run_id = r.run_id AND d.scope = '' AND d.name = 'jobs_done' AND d.value = r.bound_jobs)"
    " WHERE value < least * (1 - 1e-12)" },

  { 50, BN_RECORD_SUMMARY, "failures and lost workers are as many as the run says, and a simulation has none",
    "SELECT run_id, n_failures||' failures told, '||n||' recorded; '||n_workers_lost||' workers lost, '||lost"
    "||' recorded' FROM (SELECT r.*, (SELECT count (*) FROM failures f WHERE f.run_id = r.run_id) AS n,"
    "   (SELECT count (DISTINCT worker) FROM failures f WHERE f.run_id = r.run_id AND status = 'device lost') AS lost"
    "  FROM ended r)"
    /* several tasks may have waited for one load */
    " WHERE n < n_failures OR (n > 0) <> (n_failures > 0) OR lost <> n_workers_lost OR (backend = 'model' AND n > 0)" },

  { 51, BN_RECORD_JOBS, "a job that failed has a failure, or a lost worker, for its cause",
    "SELECT run_id, " JOB ("job_id") ": '||reason FROM jobs j WHERE state = 'failed' AND NOT EXISTS (SELECT 1 FROM"
    " failures f WHERE f.run_id = j.run_id AND (f.job_id = j.job_id OR f.status = 'device lost'))" },

  { 52, BN_RECORD_TASKS, "a task has failed as often as it lost its slot, and no failure is of an attempt to come",
    "SELECT run_id, " TASK " lost '||attempt||' slots' FROM tasks t WHERE attempt > (SELECT count (*) FROM failures f"
    "  WHERE f.run_id = t.run_id AND f.job_id = t.job_id AND f.task = t.task AND f.kind IN ('load', 'run'))"
    " UNION ALL SELECT f.run_id, 'failure '||failure||' of attempt '||f.attempt FROM failures f JOIN ended r USING"
    "  (run_id) LEFT JOIN tasks t ON t.run_id = f.run_id AND t.job_id = f.job_id AND t.task = f.task"
    "  WHERE r.record = 'tasks' AND f.job_id IS NOT NULL AND f.attempt > IFNULL (t.attempt, -1)" },

  { 53, BN_RECORD_SUMMARY, "what a failure names exists, and it is of the run's time",
    "SELECT f.run_id, 'failure '||failure FROM failures f JOIN ended r USING (run_id) WHERE f.time_ns < 0"
    " OR f.time_ns > r.end_ns OR f.worker NOT BETWEEN 0 AND r.n_workers - 1 OR f.job_id NOT BETWEEN 0 AND r.n_jobs - 1"
    " OR (f.job_id IS NULL) <> (f.task IS NULL) OR f.reason = ''"
    " OR (f.model IS NOT NULL AND NOT EXISTS (SELECT 1 FROM models m WHERE m.run_id = f.run_id"
    "  AND m.model = f.model))" },

  { 54, BN_RECORD_TASKS, "every task done of a verified run has its digest, and of another run none has",
    "SELECT run_id, " TASK "' FROM tasks t JOIN ended r USING (run_id) WHERE (digest_a IS NULL) <> (digest_b IS NULL)"
    " OR (digest_a IS NOT NULL) <> (t.state = 'done' AND r.n_verified IS NOT NULL)" },

  { 55, BN_RECORD_SUMMARY, "a run that was verified had the output of every task done compared",
    "SELECT run_id, n_verified||' of '||n_tasks_done||' tasks' FROM ended WHERE n_verified <> n_tasks_done" },

  { 56, BN_RECORD_SUMMARY, "a simulated run tells nothing of a wall clock, and a real one has no proved bound",
    "SELECT run_id, backend||iif (real, ' with', ' without')||' CPU time of a loop, bound on '"
    "||IFNULL (bound_jobs, 'no')||' jobs' FROM (SELECT r.*, EXISTS (SELECT 1 FROM metrics m WHERE m.run_id = r.run_id"
    "   AND m.name = 'loop_cpu_p50') AS real FROM ended r)"
    " WHERE real = (backend = 'model') OR (real AND bound_jobs IS NOT NULL)" },

  { 57, BN_RECORD_SUMMARY, "where costs of decisions were measured each question has one, and elsewhere none has",
    "SELECT run_id, n||' costs, numbered '||first||' to '||last||', of '||n_decisions||' questions' FROM"
    " (SELECT r.*, run_id IN measured AS measured, (SELECT count (*) FROM decision_costs c WHERE c.run_id = r.run_id) AS n,"
    "   (SELECT IFNULL (min (question), 0) FROM decision_costs c WHERE c.run_id = r.run_id) AS first,"
    "   (SELECT IFNULL (max (question), -1) FROM decision_costs c WHERE c.run_id = r.run_id) AS last FROM ended r)"
    /* reviews of a pool cost nothing; a run may have failed for want of a cost */
    " WHERE first <> 0 OR last <> n - 1 OR n > iif (measured, n_decisions, 0)"
    "  OR (measured AND n < n_decisions AND scheduler <> 'pull' AND state <> 'failed')"
    " UNION ALL SELECT run_id, 'question '||question||' about job '||job_id||': '||cost_ns||' ns' FROM decision_costs"
    "  JOIN ended USING (run_id) WHERE cost_ns < 0 OR job_id NOT BETWEEN 0 AND n_jobs - 1" },

  { 58, BN_RECORD_TASKS, "a decision whose cost was measured takes effect that much later, and its observer has no other",
    "SELECT run_id, 'decision '||decision||' on '||" TASK "' FROM decisions WHERE run_id IN measured"
    "  AND kind IN ('plan', 'place', 'pull', 'forward') AND effect_ns IS NOT seen_ns + decide_ns"
    " UNION ALL SELECT run_id, 'observer '||IFNULL (observer, 'central')||' at '||seen_ns||' ns' FROM"
    "  (SELECT *, max (effect_ns) OVER (PARTITION BY run_id, observer ORDER BY seen_ns, effect_ns"
    "    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until_ns FROM (SELECT DISTINCT run_id, observer, seen_ns,"
    "    effect_ns FROM decisions WHERE run_id IN measured AND kind IN ('plan', 'place', 'pull', 'forward')))"
    " WHERE seen_ns < until_ns" },
};

const guint bn_n_invariants = G_N_ELEMENTS (bn_invariant_list);
