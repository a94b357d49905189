/* calibrate_parts.h: what the files of calibration share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For calibrate*.c only.
 */
#ifndef BN_CALIBRATE_PARTS_H
#define BN_CALIBRATE_PARTS_H

#include "calibrate.h"
#include "testbed.h"

/* Samples of copies by kind and size. */
typedef struct BnCopySamples
{
  const char *what;
  int64_t bytes;
  GArray *samples;      /* of double, ns */
} BnCopySamples;

/* An execution that began with a copy of another worker. */
typedef struct BnBesideCopy
{
  uint32_t task;        /* first_task + task */
  gboolean load;        /* else an eviction  */
  int64_t bytes;        /* copied            */
  double run_ns, copy_ns;
} BnBesideCopy;

/* All samples. Arrays of GArray are [n_tasks] by first_task + task. */
typedef struct BnSamples
{
  const BnScenario *scenario;
  BnInterrupt *interrupt; /* or NULL                                   */
  const uint32_t *workers; /* [n_workers]: to measure on: they have room for every model */
  guint n_workers;      /* >= 1                                        */
  GArray *copies;       /* of BnCopySamples                            */
  GArray *launches;     /* of tasks that compute next to nothing       */
  GArray **warm, **cold;
  GArray ***busy;       /* [n_busy][n_tasks]: with k + 2 workers busy   */
  guint n_busy;
  GArray *beside;       /* of BnBesideCopy                             */
  BnDuration wake_ns, timer_ns, decision_ns, loop_ns;
} BnSamples;

void bn_samples_add_copy (BnSamples *samples, const char *what, const BnOp *op);

/* calibrate_copies.c: rounds of copies of other sizes than the catalogue's, and of launches. The testbed
 * has bn_copies_catalogue. */
int64_t bn_largest_model (const BnCatalogue *catalogue); /* of those that tasks use, bytes; 0: none */
BnCatalogue *bn_copies_catalogue (const BnScenario *scenario);
gboolean bn_measure_copies (BnSamples *samples, BnTestbed *testbed, guint repeats, GError **error);

/* calibrate_tasks.c: rounds of every task of the scenario's catalogue. */
gboolean bn_measure_tasks (BnSamples *samples, BnTestbed *testbed, guint repeats, GError **error);

/* calibrate_loop.c: a short run, all of which must come to its end; gap_ns between jobs. Sets the last four. */
gboolean bn_measure_loop (BnSamples *samples, BnDuration gap_ns, GError **error);

#endif
