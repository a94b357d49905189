/* testbed.h: a real backend without a run: single operations, and how long they take.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Wakes as the loop of a run does (sim/engine/wall.h).
 */
#ifndef BN_TESTBED_H
#define BN_TESTBED_H

#include "interrupt.h"
#include "scenario.h"

typedef struct BnTestbed BnTestbed;

/* Opens the scenario's backend for its platform with this catalogue, both borrowed, as is `interrupt`, or
 * NULL. NULL with `error` set where that cannot be. Returns: (transfer full). */
BnTestbed *bn_testbed_open (const BnScenario *scenario, const BnCatalogue *catalogue, BnInterrupt *interrupt,
                            GError **error);
/* Where the backend did not answer, what its threads may still use is left to them. */
void bn_testbed_close (BnTestbed *testbed);

/* A job of this workflow at that ingress. Returns: (transfer none). */
BnJob *bn_testbed_job (BnTestbed *testbed, uint32_t workflow, uint32_t ingress);

/* All jobs that there are, are over, and freed: the backend need not keep anything of them. */
void bn_testbed_jobs_over (BnTestbed *testbed);

/* Operations for ops below. */
BnOp bn_testbed_load (const BnTestbed *testbed, uint32_t worker, int32_t model);
BnOp bn_testbed_evict (const BnTestbed *testbed, uint32_t worker, int32_t model);
BnOp bn_testbed_run (BnJob *job, uint32_t task, uint32_t worker);
/* The output of `pred`, or with BN_NONE what the client sent, to the worker for `task`. */
BnOp bn_testbed_transfer (BnJob *job, uint32_t task, int32_t pred, int32_t from_worker, uint32_t worker);

/* Starts `n` operations at once and waits for all of them: start_ns and completed_ns are set. FALSE
 * with `error` set where one did not end well, the backend does not answer, or, G_IO_ERROR_CANCELLED and
 * nothing was started, an interrupt has come; then the testbed can only be closed. */
gboolean bn_testbed_do (BnTestbed *testbed, BnOp *ops, guint n, GError **error);

static inline BnDuration
bn_testbed_took (const BnOp *op)
{
  return op->completed_ns - op->start_ns;
}

#endif
