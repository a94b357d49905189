/* made_trace.c: the arrivals of a scenario as a trace: a file that brings the same jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "made_trace.h"

#include <string.h>

#include "cli.h"
#include "output.h"
#include "scenario_keys.h"
#include "textout.h"
#include "units.h"

/* Keys of [workload] that say what jobs are and not when which of them come, or that mean nothing beside a trace. */
static const char *const kept_keys[] = { "catalogue", "noise", "noise-cv", "profile-error", "noise-visible", "scale",
                                         "profile", "rate", "cv", "autocorrelation", "autocorr-decay", "on", "off",
                                         "shape-amplitude", "shape-period", "shape-phase", "spike-at", "spike-length",
                                         "spike-every", "spike-factor", NULL };

static gboolean
has_factor (const BnScenario *scenario)
{
  return scenario->arrivals.kind == BN_ARRIVALS_TRACE && scenario->arrivals.factor_rule != NULL;
}

static void
write_job (FILE *file, const BnScenario *scenario, const BnJobSpec *job, gboolean with_ingress)
{
  bn_write_exact_ms (file, job->create_ns);
  putc (',', file);
  bn_write_csv (file, scenario->catalogue->workflows[job->workflow].name);
  if (with_ingress)
    fprintf (file, ",%d", job->ingress);
  if (has_factor (scenario))
    {
      g_autofree char *factor = bn_format_real (bn_job_spec_factor (job));
      fprintf (file, ",%s", factor);
    }
  putc ('\n', file);
}

static void
write_header (FILE *file, const BnScenario *scenario, gboolean with_ingress)
{
  fprintf (file, "arrival_ms,workflow%s%s\n", with_ingress ? ",ingress" : "",
           has_factor (scenario) ? ",runtime_factor" : "");
}

/* Nothing is written before it is known that there is a job. */
static gboolean
write_jobs (FILE *file, BnArrivals *arrivals, const BnScenario *scenario, gboolean with_ingress, BnMadeTrace *made,
            GError **error)
{
  g_autofree gboolean *seen = g_new0 (gboolean, scenario->catalogue->n_workflows);
  BnArrivalsStatus status;
  BnJobSpec job;

  /* a disk that is full ends it: nobody waits for the rest */
  while ((status = bn_arrivals_next (arrivals, &job, error)) == BN_ARRIVALS_JOB && !ferror (file))
    {
      if (made->n_jobs++ == 0)
        {
          write_header (file, scenario, with_ingress);
          made->first_ns = job.create_ns;
        }
      write_job (file, scenario, &job, with_ingress);
      made->last_ns = job.create_ns;
      made->n_workflows += !seen[job.workflow];
      seen[job.workflow] = TRUE;
    }
  return status != BN_ARRIVALS_ERROR;
}

gboolean
bn_made_trace_write (const BnScenario *scenario, uint64_t seed, gboolean with_ingress, const char *path,
                     BnMadeTrace *ret, GError **error)
{
  BnArrivalsConfig config = scenario->arrivals;

  *ret = (BnMadeTrace) { 0 };
  config.seed = seed;
  BnArrivals *arrivals = bn_arrivals_new (&config, scenario->catalogue, error);
  BnOutput *out = arrivals != NULL ? bn_output_open (path, error) : NULL;
  gboolean ok = out != NULL && write_jobs (bn_output_file (out), arrivals, scenario, with_ingress, ret, error);
  if (ok)
    ok = bn_output_close (out, error);
  else
    bn_output_abandon (out);
  bn_arrivals_free (arrivals);
  return ok;
}

char *
bn_made_trace_counts (const BnMadeTrace *made)
{
  double span_s = (double) (made->last_ns - made->first_ns) / BN_NS_PER_S;
  g_autofree char *first = bn_format_duration (made->first_ns), *last = bn_format_duration (made->last_ns);
  double rate_per_s = (double) (made->n_jobs - 1) / span_s;
  g_autofree char *rate = span_s > 0 ? g_strdup_printf (", %.4g/s", rate_per_s) : g_strdup ("");

  return g_strdup_printf ("%" G_GINT64_FORMAT " job%s of %u workflow%s from %s to %s%s", made->n_jobs,
                          made->n_jobs == 1 ? "" : "s", made->n_workflows, made->n_workflows == 1 ? "" : "s", first,
                          last, rate);
}

/* What the canonical text says of a key of [workload], or NULL. Returns: (transfer full). */
static char *
value_in (const char *text, const char *key)
{
  g_autofree char *start = g_strdup_printf ("\nworkload.%s = ", key);
  const char *line = strstr (text, start);

  if (line == NULL)
    return NULL;
  line += strlen (start);
  return g_strndup (line, strcspn (line, "\n"));
}

static void
append_set (GString *text, const char *key, const char *value)
{
  g_autofree char *set = g_strdup_printf ("workload.%s=%s", key, value), *word = bn_cli_word (set);

  g_string_append_printf (text, " --set %s", word);
}

char *
bn_made_trace_overrides (const BnScenario *scenario, uint64_t seed, gboolean with_ingress, const char *path)
{
  /* else what stands before a colon is a format */
  gboolean is_like_a_format = strchr (path, ':') != NULL && !g_path_is_absolute (path);
  g_autofree char *file = g_strconcat (is_like_a_format ? "./" : "", path, NULL);
  const struct
  {
    const char *key, *value;
  } own[] = { { "arrivals", "trace" },
              { "trace", file },
              { "workflow-column", "workflow" },
              { "ingress-column", with_ingress ? "ingress" : "" },
              { "runtime-factor", has_factor (scenario) ? "runtime_factor" : "" } };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (*own[i].value != '\0')
      append_set (text, own[i].key, own[i].value);
  for (uint32_t k = 0; k < bn_scenario_n_keys (); k++)
    {
      BnScenarioKey key = bn_scenario_key (k);
      gboolean is_own = strcmp (key.section, "workload") != 0 || g_strv_contains (kept_keys, key.name);
      for (guint i = 0; i < G_N_ELEMENTS (own); i++)
        is_own = is_own || (strcmp (own[i].key, key.name) == 0 && *own[i].value != '\0');
      g_autofree char *value = is_own ? NULL : value_in (scenario->text, key.name);
      if (value != NULL && strcmp (value, key.usual) != 0)
        append_set (text, key.name, key.usual);
    }
  g_string_append_printf (text, " --seed %" G_GUINT64_FORMAT, (guint64) seed);
  return g_string_free (text, FALSE);
}
