/* plan_axis.h: what a plan looks for, as whole numbers, and the settings they stand for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   count   so many servers, devices or slots (servers.count, servers.fast.count, …)
 *   rate    a load on the servers there are: number i is the load that keeps all slots busy
 *           with work alone, divided by (1 + precision)^i, so that more is easier
 *   mix     so many servers of each of several groups, at a price, and none of others
 *
 * The work alone bounds each from one side: where jobs bring as much GPU time as there is
 * (BnScenario.least_load >= 1) nothing is stable. It is read off the scenario, of which
 * a few are made for that; none is run.
 */
#ifndef BN_PLAN_AXIS_H
#define BN_PLAN_AXIS_H

#include "plan_mix.h"
#include "unit.h"

typedef enum
{
  BN_PLAN_COUNT,
  BN_PLAN_RATE,
  BN_PLAN_MIX
} BnPlanKind;

/* A group of servers and what one device of it costs. */
typedef struct BnPlanGpu
{
  char *group;
  double price_per_hour;   /* < 0: as the scenario says */
} BnPlanGpu;

/* What is to be found, of every cell alike. */
typedef struct BnPlanQuest
{
  BnPlanKind kind;
  char *key;               /* COUNT: section.key                                        */
  BnPlanGpu gpus[BN_PLAN_MAX_KINDS];   /* MIX                                           */
  guint n_gpus;
  gint64 max;              /* COUNT, MIX: most of it, of each group; 0: BN_PLAN_USUAL_MAX */
  double precision;        /* RATE: relative, as 0.02                                   */
  BnPlace place;           /* of the key, the groups or the wish for a rate             */
} BnPlanQuest;

#define BN_PLAN_USUAL_MAX 1000

typedef struct BnPlanAxis
{
  BnPlanKind kind;
  char *keys[BN_PLAN_MAX_KINDS + 1];   /* NULL-terminated: what is set                  */
  guint n_keys;
  GPtrArray *absent;       /* of char *: MIX: counts of the groups that are not named, which are 0 */
  BnPlace place;           /* for messages about them; borrowed of the quest, or of the cell */
  double work;             /* what the work alone takes: that value of the key, at which the
                              offered load is 1; MIX: its least cost an hour            */
  gint64 floor, max;       /* COUNT, RATE: the numbers that are searched are above and up to */
  gint64 first_gap;        /* COUNT, RATE: where a search begins                        */
  double precision;        /* RATE                                                      */
  BnPlanMixConfig mix;     /* MIX, but for stages: prices are of a whole server         */
  double gpu_prices[BN_PLAN_MAX_KINDS];   /* MIX: of one GPU; < 0: as the scenario says */
} BnPlanAxis;

/* The axis of a cell, of which `cell` is a unit; both must outlive it. NULL with `error` set: no such key or
 * group, a key that more of does not carry more jobs, a load that is not known, a price
 * that nobody says, a greatest number that is no cluster. Returns: (transfer full). */
BnPlanAxis *bn_plan_axis_new (const BnPlanQuest *quest, const BnUnit *cell, GError **error);
void bn_plan_axis_free (BnPlanAxis *axis);

/* The value of a number as a scenario has it, "12", "3.41/s", and of a mix as a table
 * shows it, "t4=3 a10=1". Returns: (transfer full). */
char *bn_plan_axis_text (const BnPlanAxis *axis, const gint64 *numbers);

/* The same as a plain number: a count, jobs a second or an offered load, a cost an hour. */
double bn_plan_axis_value (const BnPlanAxis *axis, const gint64 *numbers);

/* A unit of `cell` with these numbers, one scheduler and one seed, whose run is `run_id`.
 * Returns: (transfer full). */
BnUnit *bn_plan_axis_unit (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, const char *scheduler,
                           guint64 seed, gint64 run_id);

/* The scenario of the cell with these numbers. NULL with `error` set. Returns: (transfer full). */
BnScenario *bn_plan_axis_scenario (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, GError **error);

/* What all GPUs of the cell with these numbers cost an hour; 0: nobody says. FALSE with
 * `error` set where there is no such cluster. */
gboolean bn_plan_axis_cost (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, double *ret,
                            GError **error);

#endif
