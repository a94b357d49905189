/* dag_size.h: how many tasks, levels and tasks in a level a DAG of a shape may have.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For flow_random.c only, whose header says what shapes there are.
 */
#ifndef BN_DAG_SIZE_H
#define BN_DAG_SIZE_H

#include "flow_random.h"

/* Gives `size` what of tasks, width and depth it lacks; what is drawn comes from `rng`. FALSE with `error` set where
 * what it has does not fit together. O(tasks log^2 width) at the worst, where a depth is looked for. */
gboolean bn_dag_settle (BnDag *size, BnRng *rng, GError **error);

/* Of the widths *low to *high those that a DAG of its tasks and depth may have. FALSE where there is none.
 * O(log^2 width). */
gboolean bn_dag_widths (const BnDag *size, uint32_t *low, uint32_t *high);

#endif
