/* calibrate.h: measures what a real backend takes on this machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Loads and evictions against size; transfers against size; every task of the catalogue
 * alone, its model in use before and just loaded; the same with several workers busy, and
 * beside a copy; a task that computes next to nothing. Rounds of copies and of tasks are
 * taken in turn, so that a machine that drifts does so in all of them. Last, a short run
 * tells how late timers and ends of operations are heard of and what a decision takes.
 *
 * Rounds go on the workers that have room for every model; the others are taken to be
 * alike.
 */
#ifndef BN_CALIBRATE_H
#define BN_CALIBRATE_H

#include "fit.h"
#include "interrupt.h"
#include "profile.h"
#include "scenario.h"

/* A copy of one size: what was measured, beside the fit. */
typedef struct BnCalibratedCopy
{
  const char *what;        /* "load", "evict", "transfer" */
  BnFitPoint point;
  double fitted_ns;
} BnCalibratedCopy;

typedef struct BnCalibration
{
  BnProfile *profile;
  GArray *copies;          /* of BnCalibratedCopy */
} BnCalibration;

/* Measures for the scenario's backend, platform, catalogue and scale, `repeats` >= 1 times. NULL with
 * `error` set, G_IO_ERROR_CANCELLED where `interrupt`, or NULL, came. Returns: (transfer full). */
BnCalibration *bn_calibrate (const BnScenario *scenario, guint repeats, BnInterrupt *interrupt, GError **error);
void bn_calibration_free (BnCalibration *calibration);

#endif
