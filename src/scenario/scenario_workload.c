/* scenario_workload.c: from settings to catalogue, arrivals and load.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "catalogue.h"
#include "cli.h"
#include "cost.h"
#include "keyfile.h"
#include "mix.h"
#include "scenario_parts.h"
#include "units.h"

/* in the order of the choices of time-unit */
static const BnDuration time_units_ns[]
    = { 1, BN_NS_PER_US, BN_NS_PER_MS, BN_NS_PER_S, 60 * BN_NS_PER_S, 3600 * BN_NS_PER_S };

/* A word, or NULL where the key is empty. */
static const char *
optional_text (const BnSettings *s, uint32_t key, GStringChunk *strings)
{
  const char *text = bn_settings_text (s, key, 0);
  return *text == '\0' ? NULL : g_string_chunk_insert (strings, text);
}

/* The default catalogue is the one beside the shipped scenarios: a scenario that
 * names none works in any folder. */
static void
use_installed_catalogue (const BnSettings *s, GPtrArray *paths)
{
  const char *name = bn_settings_text (s, BN_KEY_WORKLOAD_CATALOGUE, 0);

  if (paths->len != 1 || strcmp (name, "../catalogue/paper.ini") != 0
      || g_file_test (g_ptr_array_index (paths, 0), G_FILE_TEST_EXISTS))
    return;
  char *installed = bn_cli_data_file ("traces/catalogue/paper.ini", NULL);
  if (installed != NULL)
    {
      g_free (g_ptr_array_index (paths, 0));
      g_ptr_array_index (paths, 0) = installed;
    }
}

gboolean
bn_scenario_catalogue (const BnSettings *s, BnScenario *scenario, GChecksum *checksum, GError **error)
{
  int64_t largest = 0;
  /* as it stands there: models are not at the scenario's scale yet */
  for (uint32_t g = 0; g < bn_settings_n_groups (s); g++)
    largest = MAX (largest, bn_settings_integer (s, BN_KEY_SERVERS_MEMORY, g));
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  char **names = g_strsplit_set (bn_settings_text (s, BN_KEY_WORKLOAD_CATALOGUE, 0), " \t", -1);
  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0')
      g_ptr_array_add (paths, bn_settings_path (s, BN_KEY_WORKLOAD_CATALOGUE, names[i]));
  g_strfreev (names);
  use_installed_catalogue (s, paths);
  g_ptr_array_add (paths, NULL);
  gboolean ok = paths->len > 1
                || bn_settings_fail (s, BN_KEY_WORKLOAD_CATALOGUE, 0, error,
                                     "names no file; write ../catalogue/paper.ini, say");
  for (guint i = 0; i + 1 < paths->len && ok; i++)
    {
      BnKeyFile *file = bn_key_file_read (g_ptr_array_index (paths, i), error);
      ok = file != NULL;
      if (ok)
        g_checksum_update (checksum, (const guchar *) file->sha256, -1);
      bn_key_file_free (file);
    }
  if (ok)
    scenario->catalogue = bn_catalogue_read ((const char *const *) paths->pdata, largest, error);
  g_ptr_array_unref (paths);
  return ok && scenario->catalogue != NULL;
}

/* GPU time of one job on GPUs of a type: a mean over the mix. What a rule does to runtimes is
 * taken for the same in all workflows. */
static double
mean_work_s (const BnCost *cost, uint32_t type, const double *weights, double factor)
{
  const BnCatalogue *catalogue = cost->catalogue;
  double work = 0, sum = 0;
  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    {
      const BnWorkflow *workflow = &catalogue->workflows[i];
      const BnDuration *runtime_ns = cost->runtime_ns + (gsize) type * cost->n_tasks + workflow->first_task;
      double runtime_s = 0;
      for (uint32_t t = 0; t < workflow->n_tasks; t++)
        runtime_s += (double) runtime_ns[t] / BN_NS_PER_S;
      work += weights[i] * runtime_s;
      sum += weights[i];
    }
  return work / sum * factor;
}

/* How fast each is when all are busy, where that was measured. */
static double
speed_of_all (const BnProfile *profile, uint32_t n_slots)
{
  return profile == NULL ? 1 : profile->machine.speeds[MIN (n_slots, profile->machine.n_speeds) - 1];
}

gboolean
bn_scenario_is_specialised (const BnScenario *scenario)
{
  gboolean stated = FALSE;

  for (uint32_t m = 0; m < scenario->catalogue->n_models; m++)
    stated = stated || scenario->catalogue->models[m].n_stated > 0;
  return stated && scenario->platform->n_types > 1;
}

