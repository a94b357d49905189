/* sharing.h: operations that slow each other down on one machine, in virtual time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Processor sharing with measured speeds: while k executions, l loads and e evictions are under way
 * an execution goes at speeds[k - 1] * run_beside_load^l * run_beside_evict^e of the speed that it has
 * alone (more than n_speeds: at the last one), a load at speeds[l + e - 1] * load_beside_run^k, an
 * eviction likewise. With n processors and nothing else shared the k-th speed would be min (1, n / k).
 * One that begins and leaves no processor free costs all of them together loop_ns, for the run's own
 * thread. Whenever one begins or ends, the ends of all others are worked out anew. O(k + l + e) each time.
 */
#ifndef BN_SHARING_H
#define BN_SHARING_H

#include "backend.h"

typedef struct BnSharing BnSharing;

/* `measured` is borrowed. */
BnSharing *bn_sharing_new (BnSink *sink, const BnMeasured *measured);
void bn_sharing_free (BnSharing *sharing);

/* The operation, a copy unless it is a RUN, begins now and takes work_ns alone. Its end is a step of it. */
void bn_sharing_begin (BnSharing *sharing, BnOp *op, BnDuration work_ns);

/* That step has come: the operation is not under way any more. */
void bn_sharing_end (BnSharing *sharing, const BnOp *op);

#endif
