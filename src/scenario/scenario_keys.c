/* scenario_keys.c: every key a scenario may have, in one table.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_keys.h"

#include <string.h>

#include "backend.h"
#include "input_error.h"
#include "platform_build.h"
#include "scenario.h"
#include "units.h"
#include "variant.h"

/* Beyond these a number is a slip: ten years, 1000 TB, and so on. */
#define MAX_NS (3650 * 86400e9)
#define MAX_BYTES 1e15
/* What bn_cost_network can compute exactly. */
#define MAX_RAMP_BYTES 1e6
#define MAX_RAMP_PER_KB 1e12
#define MIN_FACTOR 1e-3
#define MAX_FACTOR 1e3

/* in the order of the enumerations that they name */
static const char *const record_choices[] = { "summary", "jobs", "tasks", NULL };
static const char *const arrivals_choices[] = { "poisson", "uniform", "gamma", "correlated", "onoff", "trace", NULL };
static const char *const shape_choices[] = { "flat", "diurnal", "spike", NULL };
static const char *const noise_choices[] = { "constant", "exponential", "lognormal", "gamma", NULL };
static const char *const switch_choices[] = { "on", "off", NULL };
/* `blocks` is 1: see scenario_workload.c */
static const char *const resample_choices[] = { "none", "blocks", NULL };
/* in the order of time_units_ns in scenario_workload.c */
static const char *const time_unit_choices[] = { "ns", "us", "ms", "s", "min", "h", NULL };

const char *const bn_scenario_sections[]
    = { "scenario", "schedulers", "servers", "network", "workload", "backend", "options", NULL };

#define COUNT(low, high) BN_KEY_INTEGER, .min = low, .max = high
#define DURATION(low) BN_KEY_DURATION, .min = low, .max = MAX_NS
#define SIZE(low) BN_KEY_SIZE, .min = low, .max = MAX_BYTES
#define RATE BN_KEY_RATE, .min = 1, .max = MAX_BYTES
#define REAL(low, high) BN_KEY_REAL, .min = low, .max = high

