/* calibrate.c: measures what a real backend takes on this machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "calibrate.h"

#include <string.h>

#include "calibrate_parts.h"
#include "catalogue.h"
#include "machine.h"

/* More workers than this at once are not told apart. */
#define MAX_BUSY 16

/* Of an operation that another one goes on beside, for it to tell of how that slows it down. */
#define LEAST_OVERLAP 0.25

static GArray *
new_samples (void)
{
  return g_array_new (FALSE, FALSE, sizeof (double));
}

static GArray **
new_table (guint n)
{
  GArray **table = g_new (GArray *, n);

  for (guint i = 0; i < n; i++)
    table[i] = new_samples ();
  return table;
}

static void
free_table (GArray **table, guint n)
{
  for (guint i = 0; i < n; i++)
    g_array_unref (table[i]);
  g_free (table);
}

static void
clear_copy (gpointer data)
{
  g_array_unref (((BnCopySamples *) data)->samples);
}

static void
samples_init (BnSamples *s, const BnScenario *scenario, const uint32_t *workers, guint n_workers)
{
  guint n = scenario->catalogue->n_tasks;

  *s = (BnSamples) { .scenario = scenario, .workers = workers, .n_workers = n_workers,
                     .copies = g_array_new (FALSE, FALSE, sizeof (BnCopySamples)),
                     .launches = new_samples (), .warm = new_table (n), .cold = new_table (n),
                     .beside = g_array_new (FALSE, FALSE, sizeof (BnBesideCopy)),
                     .n_busy = MIN (n_workers, MAX_BUSY) - 1 };
  g_array_set_clear_func (s->copies, clear_copy);
  s->busy = g_new (GArray **, s->n_busy + 1);
  for (guint k = 0; k < s->n_busy; k++)
    s->busy[k] = new_table (n);
}

static void
samples_clear (BnSamples *s)
{
  guint n = s->scenario->catalogue->n_tasks;

  g_array_unref (s->copies);
  g_array_unref (s->launches);
  g_array_unref (s->beside);
  free_table (s->warm, n);
  free_table (s->cold, n);
  for (guint k = 0; k < s->n_busy; k++)
    free_table (s->busy[k], n);
  g_free (s->busy);
}

void
bn_samples_add_copy (BnSamples *samples, const char *what, const BnOp *op)
{
  double took_ns = (double) bn_testbed_took (op);
  BnCopySamples fresh = { what, op->bytes, NULL };

  for (guint i = 0; i < samples->copies->len; i++)
    {
      BnCopySamples *c = &g_array_index (samples->copies, BnCopySamples, i);
      if (c->bytes == op->bytes && strcmp (c->what, what) == 0)
        {
          g_array_append_val (c->samples, took_ns);
          return;
        }
    }
  fresh.samples = new_samples ();
  g_array_append_val (fresh.samples, took_ns);
  g_array_append_val (samples->copies, fresh);
}

/* ---- what follows from the samples ---- */

static int
compare_copies (gconstpointer a, gconstpointer b)
{
  const BnCalibratedCopy *x = a, *y = b;
  int by_kind = strcmp (y->what, x->what);

  return by_kind != 0 ? by_kind : (x->point.bytes > y->point.bytes) - (x->point.bytes < y->point.bytes);
}

static void
fit_kind (GArray *copies, const char *what, BnMeasuredCopy *ret)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (BnFitPoint));

  for (guint i = 0; i < copies->len; i++)
    if (strcmp (g_array_index (copies, BnCalibratedCopy, i).what, what) == 0)
      g_array_append_val (points, g_array_index (copies, BnCalibratedCopy, i).point);
  if (points->len > 0)
    *ret = bn_fit_copy ((const BnFitPoint *) (const void *) points->data, points->len);
  for (guint i = 0; i < copies->len; i++)
    {
      BnCalibratedCopy *c = &g_array_index (copies, BnCalibratedCopy, i);
      if (strcmp (c->what, what) == 0)
        c->fitted_ns = (double) bn_measured_copy (ret, c->point.bytes);
    }
  g_array_unref (points);
}