/* Mean over the mix of a job's runtimes, each where it is shortest. */
static double
least_work_s (const BnScenario *scenario, const BnCost *cost, const double *weights)
{
  const BnCatalogue *catalogue = scenario->catalogue;
  double work_ns = 0, sum = 0;

  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    {
      const BnWorkflow *wf = &catalogue->workflows[w];
      sum += weights[w];
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        {
          BnDuration least_ns = BN_TIME_NEVER;
          for (uint32_t g = 0; g < scenario->platform->n_types; g++)
            least_ns = MIN (least_ns, cost->runtime_ns[(uint64_t) g * cost->n_tasks + wf->first_task + t]);
          work_ns += weights[w] * (double) least_ns;
        }
    }
  return sum > 0 ? work_ns / sum / BN_NS_PER_S : 0;
}

/* Jobs a second that the cluster can execute: a type's slots over the work of a job
 * there, summed up; 0 where that is without bound, as a job is no work. */
static double
capacity_per_s (const BnScenario *scenario, const double *weights)
{
  const BnPlatform *platform = scenario->platform;
  BnCost *cost = bn_cost_new (platform, scenario->catalogue);
  double capacity = 0, factor = scenario->arrivals.kind == BN_ARRIVALS_TRACE ? scenario->trace.mean_factor : 1;
  uint32_t n_slots = 0;
  for (uint32_t i = 0; i < platform->n_types; i++)
    {
      double work_s = mean_work_s (cost, i, weights, factor);
      if (work_s <= 0)
        {
          bn_cost_free (cost);
          return 0;
        }
      capacity += (double) platform->types[i].n_workers * platform->types[i].slots / work_s;
      n_slots += platform->types[i].n_workers * platform->types[i].slots;
    }
  bn_cost_free (cost);
  return capacity * speed_of_all (scenario->profile, n_slots);
}

/* The most that any scheduler can: where tasks differ in which GPU suits them, one who knows it does more than
 * capacity_per_s, but never more than all slots over the least work. */
static double
greatest_capacity_per_s (const BnScenario *scenario, const double *weights)
{
  const BnPlatform *platform = scenario->platform;
  uint32_t n_slots = 0;

  if (!bn_scenario_is_specialised (scenario))
    return capacity_per_s (scenario, weights);
  for (uint32_t g = 0; g < platform->n_types; g++)
    n_slots += platform->types[g].n_workers * platform->types[g].slots;
  BnCost *cost = bn_cost_new (platform, scenario->catalogue);
  double work_s = least_work_s (scenario, cost, weights);
  bn_cost_free (cost);
  return work_s > 0 ? n_slots / work_s * speed_of_all (scenario->profile, n_slots) : 0;
}

/* Mean, of a rate that changes. */
static double
rate_per_s (const BnScenario *scenario)
{
  const BnTraceSummary *trace = &scenario->trace;
  if (scenario->arrivals.kind != BN_ARRIVALS_TRACE)
    return scenario->arrivals.rate_per_s * bn_rate_shape_mean (&scenario->arrivals.shape);
  double span_s = (double) (trace->last_ns - trace->first_ns) / BN_NS_PER_S;
  return span_s > 0 ? (double) (trace->n_rows - 1) / span_s : 0;
}

/* Reads the trace. A column of workflows takes the place of the mix, for the load. */
static gboolean
scan_trace (BnScenario *scenario, double *weights, GError **error)
{
  const BnCatalogue *catalogue = scenario->catalogue;
  int64_t *rows = g_new (int64_t, catalogue->n_workflows);
  gboolean ok = bn_arrivals_scan_trace (&scenario->arrivals, catalogue, &scenario->trace, rows, error);
  for (uint32_t i = 0; i < catalogue->n_workflows && ok && scenario->arrivals.workflow_column != NULL; i++)
    weights[i] = (double) rows[i];
  g_free (rows);
  return ok;
}

/* A trace that has been read becomes one for each seed; speed and scale of times do not
 * change how its gaps hang together. */
static gboolean
set_trace_block (const BnSettings *s, BnScenario *scenario, GError **error)
{
  BnArrivalsConfig *a = &scenario->arrivals;
  int64_t block = bn_settings_integer (s, BN_KEY_WORKLOAD_TRACE_BLOCK, 0);
  gboolean resample = bn_settings_integer (s, BN_KEY_WORKLOAD_TRACE_RESAMPLE, 0) != 0;

  if (a->kind != BN_ARRIVALS_TRACE || !resample)
    return TRUE;
  if (block == 0)
    return bn_arrivals_block_length (a, scenario->catalogue, &a->trace_block, error);
  a->trace_block = (double) block;
  return TRUE;
}

static void
set_offered_load (BnScenario *scenario, const double *weights)
{
  double capacity = capacity_per_s (scenario, weights), greatest = greatest_capacity_per_s (scenario, weights);
  scenario->offered_load = capacity > 0 ? rate_per_s (scenario) / capacity : 0;
  scenario->least_load = greatest > 0 ? rate_per_s (scenario) / greatest : 0;
}

