/* sweep.h: the cells of a sweep: one scenario for every combination of values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A sweep file is a scenario with one more section, [sweep], whose lines are axes
 * (sweep_axis.h); `--vary` adds more of them, or takes the place of those that vary
 * the same keys. The cells are the cross product in the order written, the last axis
 * changing fastest. The axis `scheduler` makes no cells: its values are what every cell
 * compares, on the same jobs.
 */
#ifndef BN_SWEEP_H
#define BN_SWEEP_H

#include "unit.h"

#define BN_SWEEP_MAX_CELLS 100000u

typedef struct BnSweep BnSweep;

/* `vary` (NULL-terminated, or NULL) holds texts `section.key=values`, `overrides` is
 * as in bn_scenario_read. NULL with `error` set for an axis that is no good, for an
 * override of a key that is varied, and for the first cell whose scenario is no good,
 * which is named: every cell has been read once. Returns: (transfer full). */
BnSweep *bn_sweep_read (const char *path, const char *const *vary, const char *const *overrides, GError **error);
void bn_sweep_free (BnSweep *sweep);

guint bn_sweep_n_cells (const BnSweep *sweep);

/* "servers.count=5, workload.load=0.7"; "" where nothing is varied.
 * Returns: (transfer full). */
char *bn_sweep_cell_name (const BnSweep *sweep, guint cell);

/* What makes this cell's scenario on a command line: its path and every --set.
 * Returns: (transfer full). */
char *bn_sweep_cell_arguments (const BnSweep *sweep, guint cell);

/* The scenario of a cell. NULL with `error` set. Returns: (transfer full). */
BnScenario *bn_sweep_scenario (const BnSweep *sweep, guint cell, GError **error);

/* The units of the sweep, cell by cell and in each the seeds in order: runs are numbered by
 * (cell, variant, seed). Returns: (transfer full): of BnUnit. */
GPtrArray *bn_sweep_units (const BnSweep *sweep);

/* Runs in each cell: variants times seeds. */
guint bn_sweep_n_runs (const BnSweep *sweep);

guint bn_sweep_n_seeds (const BnSweep *sweep);

/* Gives every cell `n_seeds` seeds where it has fewer: those it has, then what follows the greatest. */
void bn_sweep_make_room (BnSweep *sweep, guint n_seeds);

/* Whether a cell really executes its tasks: then cells must not run beside each other. */
gboolean bn_sweep_is_real (const BnSweep *sweep);

/* What is to be said once of all cells (BnScenario.remarks). Returns: (transfer
 * none): NULL-terminated. */
char **bn_sweep_remarks (const BnSweep *sweep);

#endif
