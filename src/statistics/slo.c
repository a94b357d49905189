/* slo.c: a promise as a person writes it: `p99(latency) <= 1.5s`.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "slo.h"

#include <string.h>

#include "cost.h"
#include "tally.h"
#include "units.h"

#define MISS "deadline_miss"

static const char *const statistics[] = { "mean", "p50", "p95", "p99", "max", NULL };
static const char *const quantities[] = { "latency", "slowdown", NULL };

static int
find_metric (const char *name)
{
  for (guint i = 0; i < bn_n_metric_infos; i++)
    if (strcmp (bn_metric_infos[i].name, name) == 0)
      return (int) i;
  return -1;
}

/* ---- reading ---- */

static gboolean
fail_unknown (const char *name, BnPlace place, GError **error)
{
  g_autofree const char **known = g_new0 (const char *, bn_n_metric_infos + 2);

  for (guint i = 0; i < bn_n_metric_infos; i++)
    known[i] = bn_metric_infos[i].name;
  known[bn_n_metric_infos] = MISS;
  g_autofree char *quoted = bn_quote (name), *hint = bn_input_hint (name, known);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                        "%s is not a metric%s; write p50, p95, p99, max or mean of (latency) or (slowdown), " MISS
                        " or a name of binnacle list metrics", quoted, hint);
}

/* `p99(latency)` to `latency_p99`, with what is wrong with it. Returns: (transfer full). */
static char *
metric_of_call (const char *name, BnPlace place, GError **error)
{
  const char *open = strchr (name, '(');
  g_autofree char *statistic = g_strchomp (g_strndup (name, (gsize) (open - name)));
  g_autofree char *quantity = g_strstrip (g_strndup (open + 1, strcspn (open + 1, ")")));

  if (!g_str_has_suffix (name, ")"))
    bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "'%s' lacks its closing bracket; write p99(latency)", name);
  else if (!g_strv_contains (quantities, quantity))
    {
      g_autofree char *hint = bn_input_hint (quantity, quantities);
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' is neither latency nor slowdown%s; write"
                     " p99(latency), or the name of another metric without brackets", quantity, hint);
    }
  else if (!g_strv_contains (statistics, statistic))
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' is not one of mean, p50, p95, p99 and max; write"
                   " p99(%s)", statistic, quantity);
  else
    return g_strconcat (quantity, "_", statistic, NULL);
  return NULL;
}

/* Finds what `name` means. */
static gboolean
read_name (BnSlo *slo, const char *name, BnPlace place, GError **error)
{
  g_autofree char *metric = NULL;

  slo->inverted = strcmp (name, MISS) == 0;
  if (strchr (name, '(') != NULL)
    metric = metric_of_call (name, place, error);
  else
    metric = g_strdup (slo->inverted ? "deadline_met" : name);
  if (metric == NULL)
    return FALSE;
  int found = find_metric (metric);
  if (found < 0)
    return fail_unknown (name, place, error);
  slo->metric = (guint) found;
  slo->name = g_strdup (name);
  if (bn_metric_infos[found].about != BN_ABOUT_REAL)
    return TRUE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s is measured where tasks are really executed, and a"
                        " plan simulates; promise something else", name);
}

/* A number, with `unit` behind it or not. */
static gboolean
read_plain (const char *text, const char *unit, double *ret, GError **error)
{
  g_autofree char *number = g_strdup (text);

  if (*unit != '\0' && strcmp (unit, "1") != 0 && g_str_has_suffix (number, unit))
    number[strlen (number) - strlen (unit)] = '\0';
  return bn_parse_real (g_strstrip (number), ret, error);
}

/* In the unit of metrics, e.g. milliseconds. */
static gboolean
read_value (const char *text, const char *unit, double *ret, GError **error)
{
  int64_t integer;
  gboolean ok;

  if (strcmp (unit, "ms") == 0 || strcmp (unit, "s") == 0)
    {
      ok = bn_parse_duration (text, &integer, error);
      *ret = ok ? (double) integer / (*unit == 'm' ? BN_NS_PER_MS : BN_NS_PER_S) : 0;
      return ok;
    }
  if (strcmp (unit, "B") == 0)
    {
      ok = bn_parse_size (text, &integer, error);
      *ret = ok ? (double) integer : 0;
      return ok;
    }
  if (strcmp (unit, "jobs/s") == 0 && g_str_has_suffix (text, "/s") && !g_str_has_suffix (text, "jobs/s"))
    return bn_parse_frequency (text, ret, error);
  if (strcmp (unit, "1") != 0 || !g_str_has_suffix (text, "%"))
    return read_plain (text, unit, ret, error);
  ok = read_plain (text, "%", ret, error);
  *ret /= 100;
  return ok;
}

/* Shares of something: between 0 and 1. */
static gboolean
is_share (const BnSlo *slo)
{
  const BnMetricInfo *info = &bn_metric_infos[slo->metric];

  return strcmp (info->unit, "1") == 0 && !g_str_has_prefix (info->name, "slowdown")
         && strcmp (info->name, "link") != 0;
}

