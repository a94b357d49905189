/* variant_options.c: the options that any scheduler takes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "eviction.h"
#include "input_error.h"
#include "param_text.h"
#include "queue_order.h"
#include "units.h"
#include "variant.h"

/* A day: whoever wants more means something else. */
#define MAX_NS (86400.0 * BN_NS_PER_S)

typedef enum
{
  OPTION_QUEUE,
  OPTION_QUEUE_AGEING,
  OPTION_EVICT,
  OPTION_EVICT_COST,
  OPTION_PREFETCH,
  OPTION_OVERLAP,
  OPTION_PROACTIVE,
  OPTION_RESERVE,
  OPTION_REDECIDE,
  OPTION_REDECIDE_MARGIN,
  OPTION_STEAL,
  OPTION_STEAL_POLL,
  OPTION_MESSAGES,
  OPTION_DECISION_COST,
  OPTION_CONTENTION,
  OPTION_LOAD_STALENESS,
  OPTION_CACHE_STALENESS,
  OPTION_CLAIRVOYANT
} Option;

/* Each list in the order of the enumeration that it names. */
static const char *const evict_cost_choices[] = { "writeback", "free", NULL };
static const char *const prefetch_choices[] = { "off", "next", NULL };
static const char *const reserve_choices[] = { "off", "own", "published", NULL };
static const char *const overlap_choices[] = { "off", "order", "bypass", NULL };
static const char *const messages_choices[] = { "network", "free", NULL };
static const char *const contention_choices[] = { "none", "fifo", NULL };

const BnParamSpec bn_variant_options[] = {
  [OPTION_QUEUE] = { .name = "queue",
                     .help = "which queued task a worker runs next; key[h=4] sets the weight h, else 32",
                     .kind = BN_PARAM_CHOICE,
                     .choices = bn_queue_order_names },
  [OPTION_QUEUE_AGEING] = { .name = "queue-ageing",
                            .help = "a task that has queued this long goes first under srpt",
                            .kind = BN_PARAM_DURATION,
                            .min = 1,
                            .max = MAX_NS,
                            .default_value = 10e9 },
  [OPTION_EVICT] = { .name = "evict",
                     .help = "which model leaves when a load needs room",
                     .kind = BN_PARAM_CHOICE,
                     .choices = bn_eviction_names },
  [OPTION_EVICT_COST] = { .name = "evict-cost",
                          .help = "whether an evicted model is copied back or dropped at no cost",
                          .kind = BN_PARAM_CHOICE,
                          .choices = evict_cost_choices },
  [OPTION_PREFETCH] = { .name = "prefetch",
                        .help = "whether the model of the next queued task loads while a task runs",
                        .kind = BN_PARAM_CHOICE,
                        .choices = prefetch_choices },
  [OPTION_OVERLAP] = { .name = "overlap",
                       .help = "whether loads go beside tasks, and tasks may pass one that waits for its load",
                       .kind = BN_PARAM_CHOICE,
                       .choices = overlap_choices },
  [OPTION_PROACTIVE] = { .name = "proactive",
                         .help = "with overlap: whether idle links copy models that few hold",
                         .kind = BN_PARAM_BOOL },
  [OPTION_RESERVE] = { .name = "reserve",
                       .help = "whether loads count work that is placed and not yet queued",
                       .kind = BN_PARAM_CHOICE,
                       .choices = reserve_choices },
  [OPTION_REDECIDE] = { .name = "redecide",
                        .help = "whether a worker that gets a task may send it on, once",
                        .kind = BN_PARAM_BOOL },
  [OPTION_REDECIDE_MARGIN] = { .name = "redecide-margin",
                               .help = "how much sooner the other worker must finish it",
                               .kind = BN_PARAM_DURATION,
                               .max = MAX_NS,
                               .default_value = 20e6 },
  [OPTION_STEAL] = { .name = "steal",
                     .help = "whether a worker with nothing to do asks the longest queue for a task",
                     .kind = BN_PARAM_BOOL },
  [OPTION_STEAL_POLL] = { .name = "steal-poll",
                          .help = "how often it asks",
                          .kind = BN_PARAM_DURATION,
                          .min = 1000,
                          .max = MAX_NS,
                          .default_value = 5e6 },
  [OPTION_MESSAGES] = { .name = "messages",
                        .help = "whether reservations, steals and requests take the network's latency or nothing",
                        .kind = BN_PARAM_CHOICE,
                        .choices = messages_choices },
  [OPTION_DECISION_COST] = { .name = "decision-cost",
                             .help = "time that one decision takes its observer; measured: on the wall clock",
                             .kind = BN_PARAM_DURATION,
                             .max = MAX_NS },
  [OPTION_CONTENTION] = { .name = "contention",
                          .help = "whether a PCIe lane or network direction serves one transfer at a time",
                          .kind = BN_PARAM_CHOICE,
                          .choices = contention_choices },
  [OPTION_LOAD_STALENESS] = { .name = "load-staleness",
                              .help = "age of others' queues: 10ms or delay:10ms, or interval:10ms between pushes",
                              .kind = BN_PARAM_DURATION,
                              .max = MAX_NS,
                              .default_value = 10e6 },
  [OPTION_CACHE_STALENESS] = { .name = "cache-staleness",
                               .help = "the same for what others' GPUs hold",
                               .kind = BN_PARAM_DURATION,
                               .max = MAX_NS,
                               .default_value = 10e6 },
  [OPTION_CLAIRVOYANT] = { .name = "clairvoyant",
                           .help = "a yardstick: every row is the truth and messages are free",
                           .kind = BN_PARAM_BOOL },
};