static const BnScenarioKey keys[] = {
  [BN_KEY_SCENARIO_NAME] = { "scenario", "name", BN_KEY_TEXT, .usual = "", .help = "title; else the file's name" },
  [BN_KEY_SCENARIO_SEEDS] = { "scenario", "seeds", BN_KEY_TEXT, .usual = "1",
                              .help = "one run of every scheduler for each: 1 2 3 or 1..10" },
  [BN_KEY_SCENARIO_RECORD] = { "scenario", "record", BN_KEY_CHOICE, .usual = "summary", .choices = record_choices,
                               .help = "what goes into the database: the metrics, a row a job, a row a task" },
  [BN_KEY_SCENARIO_WARMUP] = { "scenario", "warmup", DURATION (0), .usual = "0",
                               .help = "jobs created before this are left out of the metrics" },
  [BN_KEY_SCENARIO_WARMUP_SHARE] = { "scenario", "warmup-share", REAL (0, 0.99), .usual = "0",
                                     .help = "instead: this share of the jobs, the first ones" },
  [BN_KEY_SCENARIO_PRELOAD] = { "scenario", "preload", BN_KEY_TEXT, .usual = "",
                                .help = "models resident at the start: OPT@0 NLI@* (model@worker, * for all)" },
  [BN_KEY_SCHEDULERS_COMPARE] = { "schedulers", "compare", BN_KEY_TEXT, .usual = "compass",
                                  .help = "list of NAME, NAME[key=value,…], LABEL: NAME[…] or all" },
  [BN_KEY_SCHEDULERS_PLUGINS] = { "schedulers", "plugins", BN_KEY_TEXT, .usual = "",
                                  .help = "shared objects with schedulers of your own: ./mine.so (doc/extending.md)" },
  [BN_KEY_SERVERS_COUNT] = { "servers", "count", COUNT (0, BN_PLATFORM_MAX_WORKERS), .usual = "1",
                             .help = "servers of this group; 0: it is not there" },
  [BN_KEY_SERVERS_DEVICES] = { "servers", "devices", COUNT (1, 1024), .usual = "1",
                               .help = "GPUs in each; every one is a worker" },
  [BN_KEY_SERVERS_GPU] = { "servers", "gpu", BN_KEY_TEXT, .usual = "",
                           .help = "name of the GPU type, as in runtime@TYPE; else the group's name" },
  [BN_KEY_SERVERS_MEMORY] = { "servers", "memory", SIZE (1), .usual = "14GB",
                              .help = "of one GPU, usable for models" },
  [BN_KEY_SERVERS_SPEED] = { "servers", "speed", BN_KEY_MULTIPLE, .min = 1000, .max = 1e9, .usual = "1x",
                             .help = "relative to the profile: 2x halves every runtime" },
  [BN_KEY_SERVERS_SLOTS] = { "servers", "slots", COUNT (1, 1024), .usual = "1",
                             .help = "tasks one GPU runs at once" },
  [BN_KEY_SERVERS_PCIE] = { "servers", "pcie", RATE, .usual = "10.171226GB/s",
                            .help = "host to GPU and GPU to host, each direction" },
  [BN_KEY_SERVERS_PCIE_LATENCY] = { "servers", "pcie-latency", DURATION (0), .usual = "0",
                                    .help = "added to every copy" },
  [BN_KEY_SERVERS_IDLE_WATTS] = { "servers", "idle-watts", REAL (0, 1e6), .usual = "10",
                                  .help = "watts drawn by one idle GPU" },
  [BN_KEY_SERVERS_ACTIVE_WATTS] = { "servers", "active-watts", REAL (0, 1e6), .usual = "70",
                                    .help = "watts drawn by one GPU that executes" },
  [BN_KEY_SERVERS_PRICE] = { "servers", "price", REAL (0, 1e9), .usual = "0",
                             .help = "of one GPU for an hour, in any currency" },
  [BN_KEY_NETWORK_LATENCY] = { "network", "latency", DURATION (0), .usual = "2us",
                               .help = "of every transfer between servers" },
  [BN_KEY_NETWORK_RATE] = { "network", "rate", RATE, .usual = "12.58296GB/s",
                            .help = "of transfers of ramp-limit and more" },
  [BN_KEY_NETWORK_SMALL_LIMIT] = { "network", "small-limit", SIZE (0), .usual = "1kB",
                                   .help = "smaller transfers take the latency alone" },
  [BN_KEY_NETWORK_RAMP_LIMIT] = { "network", "ramp-limit", BN_KEY_SIZE, .max = MAX_RAMP_BYTES, .usual = "4kB",
                                  .help = "smaller ones run at ramp-base + ramp-per-kb * (size in kB)" },
  [BN_KEY_NETWORK_RAMP_BASE] = { "network", "ramp-base", RATE, .usual = "3.145728GB/s", .help = "see ramp-limit" },
  [BN_KEY_NETWORK_RAMP_PER_KB] = { "network", "ramp-per-kb", BN_KEY_RATE, .max = MAX_RAMP_PER_KB,
                                   .usual = "2.097152GB/s", .help = "see ramp-limit" },
  [BN_KEY_WORKLOAD_CATALOGUE] = { "workload", "catalogue", BN_KEY_TEXT, .usual = "../catalogue/paper.ini",
                                  .help = "files of models and workflows, separated by blanks" },
  [BN_KEY_WORKLOAD_MIX] = { "workload", "mix", BN_KEY_TEXT, .usual = "",
                            .help = "WORKFLOW:WEIGHT …, or zipf(S): the i-th has 1/i^S; else every workflow alike" },
  [BN_KEY_WORKLOAD_ARRIVALS] = { "workload", "arrivals", BN_KEY_CHOICE, .usual = "poisson",
                                 .choices = arrivals_choices, .help = "the process that creates jobs" },
  [BN_KEY_WORKLOAD_RATE] = { "workload", "rate", BN_KEY_FREQUENCY, .min = 1e-9, .max = 1e9, .usual = "1/s",
                             .help = "mean jobs a second, but for trace" },
  [BN_KEY_WORKLOAD_LOAD] = { "workload", "load", REAL (0, 1000), .usual = "0",
                             .help = "instead of rate or time-scale: the offered load; 0: they count" },
  [BN_KEY_WORKLOAD_CV] = { "workload", "cv", REAL (MIN_FACTOR, 100), .usual = "1",
                           .help = "gamma, correlated: coefficient of variation of the gaps" },
  [BN_KEY_WORKLOAD_AUTOCORRELATION] = { "workload", "autocorrelation", REAL (-1, 1), .usual = "0.2",
                                        .help = "correlated: of a gap and the next" },
  [BN_KEY_WORKLOAD_AUTOCORR_DECAY] = { "workload", "autocorr-decay", REAL (MIN_FACTOR, 0.999999), .usual = "0.9",
                                       .help = "correlated: factor by which it falls with each gap between" },
  [BN_KEY_WORKLOAD_ON] = { "workload", "on", DURATION (1000), .usual = "1s",
                           .help = "onoff: mean length of a burst" },
  [BN_KEY_WORKLOAD_OFF] = { "workload", "off", DURATION (1000), .usual = "1s",
                            .help = "onoff: mean length of a silence" },
  [BN_KEY_WORKLOAD_RATE_SHAPE] = { "workload", "rate-shape", BN_KEY_CHOICE, .usual = "flat", .choices = shape_choices,
                                   .help = "how the rate changes over time, but for trace" },
  [BN_KEY_WORKLOAD_SHAPE_AMPLITUDE] = { "workload", "shape-amplitude", REAL (0, 1), .usual = "0.5",
                                        .help = "diurnal: of the sine round the mean rate, as a share of it" },
  [BN_KEY_WORKLOAD_SHAPE_PERIOD] = { "workload", "shape-period", DURATION (1000), .usual = "24h",
                                     .help = "diurnal: from one peak to the next" },
  [BN_KEY_WORKLOAD_SHAPE_PHASE] = { "workload", "shape-phase", REAL (0, 1), .usual = "0",
                                    .help = "diurnal: share of the period that is over at time 0; 0.75: the trough" },
  [BN_KEY_WORKLOAD_SPIKE_AT] = { "workload", "spike-at", DURATION (0), .usual = "1min",
                                 .help = "spike: begin of the first one" },
  [BN_KEY_WORKLOAD_SPIKE_LENGTH] = { "workload", "spike-length", DURATION (1000), .usual = "10s",
                                     .help = "spike: how long each lasts" },
  [BN_KEY_WORKLOAD_SPIKE_EVERY] = { "workload", "spike-every", DURATION (0), .usual = "0",
                                    .help = "spike: from one's begin to the next's; 0: there is one alone" },
  [BN_KEY_WORKLOAD_SPIKE_FACTOR] = { "workload", "spike-factor", REAL (0, 1e6), .usual = "10",
                                     .help = "spike: the rate within it is rate times this" },
  [BN_KEY_WORKLOAD_TRACE] = { "workload", "trace", BN_KEY_TEXT, .usual = "", .help = "trace: the file, CSV or a public format, FILE or FORMAT:FILE" },
  [BN_KEY_WORKLOAD_TRACE_MAP] = { "workload", "trace-map", BN_KEY_TEXT, .usual = "",
                                  .help = "trace: what is where in any other table, as time=COLUMN:UNIT" },
  [BN_KEY_WORKLOAD_TRACE_SORT] = { "workload", "trace-sort", BN_KEY_BOOL, .usual = "off",
                                   .help = "trace: whether rows of a public format are put in order of time" },
  [BN_KEY_WORKLOAD_TIME_COLUMN] = { "workload", "time-column", BN_KEY_TEXT, .usual = "arrival_ms",
                                    .help = "trace: header of the column of times" },
  [BN_KEY_WORKLOAD_TIME_UNIT] = { "workload", "time-unit", BN_KEY_CHOICE, .usual = "ms", .choices = time_unit_choices,
                                  .help = "trace: what 1 means there" },
  [BN_KEY_WORKLOAD_TIME_SCALE] = { "workload", "time-scale", REAL (1e-9, 1e9), .usual = "1",
                                   .help = "trace: times are multiplied by this" },
  [BN_KEY_WORKLOAD_WORKFLOW_COLUMN] = { "workload", "workflow-column", BN_KEY_TEXT, .usual = "",
                                        .help = "trace: column of workflow names; else drawn from the mix" },
  [BN_KEY_WORKLOAD_WORKFLOW_MAP] = { "workload", "workflow-map", BN_KEY_TEXT, .usual = "",
                                     .help = "trace: of its texts: TEXT:WORKFLOW, <=NUMBER:WORKFLOW, *:WORKFLOW" },
  [BN_KEY_WORKLOAD_RUNTIME_FACTOR] = { "workload", "runtime-factor", BN_KEY_TEXT, .usual = "",
                                       .help = "trace: a job's true runtimes are its profile times a sum of columns, as"
                                               " 0.2 + 0.004 * tokens" },
  [BN_KEY_WORKLOAD_INGRESS_COLUMN] = { "workload", "ingress-column", BN_KEY_TEXT, .usual = "",
                                       .help = "trace: column of worker numbers; else drawn uniformly" },
  [BN_KEY_WORKLOAD_TRACE_RESAMPLE] = { "workload", "trace-resample", BN_KEY_CHOICE, .usual = "none",
                                       .choices = resample_choices,
                                       .help = "trace: another one like it for each seed, of blocks of its gaps" },
  [BN_KEY_WORKLOAD_TRACE_BLOCK] = { "workload", "trace-block", COUNT (0, 1e9), .usual = "0",
                                    .help = "trace: gaps in a block, on average; 0: by their correlation" },
  [BN_KEY_WORKLOAD_JOBS] = { "workload", "jobs", COUNT (0, 1e12), .usual = "0",
                             .help = "stop after so many; 0: no limit" },
  [BN_KEY_WORKLOAD_UNTIL] = { "workload", "until", DURATION (0), .usual = "0",
                              .help = "create no job from this time on; 0: no limit" },
  [BN_KEY_WORKLOAD_NOISE] = { "workload", "noise", BN_KEY_CHOICE, .usual = "constant", .choices = noise_choices,
                              .help = "distribution of true runtime / profile, of mean 1" },
  [BN_KEY_WORKLOAD_NOISE_CV] = { "workload", "noise-cv", REAL (MIN_FACTOR, 100), .usual = "1",
                                 .help = "its coefficient of variation, for lognormal and gamma" },
  [BN_KEY_WORKLOAD_PROFILE_ERROR] = { "workload", "profile-error", REAL (1, 1000), .usual = "1",
                                      .help = "each task's true runtimes are its profile times a factor of its own,"
                                              " up to this or one over it" },
  [BN_KEY_WORKLOAD_NOISE_VISIBLE] = { "workload", "noise-visible", BN_KEY_BOOL, .usual = "off",
                                      .help = "whether schedulers know the true runtimes" },
  [BN_KEY_WORKLOAD_SPEED] = { "workload", "speed", REAL (1e-6, 1e6), .usual = "1",
                              .help = "how fast jobs come: their times, until and warmup are divided by it" },
  [BN_KEY_WORKLOAD_SCALE] = { "workload", "scale", BN_KEY_MULTIPLE, .min = 1, .max = 1e9, .usual = "1x",
                              .help = "sizes of models, GPUs, inputs, outputs and all runtimes are multiplied by it" },
  [BN_KEY_WORKLOAD_PROFILE] = { "workload", "profile", BN_KEY_TEXT, .usual = "",
                                .help = "what binnacle calibrate measured: takes the place of runtimes and loads" },
  [BN_KEY_BACKEND_NAME] = { "backend", "name", BN_KEY_BACKEND, .usual = "model",
                            .help = "who does the work: the simulation, or devices of this machine" },
  [BN_KEY_BACKEND_THREADS] = { "backend", "threads", COUNT (1, 1024), .usual = "1",
                               .help = "cpu: threads that execute one task" },
  [BN_KEY_BACKEND_PACE] = { "backend", "pace", BN_KEY_BOOL, .usual = "off",
                            .help = "whether copies take at least what the links of [servers] and [network] would" },
  [BN_KEY_BACKEND_VERIFY] = { "backend", "verify", BN_KEY_BOOL, .usual = "off",
                              .help = "whether every output is compared with a reference after the run" },
  [BN_KEY_BACKEND_WATCHDOG] = { "backend", "watchdog", DURATION (1000000), .usual = "1min",
                                .help = "give a backend up when an operation takes so long" },
};