static gboolean
check_value (const BnSlo *slo, BnPlace place, GError **error)
{
  double limit = slo->limit.limit;
  gboolean negative = g_str_has_prefix (bn_metric_infos[slo->metric].name, "backlog_slope");

  if (limit < 0 && !negative)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: nothing negative can be promised of it",
                          slo->text);
  if (limit == 0 && slo->limit.strict && !slo->limit.at_least && !negative)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: it is never below 0", slo->text);
  if (is_share (slo) && (limit > 1 || (limit == 1 && slo->limit.strict && slo->limit.at_least)))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: it is a share, never above 1; write 0.95 or 95%%",
                          slo->text);
  return TRUE;
}

static gboolean
read_sides (const char *text, BnPlace place, BnSlo *slo, GError **error)
{
  const char *sign = strpbrk (text, "<>");
  GError *wrong = NULL;

  if (sign == NULL || !g_utf8_validate (text, -1, NULL))
    {
      g_autofree char *quoted = bn_quote (text);
      return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "%s is not a promise; write p99(latency) <= 1.5s, or"
                            " hit_rate >= 95%%", quoted);
    }
  gboolean equal = sign[1] == '=';
  g_autofree char *name = g_strstrip (g_strndup (text, (gsize) (sign - text)));
  g_autofree char *value = g_strstrip (g_strdup (sign + 1 + equal));
  slo->limit.at_least = *sign == '>';
  slo->limit.strict = !equal;
  slo->text = g_strdup_printf ("%s %c%s %s", name, *sign, equal ? "=" : "", value);
  if (!read_name (slo, name, place, error))
    return FALSE;
  if (!read_value (value, bn_metric_infos[slo->metric].unit, &slo->limit.limit, &wrong))
    {
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: %s", slo->text, wrong->message);
      g_error_free (wrong);
      return FALSE;
    }
  return check_value (slo, place, error);
}

gboolean
bn_slo_parse (const char *text, BnPlace place, BnSlo *ret, GError **error)
{
  *ret = (BnSlo) { 0 };
  if (read_sides (text, place, ret, error))
    return TRUE;
  bn_slo_clear (ret);
  return FALSE;
}

void
bn_slo_clear (BnSlo *slo)
{
  g_clear_pointer (&slo->text, g_free);
  g_clear_pointer (&slo->name, g_free);
}

double
bn_slo_value (const BnSlo *slo, double metric)
{
  return slo->inverted ? 1 - metric : metric;
}

/* ---- what is possible ---- */

/* Whether jobs of it may come. */
static double
weight_of (const BnScenario *scenario, guint workflow)
{
  return scenario->arrivals.workflow_column != NULL ? 1 : scenario->arrivals.weights[workflow];
}

static gboolean
has_deadline (const BnScenario *scenario)
{
  for (guint w = 0; w < scenario->catalogue->n_workflows; w++)
    if (weight_of (scenario, w) > 0 && scenario->catalogue->workflows[w].deadline_kind != BN_DEADLINE_NONE)
      return TRUE;
  return FALSE;
}

/* Lower bounds of the workflows that may come: the least, and their mean over the mix where
 * that is known. */
static void
bounds_of (const BnScenario *scenario, double *least_ns, double *mean_ns)
{
  BnCost *cost = bn_cost_new (scenario->platform, scenario->catalogue);
  double sum = 0, weights = 0;

  *least_ns = G_MAXDOUBLE;
  for (guint w = 0; w < scenario->catalogue->n_workflows; w++)
    {
      double weight = weight_of (scenario, w), bound = (double) cost->lower_bound_ns[w];
      if (weight <= 0)
        continue;
      *least_ns = MIN (*least_ns, bound);
      sum += weight * bound;
      weights += weight;
    }
  *mean_ns = scenario->arrivals.workflow_column != NULL ? *least_ns : sum / weights;
  bn_cost_free (cost);
}

/* What the expectation over seeds cannot be below. That of a critical path is at least the
 * path's length at mean runtimes (Jensen's inequality), so noise changes nothing about means. */
static double
least_value (const BnSlo *slo, const BnScenario *scenario)
{
  const char *name = bn_metric_infos[slo->metric].name;
  gboolean latency = g_str_has_prefix (name, "latency_"), of_mean = g_str_has_suffix (name, "_mean")
                                                                    || g_str_has_suffix (name, "_max");
  gboolean noisy = scenario->noise.kind != BN_NOISE_CONSTANT || scenario->noise.task_cv != NULL;
  double least_ns, mean_ns;

  if ((!latency && !g_str_has_prefix (name, "slowdown_")) || scenario->noise.profile_error > 1
      || (noisy && !of_mean))
    return 0;
  bounds_of (scenario, &least_ns, &mean_ns);
  if (!latency)
    return least_ns > 0 ? 1 : 0;
  return (of_mean ? mean_ns : least_ns) / BN_NS_PER_MS;
}

gboolean
bn_slo_check_possible (const BnSlo *slo, const BnScenario *scenario, BnPlace place, GError **error)
{
  const BnMetricInfo *info = &bn_metric_infos[slo->metric];
  double least;

  if ((g_str_has_prefix (info->name, "deadline_") || strcmp (info->name, "goodput") == 0) && !has_deadline (scenario))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "%s: no workflow has a deadline; give them one in the catalogue", slo->text);
  least = slo->limit.at_least ? 0 : least_value (slo, scenario);
  if (slo->limit.limit >= least)
    return TRUE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                        "%s: no number of servers can keep this: it is at least %.4g%s, even if every job is alone on idle"
                        " servers (doc/bounds.md)", slo->text, least, *info->unit == '1' ? "" : " ms");
}