/* What stands in the brackets of queue=key[h=4]. */
static const BnParamSpec queue_h = { .name = "h",
                                     .help = "weight of the work left against the slowdown so far",
                                     .kind = BN_PARAM_REAL,
                                     .max = 1e6,
                                     .default_value = BN_QUEUE_H_DEFAULT };

/* In place of a time for decision-cost. */
static const char measured[] = "measured";

const uint32_t bn_n_variant_options = G_N_ELEMENTS (bn_variant_options);

/* `mode` is NULL for options that are not a spread. */
static void
store (BnRunOptions *o, Option option, int64_t value, const BnSpreadMode *mode)
{
  switch (option)
    {
    case OPTION_QUEUE:
      o->queue_order = (uint32_t) value;
      break;
    case OPTION_QUEUE_AGEING:
      o->queue_settings.ageing_ns = value;
      break;
    case OPTION_EVICT:
      o->eviction = (uint32_t) value;
      break;
    case OPTION_EVICT_COST:
      o->evict_cost = (BnEvictCost) value;
      break;
    case OPTION_PREFETCH:
      o->prefetch = (BnPrefetch) value;
      break;
    case OPTION_OVERLAP:
      o->overlap = (BnOverlap) value;
      break;
    case OPTION_PROACTIVE:
      o->proactive = value != 0;
      break;
    case OPTION_RESERVE:
      o->reserve = (BnReserveMode) value;
      break;
    case OPTION_REDECIDE:
      o->redecide = value != 0;
      break;
    case OPTION_REDECIDE_MARGIN:
      o->redecide_margin_ns = value;
      break;
    case OPTION_STEAL:
      o->steal = value != 0;
      break;
    case OPTION_STEAL_POLL:
      o->steal_poll_ns = value;
      break;
    case OPTION_MESSAGES:
      o->messages = (BnMessages) value;
      break;
    case OPTION_DECISION_COST:
      o->decision_cost_ns = value;
      break;
    case OPTION_CONTENTION:
      o->contention = (BnContention) value;
      break;
    case OPTION_LOAD_STALENESS:
      o->load_spread = (BnSpread) { *mode, value };
      break;
    case OPTION_CACHE_STALENESS:
      o->cache_spread = (BnSpread) { *mode, value };
      break;
    case OPTION_CLAIRVOYANT:
      o->clairvoyant = value != 0;
      break;
    }
}

static int64_t
fetch (const BnRunOptions *o, Option option, BnSpreadMode *mode)
{
  *mode = BN_SPREAD_DELAY;
  switch (option)
    {
    case OPTION_QUEUE:
      return o->queue_order;
    case OPTION_QUEUE_AGEING:
      return o->queue_settings.ageing_ns;
    case OPTION_EVICT:
      return o->eviction;
    case OPTION_EVICT_COST:
      return o->evict_cost;
    case OPTION_PREFETCH:
      return o->prefetch;
    case OPTION_OVERLAP:
      return o->overlap;
    case OPTION_PROACTIVE:
      return o->proactive;
    case OPTION_RESERVE:
      return o->reserve;
    case OPTION_REDECIDE:
      return o->redecide;
    case OPTION_REDECIDE_MARGIN:
      return o->redecide_margin_ns;
    case OPTION_STEAL:
      return o->steal;
    case OPTION_STEAL_POLL:
      return o->steal_poll_ns;
    case OPTION_MESSAGES:
      return o->messages;
    case OPTION_DECISION_COST:
      return o->decision_cost_ns;
    case OPTION_CONTENTION:
      return o->contention;
    case OPTION_LOAD_STALENESS:
      *mode = o->load_spread.mode;
      return o->load_spread.period_ns;
    case OPTION_CACHE_STALENESS:
      *mode = o->cache_spread.mode;
      return o->cache_spread.period_ns;
    case OPTION_CLAIRVOYANT:
      return o->clairvoyant;
    }
  g_assert_not_reached ();
}

