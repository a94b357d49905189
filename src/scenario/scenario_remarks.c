/* scenario_remarks.c: settings that are accepted and change nothing, or more than they seem to.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What a scheduler reads is known once it has been initialised with its parameters
 * on this cluster, so each is, on the side, and taken down again.
 */
#include <string.h>

#include "cost.h"
#include "eviction.h"
#include "exec_scheduler.h"
#include "scenario_parts.h"

static const struct
{
  const char *option;
  uint32_t trait;      /* without it the option has no effect */
  gboolean of_rows;    /* but where workers read rows, too    */
  const char *reason;
} needs[] = {
  { "reserve", BN_SCHED_READS_LOADS, FALSE, "does not read loads" },
  { "load-staleness", BN_SCHED_READS_LOADS, TRUE, "does not read loads" },
  { "cache-staleness", BN_SCHED_READS_CACHES, TRUE, "does not read caches" },
};

/* Thieves read who has work, whoever values copies who holds a model. */
static uint32_t
read_by_workers (const BnRunOptions *options)
{
  gboolean copies = options->proactive && options->overlap != BN_OVERLAP_OFF;

  return (options->steal ? BN_SCHED_READS_LOADS : 0)
         | (copies || bn_evictions[options->eviction].reads_hints ? BN_SCHED_READS_CACHES : 0);
}

static uint32_t
traits_of (const BnScenario *scenario, const BnVariant *variant, const BnCost *cost)
{
  /* it would have to be started to be asked */
  if (bn_is_exec_scheduler (variant->scheduler))
    return ~(uint32_t) (BN_SCHED_YARDSTICK | BN_SCHED_POOLS);
  const BnQueueOrder *order = &bn_queue_orders[variant->options.queue_order];
  BnQueueClasses classes = bn_queue_classes (order, &variant->options.queue_settings, cost);
  BnSchedSetup setup = { .struct_size = sizeof setup,
                         .params = variant->params,
                         .platform = scenario->platform,
                         .catalogue = scenario->catalogue,
                         .cost = cost,
                         .order = order,
                         .order_settings = &variant->options.queue_settings,
                         .classes = &classes,
                         .overlap = variant->options.overlap != BN_OVERLAP_OFF,
                         .scheduler = variant->scheduler };
  bn_rng_init (&setup.rng, 1, variant->scheduler->name);
  void *state = g_malloc0 (MAX (variant->scheduler->state_bytes, 1));
  uint32_t traits = variant->scheduler->init (state, &setup);
  if (variant->scheduler->fini != NULL)
    variant->scheduler->fini (state);
  g_free (state);
  /* what is decided for a scheduler reads rows, too */
  if (variant->options.redecide && variant->scheduler->forward == NULL)
    traits |= BN_SCHED_READS_LOADS | BN_SCHED_READS_CACHES;
  return traits;
}

static gboolean
differs (const BnRunOptions *a, const BnRunOptions *b, const char *option)
{
  gboolean found = FALSE;
  for (uint32_t i = 0; i < bn_n_variant_options; i++)
    if (strcmp (bn_variant_options[i].name, option) == 0)
      {
        char *x = bn_variant_get_option (a, i), *y = bn_variant_get_option (b, i);
        found = strcmp (x, y) != 0;
        g_free (x);
        g_free (y);
      }
  return found;
}

/* What is set for somebody who knows the truth, or whose decisions cost nothing. */
static void
remark_on_yardstick (GPtrArray *remarks, const BnVariant *variant, uint32_t traits, const BnRunOptions *base)
{
  static const char *const ignored[] = { "load-staleness", "cache-staleness", "messages" };

  for (guint i = 0; i < G_N_ELEMENTS (ignored); i++)
    if ((variant->options.clairvoyant || traits & BN_SCHED_YARDSTICK)
        && differs (&variant->options, base, ignored[i]))
      g_ptr_array_add (remarks, g_strdup_printf ("%s: %s has no effect, as it knows the truth", variant->name,
                                                 ignored[i]));
  if (traits & BN_SCHED_POOLS && (variant->options.decision_cost_ns > 0 || variant->options.decision_measured))
    g_ptr_array_add (remarks, g_strdup_printf ("%s: decision-cost has no effect, as its decisions cost no time",
                                               variant->name));
}

