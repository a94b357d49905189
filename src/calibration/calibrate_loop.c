/* calibrate_loop.c: a short real run, for what the run's loop adds to every operation.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gio/gio.h>
#include <inttypes.h>

#include "calibrate_parts.h"
#include "cli.h"
#include "metrics.h"

/* Enough for a median, and for a mean of what the loop takes. */
#define MAX_JOBS 50

static BnDuration
median (const BnSpanTally *span)
{
  return span->n > 0 ? span->q_ns[BN_P50] : 0;
}

/* What did not come to its end tells nothing of what a run usually costs. */
static gboolean
has_all (BnRunStatus status, const BnRunTotals *totals, BnInterrupt *interrupt, GError **error)
{
  if (interrupt != NULL && bn_interrupt_came (interrupt))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted");
  else if (status != BN_RUN_COMPLETE || totals->n_done < MAX_JOBS)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL,
                 "calibration: of the %d jobs of its short run only %" PRId64 " were done, %" PRId64
                 " operations failed; look at a run of the scenario: table failures", MAX_JOBS, totals->n_done,
                 totals->n_failures);
  else
    return TRUE;
  return FALSE;
}

static gboolean
run (BnSamples *samples, const BnArrivalsConfig *arrivals, BnMetrics *metrics, GError **error)
{
  const BnScenario *s = samples->scenario;
  const BnVariant *variant = s->variants[0];
  BnProbe probes[] = { *bn_metrics_probe (metrics) };
  BnRunConfig config = {
    .platform = s->platform,
    .catalogue = s->catalogue,
    .arrivals = arrivals,
    .backend = s->backend,
    .backend_settings = s->backend_settings,
    .watchdog_ns = s->watchdog_ns,
    .noise = { .profile_error = 1 },
    .scheduler = variant->scheduler,
    .params = variant->params,
    .options = variant->options,
    .seed = s->seeds[0],
    .probes = probes,
    .n_probes = G_N_ELEMENTS (probes),
  };
  BnRun *run = bn_run_new (&config, error);

  if (run == NULL)
    return FALSE;
  if (samples->interrupt != NULL)
    bn_interrupt_watch (samples->interrupt, run);
  BnRunStatus status = bn_run_execute (run, error);
  if (samples->interrupt != NULL)
    bn_interrupt_watch (samples->interrupt, NULL);
  gboolean ok = status != BN_RUN_FAILED && has_all (status, bn_run_totals (run), samples->interrupt, error);
  bn_run_free (run);
  return ok;
}

/* That hold a slot or a link; a run whose jobs were all done has some. */
static int64_t
operations (const BnTally *tally)
{
  return tally->tasks.n_tasks + tally->workers.n_loads + tally->workers.n_evictions;
}

gboolean
bn_measure_loop (BnSamples *samples, BnDuration gap_ns, GError **error)
{
  const BnScenario *s = samples->scenario;
  BnJobSpec jobs[MAX_JOBS];
  BnArrivalsConfig arrivals = { .kind = BN_ARRIVALS_LIST, .time_scale = 1, .weights = s->arrivals.weights,
                                .max_jobs = INT64_MAX, .until_ns = BN_TIME_NEVER,
                                .n_workers = s->platform->n_workers, .jobs = jobs, .n_listed = MAX_JOBS };
  BnMetricsConfig metrics_config = { s->platform, s->catalogue, 0, 0, FALSE, TRUE };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);

  for (guint i = 0; i < MAX_JOBS; i++)
    jobs[i] = (BnJobSpec) { .create_ns = (BnTime) (i + 1) * gap_ns, .workflow = i % s->catalogue->n_workflows,
                            .ingress = (int32_t) (i % s->platform->n_workers) };
  gboolean ok = run (samples, &arrivals, metrics, error);
  if (ok)
    {
      const BnRealTally *real = &bn_metrics_tally (metrics)->real;
      /* of many that are short and a few that are long, a job meets the mean */
      samples->wake_ns = real->completions.n > 0 ? real->completions_ns / real->completions.n : 0;
      samples->timer_ns = median (&real->timers);
      samples->decision_ns = median (&real->decisions);
      samples->loop_ns = real->loop_cpu_ns / operations (bn_metrics_tally (metrics));
    }
  bn_metrics_free (metrics);
  return ok;
}
