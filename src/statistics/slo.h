/* slo.h: a promise as a person writes it: `p99(latency) <= 1.5s`.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   WHAT <= VALUE      also < >= >
 *   WHAT               p50 p95 p99 max or mean of (latency) or (slowdown), deadline_miss
 *                      (1 - deadline_met), or any name of `binnacle list metrics`
 *   VALUE              with the metric's unit: 1.5s, 300ms; shares also as 95%
 *
 * What is promised is the expectation over seeds of what a run measures.
 */
#ifndef BN_SLO_H
#define BN_SLO_H

#include "plan_verdict.h"
#include "scenario.h"

typedef struct BnSlo
{
  char *text;         /* as a table shows it: "p99(latency) <= 1.5s"     */
  char *name;         /* of the left side: "p99(latency)"                */
  guint metric;       /* index into bn_metric_infos                      */
  gboolean inverted;  /* what is meant is 1 - metric                     */
  BnPlanLimit limit;  /* in the metric's unit                            */
} BnSlo;

/* Reads one promise. FALSE with `error` set at `place`: it is no comparison, nobody knows
 * such a metric (the nearest is named), the value is none of the metric's, or nothing can
 * have it: a negative one, a share above 1. Clear it. */
gboolean bn_slo_parse (const char *text, BnPlace place, BnSlo *ret, GError **error);
void bn_slo_clear (BnSlo *slo);

/* The promised value of one run, of the metric's value. */
double bn_slo_value (const BnSlo *slo, double metric);

/* Whether some number of servers may keep the promise in this scenario, as far as is known
 * without running it. Not a mean or maximum below what jobs take on average if each is
 * alone on idle servers (the bound per job of doc/bounds.md, its expectation over the mix),
 * not a quantile below the least that any job takes, and nothing about deadlines where no
 * workflow has one. FALSE with `error` set at `place`. */
gboolean bn_slo_check_possible (const BnSlo *slo, const BnScenario *scenario, BnPlace place, GError **error);

#endif
