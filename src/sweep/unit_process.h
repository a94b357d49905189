/* unit_process.h: one unit in a process of its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A unit that crashes takes nothing with it: it writes a results file of its own and
 * says what it has to say into a file, both read by the process that started it.
 */
#ifndef BN_UNIT_PROCESS_H
#define BN_UNIT_PROCESS_H

#include "unit.h"

typedef enum
{
  BN_UNIT_RUNNING,
  BN_UNIT_DONE,         /* its results file is whole                             */
  BN_UNIT_DONE_FOUND,   /* so it is, and has unfinished jobs or violations in it */
  BN_UNIT_INTERRUPTED,  /* by a signal                                           */
  BN_UNIT_FAILED        /* an error, or it crashed                               */
} BnUnitState;

typedef struct BnUnitProcess BnUnitProcess;

/* Starts the runs of `unit` that `todo` marks (bn_unit_run) in a child process; they go to
 * the file `path`. NULL with `error` set where there can be no more processes. To be called
 * with no thread about that holds a lock. Returns: (transfer full). */
BnUnitProcess *bn_unit_process_start (const BnUnit *unit, const char *todo, const char *path, GError **error);

/* Whether the child has ended, and how. */
BnUnitState bn_unit_process_poll (BnUnitProcess *process);

const char *bn_unit_process_path (const BnUnitProcess *process);

/* What it said, one line an element, once it has ended; of a crash the last line says
 * by which signal. Returns: (transfer full): NULL-terminated. */
char **bn_unit_process_remarks (BnUnitProcess *process);

void bn_unit_process_signal (const BnUnitProcess *process, int number);

/* Ends the child where it has not ended, and removes its results file. NULL is fine. */
void bn_unit_process_free (BnUnitProcess *process);

#endif
