/* played_run.c: a run worked out by hand, told to probes without an engine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "played_run.h"

#include <glib.h>

#define MS BN_NS_PER_MS
#define GB INT64_C (1000000000)
#define TELL(hook, ...) \
  for (uint32_t p_ = 0; p_ < n_probes; p_++) \
    if (probes[p_].hook != NULL) \
      probes[p_].hook (probes[p_].context, __VA_ARGS__)

static BnGpuType gpu_types[] = {
  { .name = "T", .group = "all", .memory_bytes = 8 * GB, .speed_ppm = BN_PPM_ONE, .pcie_bytes_per_s = 1000 * GB,
    .slots = 1, .n_workers = 2, .idle_watts = 10, .active_watts = 70, .price_per_hour = 1.5 },
};
static BnWorkerInfo workers[] = { { 0, 0, 0 }, { 0, 1, 0 } };
const BnPlatform played_platform = {
  .n_types = 1, .n_servers = 2, .n_workers = 2, .types = gpu_types, .workers = workers,
};

static const BnModel models[] = { { .name = "A", .size_bytes = 4 * GB }, { .name = "B", .size_bytes = 6 * GB } };
static const uint32_t task_a[] = { 0 }, task_b[] = { 1 }, order[] = { 0, 1 };
static const BnTaskSpec pair_tasks[] = {
  { .label = "a", .model = 0, .input_bytes = 50, .output_bytes = 100, .runtime_ns = 10 * MS, .n_succs = 1,
    .succs = task_b },
  { .label = "b", .model = 1, .output_bytes = 10, .runtime_ns = 20 * MS, .n_preds = 1, .preds = task_a },
};
static const BnTaskSpec solo_tasks[] = {
  { .label = "s", .model = BN_NONE, .input_bytes = 1, .output_bytes = 1, .runtime_ns = 5 * MS },
};
static const BnWorkflow workflows[] = {
  { .name = "pair", .index = 0, .first_task = 0, .n_tasks = 2, .n_entries = 1, .tasks = pair_tasks,
    .entries = task_a, .topological = order, .lower_bound_ns = 30 * MS },
  { .name = "solo", .index = 1, .first_task = 2, .n_tasks = 1, .n_entries = 1, .tasks = solo_tasks,
    .entries = task_a, .topological = order, .lower_bound_ns = 5 * MS },
};
const BnCatalogue played_catalogue = {
  .n_models = 2, .n_workflows = 2, .n_tasks = 3, .models = models, .workflows = workflows,
};

static BnJob *
make_job (int64_t id, uint32_t workflow, int32_t ingress, int create_ms, int arrive_ms, int end_ms)
{
  const BnWorkflow *wf = &workflows[workflow];
  BnJob *job = g_malloc0 (sizeof (BnJob) + wf->n_tasks * sizeof (BnTask));

  job->id = id;
  job->workflow = wf;
  job->ingress = ingress;
  job->state = BN_JOB_DONE;
  job->n_done = wf->n_tasks;
  job->create_ns = create_ms * MS;
  job->arrive_ns = arrive_ms * MS;
  job->end_ns = end_ms * MS;
  job->lower_bound_ns = wf->lower_bound_ns;
  job->deadline_ns = BN_TIME_NEVER;
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    job->tasks[t] = (BnTask){ .worker = BN_NONE, .planned_worker = BN_NONE, .factor = 1, .placed_ns = BN_TIME_NEVER,
                              .enqueue_ns = BN_TIME_NEVER, .start_ns = BN_TIME_NEVER, .exec_ns = BN_TIME_NEVER,
                              .end_ns = BN_TIME_NEVER, .state = BN_TASK_CANCELLED, .job = job };
  return job;
}

static void
set_task (BnTask *task, int32_t worker, int32_t planned, BnAccess access, int placed, int enqueue, int start,
          int evict, int load, int end)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  task->state = BN_TASK_DONE;
  task->worker = worker;
  task->planned_worker = planned;
  task->access = (uint8_t) access;
  task->placed_ns = placed * MS;
  task->enqueue_ns = enqueue * MS;
  task->start_ns = start * MS;
  task->evict_ns = evict * MS;
  task->fetch_ns = load * MS;
  task->exec_ns = (start + evict + load) * MS;
  task->end_ns = end * MS;
  task->estimate_ns = spec->runtime_ns;
  if (access == BN_ACCESS_MISS)
    task->fetch_bytes = models[spec->model].size_bytes;
}

static void
make_run (PlayedRun *run)
{
  BnJob **jobs = run->jobs;

  jobs[0] = make_job (0, 0, 0, 10, 11, 53);
  jobs[0]->deadline_ns = 100 * MS;
  set_task (&jobs[0]->tasks[0], 0, 0, BN_ACCESS_MISS, 11, 11, 11, 0, 4, 25);
  set_task (&jobs[0]->tasks[1], 1, 1, BN_ACCESS_MISS, 11, 27, 27, 0, 6, 53);
  jobs[0]->tasks[1].moved_bytes = 100;
  jobs[1] = make_job (1, 0, 1, 20, 21, 62);
  set_task (&jobs[1]->tasks[0], 0, 0, BN_ACCESS_HIT, 21, 22, 25, 0, 0, 35);
  set_task (&jobs[1]->tasks[1], 0, 1, BN_ACCESS_MISS, 35, 35, 35, 1, 6, 62);
  jobs[1]->tasks[1].evict_bytes = 4 * GB;
  jobs[2] = make_job (2, 1, 1, 30, 30, 58);
  jobs[2]->deadline_ns = 50 * MS;
  set_task (&jobs[2]->tasks[0], 1, 1, BN_ACCESS_NONE, 30, 30, 53, 0, 0, 58);
  jobs[3] = make_job (3, 0, 0, 40, 41, 41);
  jobs[3]->state = BN_JOB_REFUSED;
  jobs[3]->reason = BN_REASON_MODEL_EXCEEDS_GPU;
  jobs[3]->n_done = 0;
  run->cache_events[0] = (BnCacheEvent){ BN_CACHE_LOADED, 0, 0, 11 * MS, 15 * MS, 4 * GB, 4 * GB, false, 0, 0,
                                          0 };
  run->cache_events[1] = (BnCacheEvent){ BN_CACHE_LOADED, 1, 1, 27 * MS, 33 * MS, 6 * GB, 6 * GB, false, 0, 1,
                                          0 };
  run->cache_events[2] = (BnCacheEvent){ BN_CACHE_EVICTED, 0, 0, 35 * MS, 36 * MS, 4 * GB, 0, false, 1, 1,
                                          35 * MS };
  run->cache_events[3] = (BnCacheEvent){ BN_CACHE_LOADED, 0, 1, 36 * MS, 42 * MS, 6 * GB, 6 * GB, false, 1, 1,
                                          0 };
  run->totals = (BnRunTotals){
    .status = BN_RUN_COMPLETE, .end_ns = PLAYED_END_MS * MS, .last_arrival_ns = 40 * MS, .n_jobs = 4, .n_done = 3,
    .n_refused = 1, .n_tasks_done = 5, .n_events = 30, .n_decisions = 5, .peak_live_jobs = 4,
    .n_messages = 7, .row_updates = 12, .row_bytes = 400,
  };
}

static void
decide (const BnProbe *probes, uint32_t n_probes, const BnJob *job, uint32_t task, int32_t from, int32_t worker,
        int at_ms, int64_t row_age_ns)
{
  BnDecision decision = {
    .job = job, .task = task, .kind = from == BN_NONE ? BN_DECIDED_PLAN : BN_DECIDED_PLACE, .observer = job->ingress,
    .from_worker = from, .worker = worker, .asked_ns = at_ms * MS, .seen_ns = at_ms * MS, .effect_ns = at_ms * MS,
    .seen_wait_ns = 0, .true_wait_ns = 0, .row_age_ns = row_age_ns, .seen_cached = 0, .true_cached = 0,
  };

  TELL (task_decided, &decision);
}

static void
plan (const BnProbe *probes, uint32_t n_probes, const BnJob *job)
{
  TELL (job_arrived, job, job->arrive_ns);
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    decide (probes, n_probes, job, t, BN_NONE, job->tasks[t].planned_worker, (int) (job->arrive_ns / MS), 0);
}

static void
move (const BnProbe *probes, uint32_t n_probes, const BnJob *job, uint32_t task, int32_t pred, int32_t from,
      int64_t bytes, int start_ms, int end_ms)
{
  BnTransfer transfer = { job, task, pred, from, job->tasks[task].worker, bytes, start_ms * MS, end_ms * MS, false };

  TELL (transfer, &transfer);
}

static void
tell_run (const BnProbe *probes, uint32_t n_probes, const PlayedRun *run)
{
  BnJob *const *jobs = run->jobs;
  const BnTask *a0 = &jobs[0]->tasks[0], *b0 = &jobs[0]->tasks[1], *a1 = &jobs[1]->tasks[0], *b1 = &jobs[1]->tasks[1],
               *s2 = &jobs[2]->tasks[0];

  TELL (run_started, &played_platform, &played_catalogue);
  TELL (job_created, jobs[0], 10 * MS);
  plan (probes, n_probes, jobs[0]);
  TELL (task_enqueued, a0, 11 * MS);
  TELL (task_started, a0, 11 * MS);
  TELL (cache_event, &run->cache_events[0]);
  TELL (task_executing, a0, 15 * MS);
  TELL (job_created, jobs[1], 20 * MS);
  plan (probes, n_probes, jobs[1]);
  move (probes, n_probes, jobs[1], 0, BN_NONE, BN_NONE, 50, 21, 22);
  TELL (task_enqueued, a1, 22 * MS);
  TELL (task_finished, a0, 25 * MS);
  TELL (task_started, a1, 25 * MS);
  TELL (task_executing, a1, 25 * MS);
  move (probes, n_probes, jobs[0], 1, 0, 0, 100, 25, 27);
  TELL (task_enqueued, b0, 27 * MS);
  TELL (task_started, b0, 27 * MS);
  TELL (job_created, jobs[2], 30 * MS);
  plan (probes, n_probes, jobs[2]);
  TELL (task_enqueued, s2, 30 * MS);
  TELL (cache_event, &run->cache_events[1]);
  TELL (task_executing, b0, 33 * MS);
  TELL (task_finished, a1, 35 * MS);
  decide (probes, n_probes, jobs[1], 1, 1, 0, 35, 10 * MS);
  TELL (task_enqueued, b1, 35 * MS);
  TELL (task_started, b1, 35 * MS);
  TELL (cache_event, &run->cache_events[2]);
  TELL (job_created, jobs[3], 40 * MS);
  TELL (job_ended, jobs[3], 41 * MS);
  TELL (cache_event, &run->cache_events[3]);
  TELL (task_executing, b1, 42 * MS);
  TELL (task_finished, b0, 53 * MS);
  TELL (job_ended, jobs[0], 53 * MS);
  TELL (task_started, s2, 53 * MS);
  TELL (task_executing, s2, 53 * MS);
  TELL (task_finished, s2, 58 * MS);
  TELL (job_ended, jobs[2], 58 * MS);
  TELL (task_finished, b1, 62 * MS);
  TELL (job_ended, jobs[1], 62 * MS);
  TELL (run_ended, &run->totals);
}

void
play_spoilt_run (const BnProbe *probes, uint32_t n_probes, void (*spoil) (PlayedRun *run))
{
  PlayedRun run;

  make_run (&run);
  if (spoil != NULL)
    spoil (&run);
  tell_run (probes, n_probes, &run);
  for (uint32_t i = 0; i < PLAYED_JOBS; i++)
    g_free (run.jobs[i]);
}

void
play_run (const BnProbe *probes, uint32_t n_probes)
{
  play_spoilt_run (probes, n_probes, NULL);
}
