/* sweep_axis.h: what one line of a sweep varies.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   workload.load = 0.5 0.7 0.85 0.95         values, between blanks or commas
 *   servers.count = 1..10                     whole numbers, each
 *   workload.rate = 1/s..10/s:4               so many values, evenly spaced: 1/s 4/s 7/s 10/s
 *   servers.count, workload.jobs = 5:10000 20:20000    keys that change together
 *
 * Blanks, commas and colons inside "quotes" or [brackets] are part of a value. What
 * a value means is not looked at here.
 */
#ifndef BN_SWEEP_AXIS_H
#define BN_SWEEP_AXIS_H

#include "input_error.h"

#define BN_SWEEP_MAX_VALUES 10000u

typedef struct BnSweepAxis
{
  char **keys;        /* NULL-terminated: section.key                        */
  guint n_keys;
  char **values;      /* [n_values * n_keys], NULL-terminated: one set of values after another */
  guint n_values;     /* >= 1                                                */
  char *file;         /* where it stands, for messages                       */
  guint line;
  gboolean override;  /* on the command line                                 */
} BnSweepAxis;

/* NULL with `error` set, which names the place: no key, a key twice, no value, a
 * range that does not run upwards, a set with too few values.
 * Returns: (transfer full). */
BnSweepAxis *bn_sweep_axis_new (const char *keys, const char *values, BnPlace place, gboolean override,
                                GError **error);
void bn_sweep_axis_free (BnSweepAxis *axis);

/* Whether it varies this key. */
gboolean bn_sweep_axis_has (const BnSweepAxis *axis, const char *key);

#endif