/* The highest and the lowest that rate and time-scale may be. */
static gboolean
check_load (const BnSettings *s, double result, GError **error)
{
  return (result >= 1e-9 && result <= 1e9)
         || bn_settings_fail (s, BN_KEY_WORKLOAD_LOAD, 0, error,
                              "there is no rate that makes this load of these jobs; set rate instead");
}

BnTime
bn_scenario_slowed (const BnSettings *s, BnTime time_ns)
{
  double speed = bn_settings_real (s, BN_KEY_WORKLOAD_SPEED, 0);
  double slowed = (double) time_ns / speed;

  if (speed == 1 || time_ns == BN_TIME_NEVER)
    return time_ns;
  return slowed < (double) BN_TIME_NEVER ? bn_round_half_up (slowed) : BN_TIME_NEVER;
}

/* Jobs come so much faster; a load that was asked for is met at speed 1. */
static gboolean
set_speed (const BnSettings *s, BnScenario *scenario, double *weights, GError **error)
{
  BnArrivalsConfig *a = &scenario->arrivals;
  double speed = bn_settings_real (s, BN_KEY_WORKLOAD_SPEED, 0);

  if (speed == 1)
    return TRUE;
  a->rate_per_s *= speed;
  a->time_scale /= speed;
  a->on_ns = bn_scenario_slowed (s, a->on_ns);
  a->off_ns = bn_scenario_slowed (s, a->off_ns);
  a->shape.period_ns = bn_scenario_slowed (s, a->shape.period_ns);
  a->shape.at_ns = bn_scenario_slowed (s, a->shape.at_ns);
  a->shape.length_ns = bn_scenario_slowed (s, a->shape.length_ns);
  a->shape.every_ns = bn_scenario_slowed (s, a->shape.every_ns);
  a->until_ns = bn_scenario_slowed (s, a->until_ns);
  if (a->kind != BN_ARRIVALS_TRACE)
    return (a->rate_per_s >= 1e-12 && a->rate_per_s <= 1e12 && a->on_ns > 0 && a->off_ns > 0
            && a->shape.period_ns > 0 && a->shape.length_ns > 0 && a->shape.every_ns != a->shape.length_ns)
           || bn_settings_fail (s, BN_KEY_WORKLOAD_SPEED, 0, error,
                                "jobs would come at an absurd rate; check it and workload.rate");
  return scan_trace (scenario, weights, error);
}

/* The rate that makes the load asked for: the inverse of set_offered_load. */
static gboolean
set_rate_of_load (const BnSettings *s, BnScenario *scenario, const double *weights, GError **error)
{
  double load = bn_settings_real (s, BN_KEY_WORKLOAD_LOAD, 0);
  if (load <= 0)
    return TRUE;
  if (scenario->arrivals.kind != BN_ARRIVALS_TRACE)
    {
      scenario->arrivals.rate_per_s = load * capacity_per_s (scenario, weights)
                                      / bn_rate_shape_mean (&scenario->arrivals.shape);
      return check_load (s, scenario->arrivals.rate_per_s, error);
    }
  return scenario->arrivals.until_ns == BN_TIME_NEVER
         || bn_settings_fail (s, BN_KEY_WORKLOAD_LOAD, 0, error,
                              "of a trace is that of its first rows; remove until and set jobs, or set time-scale");
}

/* The scale of times that makes the load asked for, of a trace that has been read;
 * it is read again, as its times are others now. */
static gboolean
scale_trace_to_load (const BnSettings *s, BnScenario *scenario, double *weights, GError **error)
{
  double load = bn_settings_real (s, BN_KEY_WORKLOAD_LOAD, 0), capacity;
  if (load <= 0)
    return TRUE;
  capacity = capacity_per_s (scenario, weights);
  scenario->arrivals.time_scale = capacity > 0 ? rate_per_s (scenario) / capacity / load : 0;
  return check_load (s, scenario->arrivals.time_scale, error) && scan_trace (scenario, weights, error);
}

static gboolean
check_arrivals (const BnSettings *s, const BnArrivalsConfig *a, GError **error)
{
  if (a->kind == BN_ARRIVALS_TRACE)
    return a->trace_path != NULL
           || bn_settings_fail (s, BN_KEY_WORKLOAD_TRACE, 0, error, "names no file; give the CSV of the arrivals");
  if (a->max_jobs == INT64_MAX && a->until_ns == BN_TIME_NEVER)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_JOBS, 0, error,
                             "arrivals would never end; set jobs = 1000, say, or until = 10min");
  /* else a generator could look for the next job for ever */
  double per_cycle = a->rate_per_s * ((double) a->on_ns + (double) a->off_ns) / BN_NS_PER_S;
  if (a->kind == BN_ARRIVALS_ONOFF && per_cycle < 1e-3)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_ON, 0, error,
                             "less than one job in 1000 bursts; make on and off longer or the rate higher");
  return TRUE;
}

