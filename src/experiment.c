/* experiment.c: variants times seeds, each a run with its probes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "experiment.h"

#include <inttypes.h>

#include "decision_costs.h"
#include "invariants.h"
#include "lower_bound.h"
#include "machine.h"
#include "progress.h"

#include "verify.h"

#define MAX_PROBES 5

/* What is known of the jobs of one seed. */
typedef struct SeedBound
{
  gboolean known;
  BnBound bound;
} SeedBound;

/* One run of the experiment. */
typedef struct Cell
{
  const BnScenario *scenario;
  const BnVariant *variant;
  guint64 seed;
  gint64 run_id;
  BnDuration warmup_ns;
  SeedBound *bound;
  BnResults *results;
  const BnExperimentOptions *options;
} Cell;

/* Who listens to it, beside the results. */
typedef struct Listeners
{
  BnMetrics *metrics;
  BnInvariants *invariants;
  BnProgress *progress;      /* or NULL */
  BnVerify *verify;          /* or NULL: it was not asked for */
} Listeners;

G_GNUC_PRINTF (2, 3)
static void
remark (BnExperimentOutcome *outcome, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (outcome->remarks, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static void
stop_run (void *data)
{
  bn_run_stop (data);
}

static gint64
expected_jobs (const BnScenario *s)
{
  if (s->arrivals.kind == BN_ARRIVALS_LIST)
    return s->arrivals.n_listed;
  if (s->arrivals.kind == BN_ARRIVALS_TRACE)
    return MIN (s->trace.n_rows, s->arrivals.max_jobs);
  return s->arrivals.max_jobs == INT64_MAX ? 0 : s->arrivals.max_jobs;
}

static BnRunConfig
config_of (const Cell *cell, const BnProbe *probes, guint n_probes, BnDecisionCosts *costs, const char *repeat_command)
{
  const BnScenario *s = cell->scenario;

  return (BnRunConfig){
    .platform = s->platform,
    .catalogue = s->catalogue,
    .arrivals = &s->arrivals,
    .backend = s->backend,
    .backend_settings = s->backend_settings,
    .watchdog_ns = s->watchdog_ns,
    .noise = s->noise,
    .scheduler = cell->variant->scheduler,
    .params = cell->variant->params,
    .scheduler_user = cell->options->scheduler_user,
    .stopwatch = costs ? bn_decision_costs_stopwatch (costs) : NULL,
    .own_settings = (const char *const *) cell->variant->own_settings,
    .options = cell->variant->options,
    .preloads = s->preloads,
    .n_preloads = s->n_preloads,
    .seed = cell->seed,
    .probes = probes,
    .n_probes = n_probes,
    .repeat_command = repeat_command,
    .debug_check = cell->options->debug_check,
  };
}

/* Compares what was computed with the reference. Returns: how many tasks; what is wrong is counted and
 * remarked upon. */
static gint64
verify (const Cell *cell, const Listeners *l, gint64 *n_wrong, BnExperimentOutcome *outcome, GError **error)
{
  BnVerifyOutcome found = { 0 };

  *n_wrong = 0;
  if (!bn_verify_compare (l->verify, cell->scenario->catalogue, cell->seed, cell->options->interrupt, &found, error))
    {
      bn_verify_outcome_clear (&found);
      return 0;
    }
  for (guint i = 0; i < found.messages->len; i++)
    remark (outcome, "%s, seed %" G_GUINT64_FORMAT ": violated: %s", cell->variant->name, cell->seed,
            (const char *) found.messages->pdata[i]);
  g_autofree char *of = found.n_tasks < found.n_done ? g_strdup_printf (" of %" PRId64, found.n_done) : g_strdup ("");
  remark (outcome, "%s, seed %" G_GUINT64_FORMAT ": %" PRId64 "%s tasks verified, %" PRId64 " wrong",
          cell->variant->name, cell->seed, found.n_tasks, of, found.n_wrong);
  *n_wrong = found.n_wrong;
  outcome->n_violations += found.n_wrong;
  bn_verify_outcome_clear (&found);
  return found.n_tasks;
}

static void
remark_on_backend (BnRun *run, const BnScenario *scenario, BnExperimentOutcome *outcome)
{
  g_autofree char *how = bn_run_describe_backend (run);

  if (how != NULL)
    remark (outcome, "backend %s: %s", scenario->backend->name, how);
}

/* Says on standard error what a reader of the table should know first. `dump` is of a run that is stuck,
 * else NULL. */
static void
remark_on (const Cell *cell, const BnRunTotals *t, const char *dump, const BnInvariants *invariants,
           BnExperimentOutcome *outcome)
{
  const GPtrArray *messages = bn_invariants_messages (invariants);

  if (t->n_refused > 0)
    remark (outcome,
            "%s, seed %" G_GUINT64_FORMAT ": %" PRId64 " of %" PRId64 " jobs were refused (see the jobs table)",
            cell->variant->name, cell->seed, t->n_refused, t->n_jobs);
  if (t->n_unfinished > 0)
    remark (outcome, "%s, seed %" G_GUINT64_FORMAT ": %" PRId64 " of %" PRId64 " jobs are unfinished: the run %s",
            cell->variant->name, cell->seed, t->n_unfinished, t->n_jobs,
            t->status == BN_RUN_STUCK ? "is stuck" : "was stopped");
  if (dump != NULL)
    g_ptr_array_add (outcome->remarks, g_strdup (dump));
  for (guint i = 0; i < messages->len; i++)
    remark (outcome, "%s, seed %" G_GUINT64_FORMAT ": violated: %s", cell->variant->name, cell->seed,
            (const char *) messages->pdata[i]);
  outcome->n_unfinished += t->n_unfinished;
  outcome->n_violations += bn_invariants_violations (invariants);
  outcome->interrupted = outcome->interrupted || t->status == BN_RUN_INTERRUPTED;
}

/* The bound on the jobs of a run that has completed, once for each seed. Afterwards,
 * because only then is it known that a run of a billion jobs will not be stopped. */
static const BnBound *
bound_of (const Cell *cell, BnRunStatus status, GError **error)
{
  SeedBound *b = cell->bound;

  /* it is proved on the cost model, which a real run owes nothing */
  if (bn_scenario_is_real (cell->scenario))
    return NULL;
  if (status == BN_RUN_COMPLETE && !b->known && !cell->options->no_bound)
    b->known = bn_lower_bound (cell->scenario, cell->seed, BN_BOUND_FEW_STEPS, cell->options->interrupt, &b->bound,
                               error);
  return status == BN_RUN_COMPLETE && b->known ? &b->bound : NULL;
}

/* What decisions cost, where a clock says: this one, or that of a run before. */
static gboolean
open_costs (const Cell *cell, const BnRunInfo *info, BnDecisionCosts **ret, GError **error)
{
  const BnExperimentOptions *o = cell->options;

  *ret = NULL;
  if (!cell->variant->options.decision_measured || bn_scenario_is_real (cell->scenario))
    return TRUE;
  *ret = o->costs != NULL ? bn_decision_costs_recorded (o->costs, o->costs_run, info, error) : bn_decision_costs_measured ();
  return *ret != NULL;
}

static gboolean
run_measured (const Cell *cell, const Listeners *l, const char *repeat_command, BnExperimentOutcome *outcome,
              GError **error)
{
  const BnScenario *s = cell->scenario;
  g_autofree char *settings = bn_variant_settings (cell->variant);
  g_autofree char *text = bn_scenario_run_text (s, cell->variant, cell->seed);
  BnProbe probes[MAX_PROBES];
  guint n_probes = 0;
  gint64 n_verified = -1, n_wrong = 0;
  BnRunInfo info = { .run_id = cell->run_id };
  GError *run_error = NULL;
  gint64 began_us = g_get_monotonic_time ();
  BnMachineTimes machine = bn_machine_times ();

  bn_run_info_from_scenario (&info, s, cell->variant, text, settings, cell->seed);
  info.warmup_ns = cell->warmup_ns;
  info.replay_of = cell->options->replay_of;
  g_autoptr (BnDecisionCosts) costs = NULL;
  if (!open_costs (cell, &info, &costs, error))
    return FALSE;
  const BnProbe *writer = bn_results_begin_run (cell->results, &info, error);
  if (!writer)
    return FALSE;
  probes[n_probes++] = *bn_metrics_probe (l->metrics);
  probes[n_probes++] = *bn_invariants_probe (l->invariants);
  probes[n_probes++] = *writer;
  if (l->progress)
    probes[n_probes++] = *bn_progress_probe (l->progress);
  if (l->verify)
    probes[n_probes++] = *bn_verify_probe (l->verify);
  BnRunConfig config = config_of (cell, probes, n_probes, costs, repeat_command);
  BnRun *run = bn_run_new (&config, error);
  if (!run)
    return FALSE;

  if (outcome->n_runs == 0)
    remark_on_backend (run, s, outcome);
  bn_results_on_failure (cell->results, stop_run, run);
  bn_interrupt_watch (cell->options->interrupt, run);
  BnRunStatus status = bn_run_execute (run, &run_error);
  bn_interrupt_watch (cell->options->interrupt, NULL);
  bn_results_on_failure (cell->results, NULL, NULL);
  gint64 wall_ns = (g_get_monotonic_time () - began_us) * BN_NS_PER_US;
  double steal = bn_machine_steal (machine, bn_machine_times ());
  BnRunTotals totals = *bn_run_totals (run);
  if (status == BN_RUN_COMPLETE && costs && !bn_decision_costs_over (costs, &run_error))
    totals.status = status = BN_RUN_FAILED;
  g_autofree char *dump = status == BN_RUN_STUCK ? bn_run_dump (run) : NULL;
  /* what follows needs memory itself: for the reference's weights, for the bound */
  bn_run_free (run);
  if (l->verify && !run_error)
    n_verified = verify (cell, l, &n_wrong, outcome, &run_error);
  if (bn_scenario_is_real (s))
    bn_metrics_set_real (l->metrics, steal, n_verified);
  const BnBound *bound = bound_of (cell, status, run_error ? NULL : &run_error);
  if (g_error_matches (run_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&run_error);

  BnRunEnd end = {
    .totals = &totals,
    .metrics = l->metrics,
    .violations = bn_invariants_violations (l->invariants) + n_wrong,
    .message = run_error ? run_error->message : NULL,
    .wall_ns = wall_ns,
    .bound = bound,
    .n_verified = n_verified,
  };
  gboolean written = bn_results_end_run (cell->results, &end, error);
  if (written)
    {
      remark_on (cell, &totals, dump, l->invariants, outcome);
      outcome->n_runs++;
    }
  if (!written)
    {
      g_clear_error (&run_error);
      return FALSE;
    }
  if (run_error)
    {
      g_propagate_error (error, run_error);
      return FALSE;
    }
  return TRUE;
}

static gboolean
run_cell (const Cell *cell, BnExperimentOutcome *outcome, GError **error)
{
  const BnScenario *s = cell->scenario;
  BnMetricsConfig metrics_config = { s->platform, s->catalogue, cell->warmup_ns, s->least_load,
                                     s->record != BN_RECORD_SUMMARY, bn_scenario_is_real (s) };
  g_autofree char *title = g_strdup_printf ("%s, seed %" G_GUINT64_FORMAT, cell->variant->name, cell->seed);
  Listeners l = {
    .metrics = bn_metrics_new (&metrics_config),
    .invariants = bn_invariants_new (s->platform, s->catalogue),
    .progress = cell->options->progress ? bn_progress_new (title, expected_jobs (s)) : NULL,
    .verify = s->backend_settings.verify ? bn_verify_new () : NULL,
  };
  g_autofree char *quoted = g_shell_quote (cell->variant->source);
  g_autofree char *repeat = g_strdup_printf ("binnacle run %s --scheduler %s --seed %" G_GUINT64_FORMAT,
                                             cell->options->repeat_arguments, quoted, cell->seed);
  gboolean ok = run_measured (cell, &l, repeat, outcome, error);

  bn_progress_free (l.progress);
  bn_verify_free (l.verify);
  bn_invariants_free (l.invariants);
  bn_metrics_free (l.metrics);
  return ok;
}

gboolean
bn_experiment_run (const BnScenario *scenario, BnResults *results, const BnExperimentOptions *options,
                   BnExperimentOutcome *outcome, GError **error)
{
  gboolean ok = TRUE;
  gint64 step = options->variant_step > 0 ? options->variant_step : scenario->n_seeds;
  SeedBound *bounds = g_new0 (SeedBound, scenario->n_seeds);

  *outcome = (BnExperimentOutcome){ .remarks = g_ptr_array_new_with_free_func (g_free) };
  for (guint v = 0; v < scenario->n_variants && ok && !outcome->interrupted; v++)
    for (guint i = 0; i < scenario->n_seeds && ok && !outcome->interrupted; i++)
      {
        if (options->todo && options->todo[v] != '1')
          continue;
        Cell cell = { scenario, scenario->variants[v], scenario->seeds[i], options->runs_before + v * step + i + 1, 0,
                      &bounds[i], results, options };
        outcome->interrupted = bn_interrupt_came (options->interrupt);
        if (!outcome->interrupted)
          ok = bn_scenario_warmup (scenario, cell.seed, &cell.warmup_ns, error) && run_cell (&cell, outcome, error);
      }
  g_free (bounds);
  outcome->interrupted = outcome->interrupted || bn_interrupt_came (options->interrupt);
  return ok;
}

void
bn_experiment_outcome_clear (BnExperimentOutcome *outcome)
{
  g_clear_pointer (&outcome->remarks, g_ptr_array_unref);
}