static void
fit_copies (BnCalibration *c, const BnSamples *samples)
{
  BnMeasured *machine = &c->profile->machine;

  for (guint i = 0; i < samples->copies->len; i++)
    {
      const BnCopySamples *s = &g_array_index (samples->copies, BnCopySamples, i);
      BnCalibratedCopy copy = { s->what, { s->bytes, s->samples->len, bn_fit_median (s->samples) }, 0 };
      g_array_append_val (c->copies, copy);
    }
  g_array_sort (c->copies, compare_copies);
  fit_kind (c->copies, "load", &machine->load);
  fit_kind (c->copies, "evict", &machine->evict);
  fit_kind (c->copies, "transfer", &machine->transfer);
}

static void
fit_tasks (BnCalibration *c, const BnSamples *samples)
{
  const BnCatalogue *catalogue = samples->scenario->catalogue;

  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    for (uint32_t t = 0; t < catalogue->workflows[w].n_tasks; t++)
      {
        uint32_t i = catalogue->workflows[w].first_task + t;
        BnProfileTask *task = g_new0 (BnProfileTask, 1);
        task->name = g_strconcat (catalogue->workflows[w].name, "/", catalogue->workflows[w].tasks[t].label, NULL);
        task->runtime_ns = bn_round_half_up (bn_fit_median (samples->warm[i]));
        /* of tasks that take next to no time one late sample can be a thousand times the median */
        task->cv = MIN (bn_fit_spread (samples->warm[i]), BN_PROFILE_MAX_CV);
        /* one that has no model, or always met it, is never cold */
        task->cold_ns = samples->cold[i]->len > 0 ? bn_round_half_up (bn_fit_median (samples->cold[i]))
                                                  : task->runtime_ns;
        g_ptr_array_add (c->profile->tasks, task);
      }
}

/* How much slower all tasks together are with k + 2 workers busy; never faster than with fewer. */
static void
fit_speeds (BnMeasured *machine, const BnSamples *samples)
{
  guint n = samples->scenario->catalogue->n_tasks;

  machine->speeds[0] = 1;
  machine->n_speeds = 1;
  for (guint k = 0; k < samples->n_busy; k++)
    {
      double alone = 0, beside = 0;
      for (guint i = 0; i < n; i++)
        {
          alone += bn_fit_median (samples->warm[i]);
          beside += bn_fit_median (samples->busy[k][i]);
        }
      double speed = beside > 0 ? alone / beside : 1;
      machine->speeds[machine->n_speeds] = CLAMP (speed, 0.001, machine->speeds[machine->n_speeds - 1]);
      machine->n_speeds++;
    }
}

/* How fast one operation, which took `took_ns` in place of `alone_ns`, went while the other one, which
 * began with it and took `other_ns`, was under way: what it lost, it lost then. */
static double
speed_beside (double took_ns, double alone_ns, double other_ns)
{
  double overlap_ns = MIN (took_ns, other_ns);

  return (overlap_ns - (took_ns - alone_ns)) / overlap_ns;
}

static double
median_speed (GArray *speeds)
{
  double speed = speeds->len > 0 ? CLAMP (bn_fit_median (speeds), 0.001, 1) : 1;

  g_array_unref (speeds);
  return speed;
}

/* An execution and a copy beside each other, both ways. The median of samples in which they take a good
 * part of each other's time: else what is lost is hardly more than noise. */
static void
fit_beside (const BnMeasured *machine, const BnSamples *samples, gboolean load, double *run, double *copy)
{
  const BnMeasuredCopy *line = load ? &machine->load : &machine->evict;
  GArray *runs = new_samples (), *copies = new_samples ();

  for (guint i = 0; i < samples->beside->len; i++)
    {
      const BnBesideCopy *b = &g_array_index (samples->beside, BnBesideCopy, i);
      double run_ns = bn_fit_median (samples->warm[b->task]), copy_ns = (double) bn_measured_copy (line, b->bytes);
      double overlap_ns = MIN (b->run_ns, b->copy_ns);
      double run_speed = speed_beside (b->run_ns, run_ns, b->copy_ns);
      double copy_speed = speed_beside (b->copy_ns, copy_ns, b->run_ns);
      if (b->load == load && overlap_ns >= LEAST_OVERLAP * run_ns)
        g_array_append_val (runs, run_speed);
      if (b->load == load && overlap_ns >= LEAST_OVERLAP * copy_ns)
        g_array_append_val (copies, copy_speed);
    }
  *run = median_speed (runs);
  *copy = median_speed (copies);
}