uint32_t
bn_scenario_n_keys (void)
{
  return BN_KEY_FIRST_OPTION + bn_n_variant_options;
}

BnScenarioKey
bn_scenario_key (uint32_t i)
{
  g_assert (i < bn_scenario_n_keys ());
  if (i < BN_KEY_FIRST_OPTION)
    return keys[i];
  const BnParamSpec *spec = &bn_variant_options[i - BN_KEY_FIRST_OPTION];
  return (BnScenarioKey) {
    .section = "options", .name = spec->name, .kind = BN_KEY_OPTION,
    .choices = spec->kind == BN_PARAM_BOOL ? switch_choices : spec->choices, .help = spec->help
  };
}

int
bn_scenario_find_key (const char *section, const char *name)
{
  for (uint32_t i = 0; i < bn_scenario_n_keys (); i++)
    {
      BnScenarioKey key = bn_scenario_key (i);
      if (strcmp (key.section, section) == 0 && strcmp (key.name, name) == 0)
        return (int) i;
    }
  return -1;
}

static char *
with_unit (double value, const char *unit)
{
  char *number = bn_format_real (value), *text = g_strconcat (number, unit, NULL);
  g_free (number);
  return text;
}

static char *
format_value (const BnScenarioKey *key, BnScenarioValue value)
{
  switch (key->kind)
    {
    case BN_KEY_DURATION:
      return bn_format_duration (value.integer);
    case BN_KEY_SIZE:
      return bn_format_size (value.integer);
    case BN_KEY_RATE:
      return bn_format_rate (value.integer);
    case BN_KEY_INTEGER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, value.integer);
    case BN_KEY_MULTIPLE:
      return with_unit ((double) value.integer / (double) BN_PPM_ONE, "x");
    case BN_KEY_FREQUENCY:
      return with_unit (value.real, "/s");
    case BN_KEY_REAL:
      return bn_format_real (value.real);
    case BN_KEY_TEXT:
    case BN_KEY_BOOL:
    case BN_KEY_CHOICE:
    case BN_KEY_BACKEND:
    case BN_KEY_OPTION:
      break;
    }
  g_assert_not_reached ();
}

