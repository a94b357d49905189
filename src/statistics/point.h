/* point.h: a metric at one point of a picture: over the seeds and cells that stand there.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_POINT_H
#define BN_POINT_H

#include "cells.h"

typedef struct BnPoint
{
  guint n_cells;       /* that have a value                                         */
  double value;        /* geometric mean over these; NAN for none                   */
  double low, high;    /* 95 % interval over seeds; NAN with one seed, and where seeds do
                          not all have every cell                                   */
} BnPoint;

/* Of `metric` (bn_cells_metric) in the cells that `counted` [n cells] marks. With `base`
 * below 0 the value of a cell is the mean over its seeds, and the interval of one cell is
 * Student's, as in tables. Else values are ratios to that variant on the same seed
 * (ratios.h). The interval over several cells is that of one geometric mean over them for
 * each seed. O(cells x runs of a cell x seeds). */
BnPoint bn_point_of (const BnCells *cells, const double *metric, guint variant, int base, const gboolean *counted);

/* The same, without an interval, of what a cell has whoever is the scheduler, as a bound:
 * it may be recorded with one variant only. */
BnPoint bn_point_of_any (const BnCells *cells, const double *metric, const gboolean *counted);

#endif