/* Details of what is switched off. */
static void
remark_on_details (GPtrArray *remarks, const BnVariant *variant, const BnRunOptions *base)
{
  const BnRunOptions *options = &variant->options;
  const struct
  {
    const char *detail, *of;
    gboolean on;
  } details[] = { { "steal-poll", "steal", options->steal }, { "redecide-margin", "redecide", options->redecide } };

  for (guint i = 0; i < G_N_ELEMENTS (details); i++)
    if (!details[i].on && differs (options, base, details[i].detail))
      g_ptr_array_add (remarks, g_strdup_printf ("%s: %s has no effect, as %s is off", variant->name,
                                                 details[i].detail, details[i].of));
}

/* What the GPU manager's modes leave nothing to do for. */
static void
remark_on_memory (GPtrArray *remarks, const BnVariant *variant)
{
  const BnRunOptions *options = &variant->options;
  gboolean overlaps = options->overlap != BN_OVERLAP_OFF;

  if (overlaps && options->prefetch != BN_PREFETCH_OFF)
    g_ptr_array_add (remarks, g_strdup_printf ("%s: prefetch has no effect, as overlap loads ahead of every task",
                                               variant->name));
  if (!overlaps && options->proactive)
    g_ptr_array_add (remarks, g_strdup_printf ("%s: proactive has no effect, as overlap is off", variant->name));
}

/* What is another number each time. */
static void
remark_on_measuring (GPtrArray *remarks, const BnScenario *scenario)
{
  if (!bn_scenario_measures_decisions (scenario))
    return;
  g_ptr_array_add (remarks, g_strdup (bn_scenario_is_real (scenario)
                                        ? "decision-cost = measured has no effect, as decisions of a real run take their"
                                          " time anyway"
                                        : "decision-cost = measured: a run again without --costs FILE measures other costs"
                                          " and has other times"));
}

/* What a rate that changes does to what takes it for constant. */
static void
remark_on_shape (GPtrArray *remarks, const BnRateShape *shape)
{
  if (shape->kind == BN_RATE_SPIKE && shape->every_ns == 0)
    g_ptr_array_add (remarks, g_strdup ("rate-shape: load is that outside the spike, which may leave a backlog that"
                                        " lasts"));
  else if (shape->kind != BN_RATE_FLAT)
    g_ptr_array_add (remarks, g_strdup ("rate-shape: load is a mean over whole periods; labels and intervals take the"
                                        " rate for constant, so let half a run hold many"));
}

/* Nobody should believe that all rows of a trace became jobs where some did not. */
static void
remark_on_trace (GPtrArray *remarks, const BnTraceSummary *trace)
{
  if (trace->n_skipped > 0)
    g_ptr_array_add (remarks, g_strdup_printf ("trace: rows that are no arrivals are left out: %" G_GINT64_FORMAT
                                               ", the first in line %u, %s; binnacle trace info counts them",
                                               trace->n_skipped, trace->skipped_line, trace->skipped));
  if (trace->more_files)
    g_ptr_array_add (remarks, g_strdup ("trace: only the first file of the archive is read; unpack it to name another"));
}

char **
bn_scenario_remarks (const BnScenario *scenario, const BnSettings *s)
{
  GPtrArray *remarks = g_ptr_array_new ();
  BnCost *cost = bn_cost_new (scenario->platform, scenario->catalogue);
  for (uint32_t v = 0; v < scenario->n_variants; v++)
    {
      const BnVariant *variant = scenario->variants[v];
      uint32_t traits = traits_of (scenario, variant, cost);
      for (guint i = 0; i < G_N_ELEMENTS (needs); i++)
        if (!((traits | (needs[i].of_rows ? read_by_workers (&variant->options) : 0)) & needs[i].trait)
            && differs (&variant->options, &scenario->options, needs[i].option))
          g_ptr_array_add (remarks, g_strdup_printf ("%s: %s has no effect, as %s %s", variant->name, needs[i].option,
                                                     variant->scheduler->name, needs[i].reason));
      remark_on_yardstick (remarks, variant, traits, &scenario->options);
      remark_on_details (remarks, variant, &scenario->options);
      remark_on_memory (remarks, variant);
    }
  remark_on_measuring (remarks, scenario);
  if (scenario->noise_unused)
    g_ptr_array_add (remarks, g_strdup_printf ("noise has no effect, as backend %s really executes",
                                               scenario->backend->name));
  bn_cost_free (cost);
  remark_on_trace (remarks, &scenario->trace);
  bn_scenario_remark_on_idle (s, remarks);
  remark_on_shape (remarks, &scenario->arrivals.shape);
  char *of_profile = scenario->profile != NULL ? bn_profile_remark (scenario->profile) : NULL;
  if (of_profile != NULL)
    g_ptr_array_add (remarks, of_profile);
  g_ptr_array_add (remarks, NULL);
  return (char **) g_ptr_array_free (remarks, FALSE);
}
