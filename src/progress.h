/* progress.h: a line on the terminal while a run goes on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PROGRESS_H
#define BN_PROGRESS_H

#include <glib.h>

#include "probe.h"

typedef struct BnProgress BnProgress;

/* Draws on standard error: `title`, jobs ended, jobs a second, time left where
 * `n_jobs` (0: unknown) tells. Copies `title`. */
BnProgress *bn_progress_new (const char *title, gint64 n_jobs);
const BnProbe *bn_progress_probe (BnProgress *progress);

/* Takes the line off the terminal. NULL is fine. */
void bn_progress_free (BnProgress *progress);

#endif