gboolean
bn_scenario_workload (const BnSettings *s, BnScenario *scenario, GStringChunk *strings, double **weights,
                      GError **error)
{
  BnArrivalsConfig *a = &scenario->arrivals;
  int64_t jobs = bn_settings_integer (s, BN_KEY_WORKLOAD_JOBS, 0);
  BnTime until = bn_settings_integer (s, BN_KEY_WORKLOAD_UNTIL, 0);
  const char *trace = bn_settings_text (s, BN_KEY_WORKLOAD_TRACE, 0);
  *weights = bn_mix_read (bn_settings_text (s, BN_KEY_WORKLOAD_MIX, 0), scenario->catalogue, error);
  if (*weights == NULL)
    return bn_settings_prefix (s, BN_KEY_WORKLOAD_MIX, error);
  *a = (BnArrivalsConfig) {
    .kind = (BnArrivalsKind) bn_settings_integer (s, BN_KEY_WORKLOAD_ARRIVALS, 0),
    .rate_per_s = bn_settings_real (s, BN_KEY_WORKLOAD_RATE, 0),
    .cv = bn_settings_real (s, BN_KEY_WORKLOAD_CV, 0),
    .on_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_ON, 0),
    .off_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_OFF, 0),
    .time_column = g_string_chunk_insert (strings, bn_settings_text (s, BN_KEY_WORKLOAD_TIME_COLUMN, 0)),
    .time_unit_ns = time_units_ns[bn_settings_integer (s, BN_KEY_WORKLOAD_TIME_UNIT, 0)],
    .workflow_column = optional_text (s, BN_KEY_WORKLOAD_WORKFLOW_COLUMN, strings),
    .workflow_rules = optional_text (s, BN_KEY_WORKLOAD_WORKFLOW_MAP, strings),
    .factor_rule = optional_text (s, BN_KEY_WORKLOAD_RUNTIME_FACTOR, strings),
    .ingress_column = optional_text (s, BN_KEY_WORKLOAD_INGRESS_COLUMN, strings),
    .trace_map = optional_text (s, BN_KEY_WORKLOAD_TRACE_MAP, strings),
    .trace_sort = bn_settings_integer (s, BN_KEY_WORKLOAD_TRACE_SORT, 0) != 0,
    .time_scale = bn_settings_real (s, BN_KEY_WORKLOAD_TIME_SCALE, 0),
    .weights = *weights,
    .max_jobs = jobs == 0 ? INT64_MAX : jobs,
    .until_ns = until == 0 ? BN_TIME_NEVER : until,
    .n_workers = scenario->platform->n_workers,
    .seed = 1,
  };
  if (!bn_scenario_shape (s, scenario, error))
    return FALSE;
  if (*trace != '\0' && !bn_scenario_trace_file (s, trace, scenario, strings, error))
    return FALSE;
  /* real runtimes are what they are */
  scenario->noise_unused = bn_scenario_is_real (scenario)
                           && (bn_settings_given (s, BN_KEY_WORKLOAD_NOISE) != BN_GIVEN_BY_NOBODY
                               || bn_settings_given (s, BN_KEY_WORKLOAD_PROFILE_ERROR) != BN_GIVEN_BY_NOBODY);
  scenario->noise = bn_scenario_is_real (scenario) ? (BnNoise) { .profile_error = 1 } : (BnNoise) {
    .kind = (BnNoiseKind) bn_settings_integer (s, BN_KEY_WORKLOAD_NOISE, 0),
    .cv = bn_settings_real (s, BN_KEY_WORKLOAD_NOISE_CV, 0),
    .visible = bn_settings_integer (s, BN_KEY_WORKLOAD_NOISE_VISIBLE, 0) != 0,
    .profile_error = bn_settings_real (s, BN_KEY_WORKLOAD_PROFILE_ERROR, 0),
    .task_cv = scenario->fit.cv,
  };
  if (!set_rate_of_load (s, scenario, *weights, error) || !check_arrivals (s, a, error))
    return FALSE;
  if (a->kind == BN_ARRIVALS_TRACE
      && (!scan_trace (scenario, *weights, error) || !scale_trace_to_load (s, scenario, *weights, error)))
    return FALSE;
  if (!set_trace_block (s, scenario, error) || !set_speed (s, scenario, *weights, error))
    return FALSE;
  set_offered_load (scenario, *weights);
  return TRUE;
}
