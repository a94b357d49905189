/* plot_axis.c: what keys and metrics are called on an axis, and values as numbers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plot_axis.h"

#include <string.h>

#include "scenario_keys.h"
#include "tally.h"
#include "units.h"

/* Names that say more than the key. */
static const struct
{
  const char *key, *title;
} titles[] = {
  { "servers.count", "servers" },
  { "servers.memory", "memory of a GPU" },
  { "servers.slots", "slots of a GPU" },
  { "workload.load", "offered load" },
  { "workload.rate", "arrivals" },
  { "workload.noise-cv", "coefficient of variation of the runtimes" },
  { "workload.profile-error", "greatest factor by which profiles are wrong" },
  { "options.load-staleness", "delay or interval of load rows" },
  { "options.cache-staleness", "delay or interval of cache rows" },
};

/* A text where there is no such key. */
static BnScenarioKey
key_of (const char *name)
{
  const char *last = strrchr (name, '.');
  g_autofree char *section = g_strndup (name, strcspn (name, "."));
  int number = last != NULL ? bn_scenario_find_key (section, last + 1) : -1;

  return number >= 0 ? bn_scenario_key ((uint32_t) number) : (BnScenarioKey) { .kind = BN_KEY_TEXT };
}

static const char *
unit_of (const char *key)
{
  BnScenarioKey k = key_of (key);

  switch (k.kind)
    {
    case BN_KEY_DURATION:
      return " [ms]";
    case BN_KEY_SIZE:
      return " [GB]";
    case BN_KEY_RATE:
      return " [GB/s]";
    case BN_KEY_FREQUENCY:
      return " [1/s]";
    case BN_KEY_OPTION:
      return k.choices == NULL ? " [ms]" : ""; /* what is no choice is a duration */
    default:
      return "";
    }
}

gsize
bn_axis_prefix (const char *text)
{
  const char *colon = strchr (text, ':');

  return colon != NULL ? (gsize) (colon + 1 - text) : 0;
}

gboolean
bn_axis_number (const char *key, const char *text, double *ret)
{
  int64_t integer = 0;
  double real = 0;
  gboolean ok;

  switch (key_of (key).kind)
    {
    case BN_KEY_OPTION:
      text += bn_axis_prefix (text);
      G_GNUC_FALLTHROUGH;
    case BN_KEY_DURATION:
      ok = bn_parse_duration (text, &integer, NULL);
      *ret = (double) integer / BN_NS_PER_MS;
      return ok;
    case BN_KEY_SIZE:
      ok = bn_parse_size (text, &integer, NULL);
      *ret = (double) integer / 1e9;
      return ok;
    case BN_KEY_RATE:
      ok = bn_parse_rate (text, &integer, NULL);
      *ret = (double) integer / 1e9;
      return ok;
    case BN_KEY_MULTIPLE:
      ok = bn_parse_multiple_ppm (text, &integer, NULL);
      *ret = (double) integer / BN_PPM_ONE;
      return ok;
    case BN_KEY_FREQUENCY:
      ok = bn_parse_frequency (text, &real, NULL);
      break;
    case BN_KEY_INTEGER:
    case BN_KEY_REAL:
      ok = bn_parse_real (text, &real, NULL);
      break;
    default:
      return FALSE;
    }
  *ret = real;
  return ok;
}

char *
bn_axis_title (const char *key)
{
  const char *title = key;

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (strcmp (titles[i].key, key) == 0)
      title = titles[i].title;
  return g_strconcat (title, unit_of (key), NULL);
}

/* slowdown_p99 is "p99 slowdown", queue_wait_mean "mean queue wait". */
char *
bn_axis_metric (const char *metric, gboolean with_unit)
{
  static const struct { const char *ending, *word; } statistics[] = {
    { "_mean", "mean " }, { "_max", "greatest " }, { "_p50", "median " }, { "_p95", "p95 " }, { "_p99", "p99 " },
  };
  g_autofree char *name = g_strdup (metric);
  const char *word = "", *unit = "1";

  for (guint i = 0; i < G_N_ELEMENTS (statistics); i++)
    if (g_str_has_suffix (name, statistics[i].ending))
      {
        name[strlen (name) - strlen (statistics[i].ending)] = '\0';
        word = statistics[i].word;
        break;
      }
  for (guint i = 0; i < bn_n_metric_infos; i++)
    if (strcmp (bn_metric_infos[i].name, metric) == 0)
      unit = bn_metric_infos[i].unit;
  g_strdelimit (name, "_", ' ');
  if (with_unit && strcmp (name, "slowdown") == 0)
    unit = "latency / lower bound";
  return with_unit && strcmp (unit, "1") != 0 ? g_strdup_printf ("%s%s [%s]", word, name, unit)
                                              : g_strconcat (word, name, NULL);
}
