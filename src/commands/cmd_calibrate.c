/* cmd_calibrate.c: binnacle calibrate: measures this machine for the model.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gio/gio.h>
#include <math.h>
#include <stdio.h>

#include "calibrate.h"
#include "cli.h"
#include "machine.h"
#include "output.h"
#include "report.h"

#define DEFAULT_SCENARIO "cpu-demo"
#define DEFAULT_REPEATS 7
#define MAX_REPEATS 1000

static const BnCliUsage usage = {
  .verb = "calibrate",
  .arguments = "[SCENARIO]",
  .summary = "Measures what operations of a real backend take on this machine, for a scenario's servers\n"
             "and catalogue at its scale (default: " DEFAULT_SCENARIO "): loads, evictions and transfers against\n"
             "size, every task alone, just loaded and beside others, and what the run's loop adds.\n"
             "Prints fits with their residuals, and writes a profile, for --profile.",
  .examples = "  binnacle calibrate --backend cpu -o profile.ini\n"
              "  binnacle calibrate my.ini --backend cpu --scale 0.002x --repeats 15 -o profile.ini",
};

static const BnColumn copy_columns[] = {
  { "what", "what", "", 0 },     { "bytes", "size", "B", 0 },    { "samples", "samples", "", 0 },
  { "median", "median", "us", 1 }, { "fit", "fit", "us", 1 },     { "residual", "residual", "%", 1 },
};

static const BnColumn task_columns[] = {
  { "task", "task", "", 0 },
  { "runtime", "runtime", "ms", 3 },
  { "cv", "spread", "%", 1 },
  { "cold", "just loaded", "ms", 3 },
  { "work", "the catalogue says", "ms", 3 },
};

static const BnColumn machine_columns[] = {
  { "what", "what", "", 0 },
  { "value", "value", "", 3 },
  { "unit", "unit", "", 0 },
};

typedef struct Options
{
  BnCliKeys keys;
  char *output, *catalogue;
  gint repeats;
  gboolean replace;
} Options;

static BnTable *
copies_table (const BnCalibration *c)
{
  BnTable *table = bn_table_new (copy_columns, G_N_ELEMENTS (copy_columns));

  for (guint i = 0; i < c->copies->len; i++)
    {
      const BnCalibratedCopy *copy = &g_array_index (c->copies, BnCalibratedCopy, i);
      double median = copy->point.median_ns;
      bn_table_text (table, copy->what);
      bn_table_integer (table, copy->point.bytes);
      bn_table_integer (table, copy->point.n);
      bn_table_real (table, median / 1e3);
      bn_table_real (table, copy->fitted_ns / 1e3);
      bn_table_real (table, median > 0 ? 100 * (copy->fitted_ns - median) / median : NAN);
    }
  return table;
}

static BnTable *
tasks_table (const BnCalibration *c, const BnCatalogue *catalogue)
{
  BnTable *table = bn_table_new (task_columns, G_N_ELEMENTS (task_columns));
  guint i = 0;

  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    for (uint32_t t = 0; t < catalogue->workflows[w].n_tasks; t++)
      {
        const BnProfileTask *task = g_ptr_array_index (c->profile->tasks, i++);
        bn_table_text (table, task->name);
        bn_table_real (table, (double) task->runtime_ns / 1e6);
        bn_table_real (table, 100 * task->cv);
        bn_table_real (table, (double) task->cold_ns / 1e6);
        bn_table_real (table, (double) catalogue->workflows[w].tasks[t].work_ns / 1e6);
      }
  return table;
}

static void
add_constant (BnTable *table, const char *what, double value, const char *unit)
{
  bn_table_text (table, what);
  bn_table_real (table, value);
  bn_table_text (table, unit);
}

static BnTable *
machine_table (const BnProfile *profile)
{
  BnTable *table = bn_table_new (machine_columns, G_N_ELEMENTS (machine_columns));
  const BnMeasured *m = &profile->machine;

  if (m->load.bytes_per_s > 0)
    add_constant (table, "rate of loads", (double) m->load.bytes_per_s / 1e9, "GB/s");
  else
    add_constant (table, "rate of loads", NAN, "none: all sizes took the same");
  for (uint32_t k = 1; k < m->n_speeds; k++)
    {
      g_autofree char *what = g_strdup_printf ("speed with %u at once", k + 1);
      add_constant (table, what, m->speeds[k], "of alone");
    }
  add_constant (table, "execution beside a load", m->run_beside_load, "of without");
  add_constant (table, "execution beside an eviction", m->run_beside_evict, "of without");
  add_constant (table, "load beside an execution", m->load_beside_run, "of without");
  add_constant (table, "eviction beside an execution", m->evict_beside_run, "of without");
  add_constant (table, "the run's own work an operation", (double) m->loop_ns / 1e3, "us");
  add_constant (table, "launch of a task", (double) profile->launch_ns / 1e3, "us");
  add_constant (table, "hearing of an end", (double) m->wake_ns / 1e3, "us");
  add_constant (table, "lateness of a timer", (double) profile->timer_ns / 1e3, "us");
  add_constant (table, "a decision", (double) profile->decision_ns / 1e3, "us");
  add_constant (table, "steal time meanwhile", 100 * profile->steal, "%");
  return table;
}

static gboolean
print_tables (const BnCalibration *c, const BnCatalogue *catalogue, GError **error)
{
  BnTable *tables[] = { copies_table (c), tasks_table (c, catalogue), machine_table (c->profile) };
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      if (ok && i > 0)
        putchar ('\n');
      ok = ok && bn_table_print (tables[i], BN_FORMAT_TEXT, stdout, error);
      bn_table_free (tables[i]);
    }
  return ok;
}

static gboolean
write_profile (const BnCalibration *c, const BnScenario *scenario, guint repeats, const char *path, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d %H:%M UTC"), *machine = bn_machine_describe ();
  g_autofree char *head = g_strdup_printf ("measured by binnacle calibrate on %s, %s,\n%s\n%u workers, catalogue and"
                                           " scale of %s, %u repeats", g_get_host_name (), date, machine,
                                           scenario->platform->n_workers, scenario->name, repeats);
  g_autofree char *remark = bn_profile_remark (c->profile);
  g_autofree char *all = remark != NULL ? g_strjoin ("\n", head, remark, NULL) : g_strdup (head);
  g_autofree char *text = bn_profile_format (c->profile, all);

  return bn_output_write (path, text, error);
}

static gboolean
check_options (const Options *o, GError **error)
{
  const char *wrong = o->output == NULL ? "give the profile to write with -o FILE"
                      : o->keys.backend == NULL ? "give the backend to measure with --backend cpu or cuda"
                      : o->repeats < 1 || o->repeats > MAX_REPEATS ? "--repeats: give 1 to 1000, as --repeats 7" : NULL;

  if (wrong == NULL)
    return bn_profile_may_write (o->output, o->replace, error);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "calibrate: %s", wrong);
  return FALSE;
}

static BnScenario *
read_scenario (const char *name, Options *o, GError **error)
{
  g_autofree char *path = bn_cli_scenario_file (name, error);
  g_auto (GStrv) given = bn_cli_overrides (&o->keys);
  GPtrArray *overrides = g_ptr_array_new_with_free_func (g_free);
  BnScenario *scenario = NULL;

  for (char **text = given; *text != NULL; text++)
    g_ptr_array_add (overrides, g_strdup (*text));
  if (o->catalogue != NULL)
    g_ptr_array_add (overrides, g_strconcat ("workload.catalogue=", o->catalogue, NULL));
  g_ptr_array_add (overrides, NULL);
  if (path != NULL)
    scenario = bn_scenario_read (path, (const char *const *) overrides->pdata, error);
  g_ptr_array_unref (overrides);
  if (scenario == NULL)
    return NULL;
  if (!bn_scenario_is_real (scenario))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "calibrate: backend %s takes as long as it is told; give one that really executes", o->keys.backend);
  else if (bn_scenario_backend_usable (scenario, error))
    return scenario;
  bn_scenario_free (scenario);
  return NULL;
}

static gboolean
calibrate (const char *name, Options *o, GError **error)
{
  BnScenario *scenario = check_options (o, error) ? read_scenario (name, o, error) : NULL;
  BnInterrupt *interrupt = bn_interrupt_new ();
  BnCalibration *c = scenario ? bn_calibrate (scenario, (guint) o->repeats, interrupt, error) : NULL;
  gboolean ok = c != NULL && print_tables (c, scenario->catalogue, error)
                && write_profile (c, scenario, (guint) o->repeats, o->output, error);

  bn_interrupt_free (interrupt);
  bn_calibration_free (c);
  bn_scenario_free (scenario);
  return ok;
}

/* Returns: the exit status. Takes the error. */
static int
fail (GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return bn_cli_fail (error);
  fputs ("binnacle: calibrate: interrupted; no profile was written\n", stderr);
  g_error_free (error);
  return BN_EXIT_FOUND;
}

int
bn_cmd_calibrate (int argc, char **argv)
{
  Options o = { .repeats = DEFAULT_REPEATS };
  GError *error = NULL;
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the profile to write", "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "replace an existing profile", NULL },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o.keys.backend, "what to measure: cpu or cuda", "NAME" },
    { "catalogue", 0, 0, G_OPTION_ARG_FILENAME, &o.catalogue, "measure the tasks of this one instead", "FILE" },
    { "scale", 0, 0, G_OPTION_ARG_STRING, &o.keys.scale, "multiply sizes, memory and runtimes, as 0.001x", "X" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key of the scenario; may be repeated",
      "SECTION.KEY=VALUE" },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &o.repeats, "how often everything is measured (default: 7)", "N" },
    { 0 },
  };

  if (bn_cli_parse (&usage, entries, 0, 1, &argc, &argv, &status)
      && !calibrate (argc > 1 ? argv[1] : DEFAULT_SCENARIO, &o, &error))
    status = fail (error);
  bn_cli_keys_clear (&o.keys);
  g_free (o.output);
  g_free (o.catalogue);
  return status;
}