/* Names of backends, NULL-terminated; (transfer container). */
static const char **
backend_names (void)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; bn_backends[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) bn_backends[i]->name);
  g_ptr_array_add (names, NULL);
  return (const char **) g_ptr_array_free (names, FALSE);
}

static gboolean
is_real (const BnScenarioKey *key)
{
  return key->kind == BN_KEY_REAL || key->kind == BN_KEY_FREQUENCY;
}

char *
bn_scenario_key_range (const BnScenarioKey *key)
{
  if (key->kind == BN_KEY_TEXT)
    return g_strdup ("text");
  if (key->kind == BN_KEY_BOOL)
    return g_strdup ("on|off");
  if (key->choices != NULL)
    return g_strjoinv ("|", (char **) key->choices);
  if (key->kind == BN_KEY_BACKEND)
    {
      g_autofree const char **names = backend_names ();
      return g_strjoinv ("|", (char **) names);
    }
  if (key->kind == BN_KEY_OPTION)
    return g_strdup ("duration");
  BnScenarioValue low, high;
  if (is_real (key))
    {
      low.real = key->min;
      high.real = key->max;
    }
  else
    {
      low.integer = (int64_t) key->min;
      high.integer = (int64_t) key->max;
    }
  char *from = format_value (key, low), *to = format_value (key, high);
  char *range = g_strdup_printf ("%s to %s", from, to);
  g_free (from);
  g_free (to);
  return range;
}

