/* sweep_cell.h: one cell of a sweep in a process of its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A cell that crashes takes nothing with it: it writes a results file of its own and
 * says what it has to say into a file, both read by the process that started it.
 */
#ifndef BN_SWEEP_CELL_H
#define BN_SWEEP_CELL_H

#include <sys/types.h>

#include "sweep.h"

typedef enum
{
  BN_CELL_RUNNING,
  BN_CELL_DONE,         /* its results file is whole                             */
  BN_CELL_DONE_FOUND,   /* so it is, and has unfinished jobs or violations in it */
  BN_CELL_INTERRUPTED,  /* by a signal                                           */
  BN_CELL_FAILED        /* an error, or it crashed                               */
} BnCellState;

typedef struct BnSweepCell BnSweepCell;

/* Starts cell `cell` in a child process; its runs go to `path`, numbered by their
 * place among the runs of the sweep. NULL with `error` set where there can be no more
 * processes. To be called with no other thread about. Returns: (transfer full). */
BnSweepCell *bn_sweep_cell_start (const BnSweep *sweep, guint cell, const char *path, GError **error);

/* Whether the child has ended, and how. */
BnCellState bn_sweep_cell_poll (BnSweepCell *cell);

guint bn_sweep_cell_number (const BnSweepCell *cell);
const char *bn_sweep_cell_path (const BnSweepCell *cell);

/* What it said, one line an element, once it has ended; of a crash the last line says
 * by which signal. Returns: (transfer full): NULL-terminated. */
char **bn_sweep_cell_remarks (BnSweepCell *cell);

void bn_sweep_cell_signal (const BnSweepCell *cell, int number);

/* Ends the child where it has not ended, and removes its results file. */
void bn_sweep_cell_free (BnSweepCell *cell);

#endif