static BnCalibration *
calibration_of (BnSamples *samples, double steal)
{
  BnCalibration *c = g_new0 (BnCalibration, 1);
  BnProfile *profile = c->profile = bn_profile_new (samples->scenario->backend->name, samples->scenario->scale_ppm);
  BnMeasured *machine = &profile->machine;

  c->copies = g_array_new (FALSE, FALSE, sizeof (BnCalibratedCopy));
  fit_copies (c, samples);
  fit_tasks (c, samples);
  fit_speeds (machine, samples);
  fit_beside (machine, samples, TRUE, &machine->run_beside_load, &machine->load_beside_run);
  fit_beside (machine, samples, FALSE, &machine->run_beside_evict, &machine->evict_beside_run);
  machine->wake_ns = samples->wake_ns;
  machine->n_processors = g_get_num_processors ();
  machine->loop_ns = samples->loop_ns;
  profile->launch_ns = bn_round_half_up (bn_fit_median (samples->launches));
  profile->timer_ns = samples->timer_ns;
  profile->decision_ns = samples->decision_ns;
  profile->steal = MAX (steal, 0);
  return c;
}

/* ---- the rounds ---- */

typedef gboolean (*MeasureRounds) (BnSamples *samples, BnTestbed *testbed, guint repeats, GError **error);

static gboolean
rounds_of (BnSamples *samples, const BnCatalogue *catalogue, MeasureRounds measure, guint repeats, GError **error)
{
  BnTestbed *testbed = bn_testbed_open (samples->scenario, catalogue, samples->interrupt, error);
  gboolean ok = testbed != NULL && measure (samples, testbed, repeats, error);

  bn_testbed_close (testbed);
  return ok;
}

/* Copies, tasks twice, copies twice and so on: what went last goes first in the next repeat, as to open a
 * backend takes its time, and two at once take twice the memory. */
static gboolean
measure_in_turn (BnSamples *samples, guint repeats, GError **error)
{
  BnCatalogue *copies = bn_copies_catalogue (samples->scenario);
  guint copies_left = repeats, tasks_left = repeats;
  gboolean ok = TRUE;

  for (guint n = 1; ok && tasks_left + copies_left > 0; n = 2)
    {
      guint n_copies = MIN (n, copies_left), n_tasks = MIN (2, tasks_left);
      ok = (n_copies == 0 || rounds_of (samples, copies, bn_measure_copies, n_copies, error))
           && (n_tasks == 0 || rounds_of (samples, samples->scenario->catalogue, bn_measure_tasks, n_tasks, error));
      copies_left -= n_copies;
      tasks_left -= n_tasks;
    }
  bn_catalogue_free (copies);
  return ok;
}

/* So much between jobs that the cluster is half busy. */
static BnDuration
gap_between_jobs (const BnSamples *samples)
{
  const BnScenario *s = samples->scenario;
  double work_ns = 0;

  for (uint32_t i = 0; i < s->catalogue->n_tasks; i++)
    work_ns += bn_fit_median (samples->warm[i]);
  return 1 + bn_round_half_up (2 * work_ns / s->catalogue->n_workflows / s->platform->n_workers);
}

/* Those on which the largest model fits, and with it every other: a scenario that can be read has one.
 * Returns: how many. */
static guint
workers_with_room (const BnScenario *s, uint32_t *ret)
{
  int64_t largest_bytes = bn_largest_model (s->catalogue);
  guint n = 0;

  for (uint32_t w = 0; w < s->platform->n_workers; w++)
    if (bn_platform_gpu (s->platform, w)->memory_bytes >= largest_bytes)
      ret[n++] = w;
  g_assert (n > 0);
  return n;
}

BnCalibration *
bn_calibrate (const BnScenario *scenario, guint repeats, BnInterrupt *interrupt, GError **error)
{
  BnMachineTimes before = bn_machine_times ();
  BnCalibration *c = NULL;
  BnSamples samples;
  g_autofree uint32_t *workers = g_new (uint32_t, scenario->platform->n_workers);

  samples_init (&samples, scenario, workers, workers_with_room (scenario, workers));
  samples.interrupt = interrupt;
  if (measure_in_turn (&samples, repeats, error)
      && bn_measure_loop (&samples, gap_between_jobs (&samples), error))
    c = calibration_of (&samples, bn_machine_steal (before, bn_machine_times ()));
  samples_clear (&samples);
  return c;
}

void
bn_calibration_free (BnCalibration *calibration)
{
  if (calibration == NULL)
    return;
  bn_profile_free (calibration->profile);
  g_array_unref (calibration->copies);
  g_free (calibration);
}