BnRunOptions
bn_variant_default_options (void)
{
  BnRunOptions options = { 0 };
  BnSpreadMode delay = BN_SPREAD_DELAY;
  options.queue_settings.h = queue_h.default_value;
  for (uint32_t i = 0; i < bn_n_variant_options; i++)
    store (&options, (Option) i, bn_param_default (&bn_variant_options[i]).integer, &delay);
  return options;
}

/* "key" or "key[h=4]"; only that order has anything to set. */
static gboolean
set_queue (BnRunOptions *options, const char *text, GError **error)
{
  const BnParamSpec *spec = &bn_variant_options[OPTION_QUEUE];
  g_auto (GStrv) parts = g_strsplit (text, "[", 2);
  BnParamValue order = { 0 }, h = bn_param_default (&queue_h);

  if (parts[0] == NULL || !bn_param_parse (spec, g_strstrip (parts[0]), &order, error))
    return parts[0] != NULL ? FALSE : bn_param_parse (spec, text, &order, error);
  if (parts[1] != NULL)
    {
      char *end = strrchr (parts[1], ']'), *value = strchr (parts[1], '=');
      gboolean named = value != NULL && (gsize) (value - parts[1]) == strlen (queue_h.name)
                       && strncmp (parts[1], queue_h.name, strlen (queue_h.name)) == 0;
      if (end == NULL || end[1] != '\0' || !named || strcmp (spec->choices[order.integer], "key") != 0)
        {
          g_autofree char *quoted = bn_quote (text);
          return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                                "%s cannot be read; only key takes a setting, as in key[h=4]", quoted);
        }
      *end = '\0';
      if (!bn_param_parse (&queue_h, g_strstrip (value + 1), &h, error))
        return FALSE;
    }
  options->queue_order = (uint32_t) order.integer;
  options->queue_settings.h = h.real;
  return TRUE;
}

gboolean
bn_variant_set_option (BnRunOptions *options, uint32_t option, const char *text, GError **error)
{
  g_assert (option < bn_n_variant_options);
  BnSpreadMode mode = BN_SPREAD_DELAY;
  BnParamValue value;
  if (option == OPTION_QUEUE)
    return set_queue (options, text, error);
  if (option == OPTION_DECISION_COST)
    {
      options->decision_measured = strcmp (text, measured) == 0;
      if (options->decision_measured)
        text = "0";
    }
  if (option == OPTION_LOAD_STALENESS || option == OPTION_CACHE_STALENESS)
    {
      if (g_str_has_prefix (text, "interval:"))
        mode = BN_SPREAD_INTERVAL;
      if (mode == BN_SPREAD_INTERVAL || g_str_has_prefix (text, "delay:"))
        text = strchr (text, ':') + 1;
    }
  if (!bn_param_parse (&bn_variant_options[option], text, &value, error))
    return FALSE;
  store (options, (Option) option, value.integer, &mode);
  return TRUE;
}

char *
bn_variant_get_option (const BnRunOptions *options, uint32_t option)
{
  g_assert (option < bn_n_variant_options);
  BnSpreadMode mode;
  BnParamValue value = { .integer = fetch (options, (Option) option, &mode) };
  if (option == OPTION_DECISION_COST && options->decision_measured)
    return g_strdup (measured);
  char *text = bn_param_format (&bn_variant_options[option], value);
  if (option == OPTION_QUEUE && options->queue_settings.h != queue_h.default_value)
    {
      char *h = bn_param_format (&queue_h, (BnParamValue) { .real = options->queue_settings.h });
      char *with_h = g_strdup_printf ("%s[%s=%s]", text, queue_h.name, h);
      g_free (text);
      g_free (h);
      return with_h;
    }
  if (mode == BN_SPREAD_DELAY)
    return text;
  char *full = g_strconcat ("interval:", text, NULL);
  g_free (text);
  return full;
}
