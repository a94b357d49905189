/* checked_run.h: a run with everything checked that can be.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The whole cluster is verified after every event, the task invariants in memory, and
 * every rule of `binnacle check` on the database in memory that the run wrote. It must
 * complete, and every job be accounted for.
 */
#ifndef CHECKED_RUN_H
#define CHECKED_RUN_H

#include "scenario.h"

typedef struct CheckedRun
{
  const BnScenario *scenario;
  const BnVariant *variant;
  uint64_t seed;
  const BnBackend *backend;  /* NULL: the model                          */
  const BnProbe *listener;   /* one more probe, or NULL                  */
  gboolean unchecked;        /* the rules are left out: they take longer */
  uint32_t but_for_rule;     /* one of them is; 0: none                  */
  const char *what;          /* for messages                             */
} CheckedRun;

BnRunTotals checked_run (const CheckedRun *c);

#endif
