/* plan_request.h: what a plan is asked, on the command line or in a file's section [plan].
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   slo = p99(latency) <= 1.5s, p95(slowdown) <= 3
 *   over = servers.count          what is counted; or
 *   solve = rate                  the greatest load that the servers carry; or
 *   gpu = t4:0.35/h, a10:0.75/h   groups of servers, with prices: the cheapest mix
 *   max = 1000                    of servers, or of each group
 *   precision = 2%                of the load
 *   seeds = 5..40                 at first, and at most where it is undecided
 */
#ifndef BN_PLAN_REQUEST_H
#define BN_PLAN_REQUEST_H

#include "plan_axis.h"
#include "slo.h"

typedef struct BnPlanRequest
{
  GArray *slos;            /* of BnSlo                      */
  GArray *slo_places;      /* of BnPlace: where each stands */
  BnPlanQuest quest;
  guint first_seeds, last_seeds;
  GPtrArray *texts;        /* that places and groups point into */
} BnPlanRequest;

/* What the command line says of one key; NULL: nothing. Several values of slo and gpu go
 * together. */
typedef struct BnPlanOptions
{
  char **slo, **gpu;
  char *over, *solve, *max, *precision, *seeds;
} BnPlanOptions;

/* Reads the section [plan] of the file `path`, where it has one, and lays the options over
 * it: what they say of a key takes the place of what the file says. FALSE with `error` set:
 * a key or value that means nothing, no promise at all, two things wanted at once. Clear
 * it in either case. */
gboolean bn_plan_request_read (BnPlanRequest *request, const char *path, const BnPlanOptions *options, GError **error);
void bn_plan_request_clear (BnPlanRequest *request);

#endif
