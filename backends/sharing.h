/* sharing.h: operations that slow each other down on one machine, in virtual time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Processor sharing with a measured speed: while k operations are under way each goes at
 * speeds[k - 1] of the speed that it has alone (more than n_speeds: at the last one). With
 * n processors and nothing else shared that would be min (1, n / k). Whenever one begins
 * or ends, the ends of all others are worked out anew. O(k) each time.
 */
#ifndef BN_SHARING_H
#define BN_SHARING_H

#include "backend.h"

typedef struct BnSharing BnSharing;

/* `speeds` [n_speeds >= 1] in (0, 1], borrowed. */
BnSharing *bn_sharing_new (BnSink *sink, const double *speeds, uint32_t n_speeds);
void bn_sharing_free (BnSharing *sharing);

/* The operation begins now and takes work_ns alone. Its end is a step of it. */
void bn_sharing_begin (BnSharing *sharing, BnOp *op, BnDuration work_ns);

/* That step has come: the operation is not under way any more. */
void bn_sharing_end (BnSharing *sharing, const BnOp *op);

#endif
