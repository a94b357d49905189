/* plugin_cases.c: plug-ins for tests/plugins.sh, one for each -DCASE_...: one that is as one of the program's own, and
 * some that misbehave.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <binnacle/scheduler.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef CASE_OTHER_ABI
#define ABI 7
#else
#define ABI BN_PLUGIN_ABI
#endif

#ifdef CASE_SHORT
#define SIZE 8
#elif defined CASE_OLD
#define SIZE offsetof (BnPluginScheduler, notice)
#else
#define SIZE sizeof (BnPluginScheduler)
#endif

#if defined CASE_TAKEN
#define NAME "jit"
#elif defined CASE_NAME
#define NAME "my scheduler"
#else
#define NAME "case"
#endif

static uint32_t
case_init (void *state, const BnPluginHost *host, const BnPluginValue *values)
{
  (void) state;
  (void) values;
#ifdef CASE_CURIOUS
  /* before a run there is nothing to see, and of what is not there one hears 0 */
  if (host->free_at_ns (host, 0) != 0 || host->worker_of (host, 0) != BN_PLUGIN_NONE
      || host->memory_bytes (host, host->n_workers) != 0 || host->runtime_ns (host, 99, 0, 0) != 0
      || host->model (host, 0, 1000000) != BN_PLUGIN_NONE || host->n_tasks (host, 0) == 0)
    abort ();
#endif
  (void) host;
#if defined CASE_ADJUSTS
  return BN_PLUGIN_ADJUSTS;
#elif defined CASE_HEARS || defined CASE_OLD
  return BN_PLUGIN_HEARS_JOBS | BN_PLUGIN_HEARS_TASKS;
#else
  return 0;
#endif
}

#if defined CASE_HEARS
/* Writes down what it hears: "job JOB OBSERVER NOW TOOK", "task JOB.TASK WORKER NOW TOOK". */
static void
case_notice (void *state, const BnPluginNotice *notice, const BnPluginHost *host)
{
  FILE *file = fopen ("heard", "a");

  (void) state;
  if (!file || notice->struct_size != sizeof *notice || host->free_at_ns (host, 0) != 0)
    abort ();
  if (notice->kind == BN_PLUGIN_JOB_ENDED && notice->outcome == BN_PLUGIN_DONE && notice->task == BN_PLUGIN_NONE)
    fprintf (file, "job %" PRId64 " %d %" PRId64 " %" PRId64 "\n", notice->job, notice->observer, notice->now_ns,
             notice->took_ns);
  if (notice->kind == BN_PLUGIN_TASK_FINISHED && notice->observer == notice->worker)
    fprintf (file, "task %" PRId64 ".%d %d %" PRId64 " %" PRId64 "\n", notice->job, notice->task, notice->worker,
             notice->now_ns, notice->took_ns);
  fclose (file);
}
#define NOTICE case_notice
#elif defined CASE_OLD
/* Beyond the end of a table of its size: nobody may look here. */
static void
case_notice (void *state, const BnPluginNotice *notice, const BnPluginHost *host)
{
  (void) state;
  (void) notice;
  (void) host;
  abort ();
}
#define NOTICE case_notice
#else
#define NOTICE 0
#endif

#ifdef CASE_MODULO
/* As hash[modulo]: (job + task) mod the workers where the model fits. */
static void
case_plan (void *state, const BnPluginCall *call, BnPluginHost *host)
{
  (void) state;
  for (uint32_t task = 0; task < host->n_tasks (host, call->workflow); task++)
    {
      uint32_t n = 0, worker = 0;
      for (uint32_t w = 0; w < host->n_workers; w++)
        n += host->fits (host, call->workflow, task, w) != 0;
      uint32_t k = (uint32_t) (((uint64_t) call->job + task) % n);
      for (uint32_t w = 0; w < host->n_workers; w++)
        if (host->fits (host, call->workflow, task, w) && k-- == 0)
          worker = w;
      host->place (host, task, worker, 0);
    }
}
#define PLAN case_plan
#define PLACE 0
#elif defined CASE_NOTHING
#define PLAN 0
#define PLACE 0
#elif defined CASE_ADJUSTS
static void
case_plan (void *state, const BnPluginCall *call, BnPluginHost *host)
{
  (void) state;
  for (uint32_t task = 0; task < host->n_tasks (host, call->workflow); task++)
    host->place (host, task, 0, 0);
}

/* Moves what it may; with a word on another task first, which it was not asked about. */
static void
case_place (void *state, const BnPluginCall *call, BnPluginHost *host)
{
  (void) state;
  host->place (host, 0, 1, 0);
  host->place (host, call->task, 2, 0);
}
#define PLAN case_plan
#define PLACE case_place
#else
static void
case_place (void *state, const BnPluginCall *call, BnPluginHost *host)
{
  (void) state;
#if defined CASE_UNKNOWN_WORKER
  host->place (host, call->task, 999, 0);
#elif defined CASE_SILENT
  (void) call;
  (void) host;
#elif defined CASE_ABORTS
  if (call->job == 5)
    abort ();
  host->place (host, call->task, 0, 0);
#else
  /* all on one worker, whatever it holds; and a word on a task that is not there, which is nobody's */
  host->place (host, call->task, 0, 0);
  host->place (host, 1000000, 0, 0);
#endif
}
#define PLAN 0
#define PLACE case_place
#endif

#if defined CASE_STATE
#define STATE 4294967290u
#else
#define STATE 0
#endif

#if defined CASE_DEFAULT || defined CASE_TWICE || defined CASE_OPTION || defined CASE_RANGE
static const char *const two[] = { "one", "other", 0 };
static const BnPluginParam params[] = {
#if defined CASE_DEFAULT
  { "which", "which", BN_PLUGIN_CHOICE, 0, 0, 2, two },
#elif defined CASE_OPTION
  { "queue", "which", BN_PLUGIN_CHOICE, 0, 0, 1, two },
#elif defined CASE_RANGE
  { "range", "upside down", BN_PLUGIN_INT, 5, 3, 5, two },
#else
  { "which", "which", BN_PLUGIN_CHOICE, 0, 0, 1, two },
  { "which", "again", BN_PLUGIN_BOOL, 0, 0, 1, 0 },
#endif
};
#define PARAMS params
#define N_PARAMS sizeof params / sizeof params[0]
#else
#define PARAMS 0
#define N_PARAMS 0
#endif

BN_PLUGIN_EXPORT const BnPluginScheduler
#ifdef CASE_NO_SYMBOL
  something_else
#else
  binnacle_scheduler
#endif
  = { ABI, SIZE, NAME, "a case", PARAMS, N_PARAMS, STATE, case_init, 0, PLAN, PLACE, NOTICE };
