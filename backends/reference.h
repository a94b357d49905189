/* reference.h: what a job's tasks must come to: the same nets, one after the other.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One thread computes the tasks of a job in topological order, each from its
 * predecessors' outputs, with weights, buffers and a workspace of its own: nothing is loaded,
 * evicted, moved between workers or shared with a backend. So it tells where one of
 * those went wrong: a wrong or stale model, a lost input, a buffer used twice. Results
 * agree within BN_NN_TOLERANCE.
 */
#ifndef BN_REFERENCE_H
#define BN_REFERENCE_H

#include <glib.h>

#include "nn.h"

typedef struct BnReference BnReference;

/* `seed` is the run's. BN_NN_BLAS is the practical choice, BN_NN_PLAIN independent of the
 * library too and several times as slow. NULL with `error` set where there is no memory for a second
 * copy of all weights, or no address space for as many threads as there are processors. The catalogue is
 * borrowed. */
BnReference *bn_reference_new (const BnCatalogue *catalogue, uint64_t seed, BnNnMatmul matmul, GError **error);
void bn_reference_free (BnReference *reference);

/* Computes job `job_id` of this workflow. `digests` is [n_tasks][2], by task number. Several threads may
 * do so at once. */
void bn_reference_job (const BnReference *reference, int64_t job_id, const BnWorkflow *workflow,
                       double (*digests)[2]);

#endif
