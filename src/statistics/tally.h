/* tally.h: what metrics are made of: counts, exact sums and quantiles.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Both ways to the metrics fill these structs, the probe while the run goes on
 * (metrics.h) and a recount from the database (recount.h), and one function
 * turns them into numbers: so the two agree to the last bit or disagree for a
 * reason. Everything is an integer until then.
 */
#ifndef BN_TALLY_H
#define BN_TALLY_H

#include <glib.h>

#include "bn.h"
#include "stability.h"

/* Sums that must not overflow: 2^63 ns are 292 years of waiting. */
__extension__ typedef __int128 BnSum;

/* The quantiles that metrics report. */
enum
{
  BN_P50,
  BN_P95,
  BN_P99,
  BN_MAX,
  BN_N_QUANTILES
};
extern const int64_t bn_quantile_ppm[BN_N_QUANTILES];

/* Jobs of one workflow, or of all; only those created at or after the warm-up. */
typedef struct BnJobTally
{
  int64_t n_jobs, n_done, n_refused, n_failed, n_dropped, n_unfinished;
  BnSum latency_ns;                             /* of the jobs done        */
  int64_t latency_q_ns[BN_N_QUANTILES];         /* valid for n_done > 0    */
  int64_t n_slowdown;                           /* done, lower bound > 0   */
  BnSum slowdown_ppm;
  int64_t slowdown_q_ppm[BN_N_QUANTILES];       /* valid for n_slowdown > 0 */
  int64_t n_deadline;                           /* jobs with a deadline    */
  int64_t n_deadline_met;                       /* done by then            */
  int64_t n_late;                               /* done, but after it      */
  BnTime first_create_ns;                       /* BN_TIME_NEVER: no job   */
  BnTime last_end_ns;                           /* of the jobs done        */
} BnJobTally;

/* Tasks done of those jobs. */
typedef struct BnTaskTally
{
  int64_t n_tasks;
  int64_t n_hits, n_misses, n_joined;
  BnSum queue_wait_ns, input_wait_ns, load_wait_ns;
  int64_t queue_wait_max_ns;
  int64_t n_moved;          /* ran elsewhere than planned */
  BnSum moved_bytes;
} BnTaskTally;

/* Workers, over the whole run. */
typedef struct BnWorkerTally
{
  BnSum executing_ns, loading_ns, evicting_ns;  /* slot time           */
  BnSum slot_ns;                                /* slots x length of the run */
  BnSum link_ns;                                /* loads and evictions, each its time */
  BnSum device_ns;                              /* workers x length of the run */
  int64_t n_loads, n_prefetches, n_evictions;
  BnSum load_bytes, evict_bytes;
  int64_t n_used;                               /* executed a task     */
  int64_t n_jobs_done;                          /* of the run, warm-up included */
  double energy_j;
} BnWorkerTally;

typedef struct BnBacklogTally
{
  double mean;              /* up to the last arrival; < 0: unknown */
  int64_t peak;
  BnStability stability;
} BnBacklogTally;

/* What workers told each other, over the whole run. */
typedef struct BnMessageTally
{
  int64_t n_messages;       /* other than rows and data              */
  int64_t n_row_updates;    /* changes of a row that went out        */
  int64_t row_bytes;        /* sizes of the rows that went with them */
} BnMessageTally;

/* Values in nanoseconds of which there is a histogram. */
typedef struct BnSpanTally
{
  int64_t n;
  int64_t q_ns[BN_N_QUANTILES];                 /* valid for n > 0         */
} BnSpanTally;

/* What a run on the wall clock cost, and what disturbed it. */
typedef struct BnRealTally
{
  BnSpanTally loop_cpu;     /* of each task done                           */
  BnSpanTally completions;  /* from the end of an operation to its hearing */
  BnDuration completions_ns; /* their sum                                  */
  BnSpanTally timers;       /* from a timer's time to its handling         */
  BnSpanTally decisions;    /* of each answer of a scheduler               */
  BnDuration loop_cpu_ns;   /* of the whole loop                           */
  int64_t n_tasks_done;
  int64_t n_failures, n_workers_lost;
  double steal;             /* share of the machine's time; < 0: unknown   */
  int64_t n_verified;       /* tasks; < 0: it was not asked for            */
} BnRealTally;

/* What becomes of latency / lower bound: millionths, rounded half up; -1 where the
 * lower bound is 0. */
int64_t bn_slowdown_ppm (BnDuration latency_ns, BnDuration lower_bound_ns);

/* Adds counts, sums and extremes of `other`; quantiles are left alone. */
void bn_job_tally_add (BnJobTally *tally, const BnJobTally *other);

/* Sorts values[0 .. n-1] and picks the quantiles by nearest rank; n > 0. */
void bn_exact_quantiles (int64_t *values, gsize n, int64_t ret[BN_N_QUANTILES]);

/* ---- metrics ---- */

/* What a metric is about, and so from which tables it can be recounted. */
typedef enum
{
  BN_ABOUT_JOBS,     /* the run and each workflow; table jobs  */
  BN_ABOUT_TASKS,    /* table tasks                            */
  BN_ABOUT_WORKERS,  /* tables tasks and cache_events          */
  BN_ABOUT_BACKLOG,
  BN_ABOUT_MESSAGES, /* the columns of table runs              */
  BN_ABOUT_REAL      /* of runs on the wall clock only         */
} BnMetricAbout;

typedef struct BnMetricInfo
{
  const char *name;
  const char *unit;         /* "ms", "1", "jobs/s", … */
  BnMetricAbout about;
  const char *summary;      /* one line */
} BnMetricInfo;

/* Every metric, in the order in which lists and tables print them. */
extern const BnMetricInfo bn_metric_infos[];
extern const guint bn_n_metric_infos;

typedef struct BnMetric
{
  guint info;               /* index into bn_metric_infos            */
  int32_t workflow;         /* or BN_NONE: the run                   */
  gboolean defined;
  double value;
} BnMetric;

typedef struct BnTally
{
  BnJobTally all;
  BnJobTally *workflows;    /* [n_workflows] */
  guint n_workflows;
  BnTaskTally tasks;
  BnWorkerTally workers;
  BnBacklogTally backlog;
  BnMessageTally messages;
  BnRealTally real;
} BnTally;

/* Metrics of the parts named by `about` (bits 1 << BnMetricAbout), the run's
 * first. Returns: (transfer full) (element-type BnMetric). */
GArray *bn_tally_metrics (const BnTally *tally, guint about);

#endif
