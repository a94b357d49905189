/* difference.h: how far schedulers are from one of them on the same jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A difference is the ratio of two means over the seeds that both have, with a 95 %
 * interval from these pairs, less 1: what the table's means show, and narrower than their
 * own intervals allow, as both schedulers meet the same jobs.
 */
#ifndef BN_DIFFERENCE_H
#define BN_DIFFERENCE_H

#include "compared.h"

/* Metrics that have differences: numbers of bn_compared_metrics. */
#define BN_N_DIFFERENCES 3
extern const guint bn_difference_metrics[BN_N_DIFFERENCES];

/* In percent of the base's mean; NAN half-width for less than two pairs, NAN for none. */
BnInterval bn_difference (const BnCompared *compared, guint first, guint end, guint base, guint base_end, guint i);

/* Of each variant of the cell of runs [first, end), in order of variant, to `base`: a
 * line, "  jit  latency 8.2 % ± 1.0 % above, …", below one that says to what. Nothing
 * where there is nobody to differ or no seed that both have. Labels other than STABLE
 * stand beside. Adds to `lines`. */
void bn_difference_lines (const BnCompared *compared, guint first, guint end, const char *base, GString *lines);

#endif
