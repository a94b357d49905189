/* metrics.h: the probe that measures a run while it goes on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Memory does not grow with the number of jobs unless exact quantiles are asked
 * for (16 to 32 bytes a job done, up to 48 at the end). Definitions are in
 * doc/metrics.md. Nearly everything is read off a job when it ends, so that the
 * cost is a few additions a task.
 */
#ifndef BN_METRICS_H
#define BN_METRICS_H

#include <glib.h>

#include "backlog.h"
#include "probe.h"
#include "sketch.h"
#include "tally.h"

typedef struct BnMetricsConfig
{
  const BnPlatform *platform;    /* borrowed; must outlive the metrics, as must */
  const BnCatalogue *catalogue;  /* the catalogue                               */
  BnDuration warmup_ns;          /* jobs created before are left out            */
  double offered_load;           /* BnScenario.least_load; 0: unknown           */
  gboolean exact;                /* keep latencies: where jobs are recorded     */
  gboolean real;                 /* the run is on the wall clock                */
} BnMetricsConfig;

/* Where one worker's slots were. */
typedef struct BnWorkerTimes
{
  BnDuration executing_ns, loading_ns, evicting_ns;
  BnDuration idle_ns;            /* the rest of slots x length of the run */
  BnDuration failed_ns;          /* executions that failed                */
  BnDuration active_ns;          /* at least one slot executed            */
  BnDuration link_ns;            /* loads and evictions, each its time    */
  int64_t n_tasks, n_loads, n_prefetches, n_evictions;
  int64_t load_bytes, evict_bytes;
  double energy_j;
} BnWorkerTimes;

typedef struct BnMetrics BnMetrics;

BnMetrics *bn_metrics_new (const BnMetricsConfig *config);
void bn_metrics_free (BnMetrics *metrics);

/* Returns: (transfer none): copy the table into the run's array of probes. */
const BnProbe *bn_metrics_probe (BnMetrics *metrics);

/* Of a run on the wall clock, once it has ended: what the run itself does not know. See
 * BnRealTally. */
void bn_metrics_set_real (BnMetrics *metrics, double steal, int64_t n_verified);

/* ---- valid once the run has ended ---- */

/* Every metric. Returns: (transfer full) (element-type BnMetric). */
GArray *bn_metrics_values (const BnMetrics *metrics);
const BnTally *bn_metrics_tally (const BnMetrics *metrics);
BnLabel bn_metrics_label (const BnMetrics *metrics);
const BnWorkerTimes *bn_metrics_workers (const BnMetrics *metrics);  /* [n_workers] */
const BnBacklog *bn_metrics_backlog (const BnMetrics *metrics);
const BnSketch *bn_metrics_latency_ns (const BnMetrics *metrics, uint32_t workflow);
const BnSketch *bn_metrics_slowdown_ppm (const BnMetrics *metrics, uint32_t workflow);

/* J that a device of this type takes for `length_ns`, of which it is active for
 * `active_ns`. */
double bn_energy_j (const BnGpuType *gpu, BnDuration length_ns, BnDuration active_ns);

#endif
