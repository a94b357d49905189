/* cells.h: the cells of a results file: the runs of one scenario each.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A cell is a combination of values of the scenario's keys. Keys in which the runs
 * of a file differ are its varied keys, in the order in which they change: the one
 * that changes first last. Derived from the table `parameters`, so that any file will
 * do, however its runs came together.
 */
#ifndef BN_CELLS_H
#define BN_CELLS_H

#include <glib.h>
#include <sqlite3.h>

typedef struct BnCellRun
{
  gint64 run_id;
  guint cell, variant;       /* indexes below                          */
  guint seed;                /* index into seeds                       */
  int next;                  /* run of the same cell, or -1            */
} BnCellRun;

typedef struct BnCells
{
  char **keys;               /* NULL-terminated: varied keys, section.key */
  guint n_keys;              /* 0: one cell                            */
  GPtrArray *values;         /* of char **: of each cell, [n_keys], "" where a run has none */
  GPtrArray *variants;       /* of char *: in the order of their first run */
  GPtrArray *seeds;          /* of char *: the same                    */
  GArray *runs;              /* of BnCellRun, by number                */
  GArray *first;             /* of int: of each cell, its first run    */
} BnCells;

/* The runs that `chosen` selects: a query of run_id, as "SELECT run_id FROM runs".
 * NULL with `error` set where the file cannot be read. Returns: (transfer full). */
BnCells *bn_cells_read (sqlite3 *db, const char *chosen, GError **error);
void bn_cells_free (BnCells *cells);

/* The number of a varied key, or -1. */
int bn_cells_find_key (const BnCells *cells, const char *key);

/* Whether the value of key `key` follows from those of the keys marked in `by`
 * [n_keys]: it changes together with them. */
gboolean bn_cells_follows (const BnCells *cells, guint key, const gboolean *by);

/* A metric of each run, [runs->len], NAN where it has none or did not complete. NULL
 * with `error` set where the file cannot be read. Returns: (transfer full). */
double *bn_cells_metric (const BnCells *cells, sqlite3 *db, const char *metric, GError **error);

/* The mean over the seeds of one cell and variant where it is defined, else NAN. Of
 * seed `seed` alone unless that is negative. O(runs of the cell). */
double bn_cells_mean (const BnCells *cells, const double *metric, guint cell, guint variant, int seed);

#endif