static gboolean
check_range (const BnScenarioKey *key, const char *text, double value, GError **error)
{
  if (value >= key->min && value <= key->max)
    return TRUE;
  char *quoted = bn_quote (text), *range = bn_scenario_key_range (key);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s is out of range; it may be %s", quoted, range);
  g_free (quoted);
  g_free (range);
  return FALSE;
}

static gboolean
parse_choice (const char *const *choices, const char *text, int64_t *ret, GError **error)
{
  for (int i = 0; choices[i] != NULL; i++)
    if (strcmp (choices[i], text) == 0)
      {
        *ret = i;
        return TRUE;
      }
  char *quoted = bn_quote (text), *hint = bn_input_hint (text, choices);
  char *all = g_strjoinv ("|", (char **) choices);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s is not one of %s%s", quoted, all, hint);
  g_free (quoted);
  g_free (hint);
  g_free (all);
  return FALSE;
}

gboolean
bn_scenario_key_parse (const BnScenarioKey *key, const char *text, BnScenarioValue *ret, char **canonical,
                       GError **error)
{
  gboolean flag = FALSE, ok = FALSE;
  BnScenarioValue value = { 0 };
  g_autofree const char **backends = key->kind == BN_KEY_BACKEND ? backend_names () : NULL;
  switch (key->kind)
    {
    case BN_KEY_TEXT:
      *canonical = g_strdup (text);
      return TRUE;
    case BN_KEY_BOOL:
      if (!bn_parse_bool (text, &flag, error))
        return FALSE;
      ret->integer = flag;
      *canonical = g_strdup (flag ? "on" : "off");
      return TRUE;
    case BN_KEY_CHOICE:
    case BN_KEY_BACKEND:
      if (!parse_choice (backends != NULL ? backends : key->choices, text, &ret->integer, error))
        return FALSE;
      *canonical = g_strdup (text);
      return TRUE;
    case BN_KEY_REAL:
    case BN_KEY_FREQUENCY:
      ok = key->kind == BN_KEY_REAL ? bn_parse_real (text, &value.real, error)
                                    : bn_parse_frequency (text, &value.real, error);
      break;
    case BN_KEY_INTEGER:
      ok = bn_parse_integer (text, &value.integer, error);
      break;
    case BN_KEY_DURATION:
      ok = bn_parse_duration (text, &value.integer, error);
      break;
    case BN_KEY_SIZE:
      ok = bn_parse_size (text, &value.integer, error);
      break;
    case BN_KEY_RATE:
      ok = bn_parse_rate (text, &value.integer, error);
      break;
    case BN_KEY_MULTIPLE:
      ok = bn_parse_multiple_ppm (text, &value.integer, error);
      break;
    case BN_KEY_OPTION:
      g_assert_not_reached ();
    }
  if (!ok || !check_range (key, text, is_real (key) ? value.real : (double) value.integer, error))
    return FALSE;
  *ret = value;
  *canonical = format_value (key, value);
  return TRUE;
}
