/* verify.h: compares what a real run computed with a single-threaded reference.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A probe keeps the digests of every task done, 16 bytes each; once the run has ended and its
 * memory is free again, all jobs are computed once more (backends/reference.h), on every
 * processor, each by one thread. So a wrong or stale model, a lost input or a buffer used
 * twice is found.
 */
#ifndef BN_VERIFY_H
#define BN_VERIFY_H

#include <glib.h>

#include "interrupt.h"
#include "probe.h"

typedef struct BnVerify BnVerify;

BnVerify *bn_verify_new (void);
void bn_verify_free (BnVerify *verify);

/* Returns: (transfer none): copy the table into the run's array of probes. */
const BnProbe *bn_verify_probe (BnVerify *verify);

typedef struct BnVerifyOutcome
{
  int64_t n_done;         /* by the run                                        */
  int64_t n_tasks;        /* of them, compared: all but where it was interrupted */
  int64_t n_wrong;
  GPtrArray *messages;    /* (element-type utf8): the first wrong ones, one line each */
} BnVerifyOutcome;

#define BN_VERIFY_MESSAGES 10

/* Compares; `seed` is the run's. `interrupt`, or NULL, ends it when the jobs in hand are compared. No real run
 * goes on: products of matrices have one thread from now on, until a backend is opened. FALSE with `error` set
 * where there is no memory for the reference's weights. Clear *ret. */
gboolean bn_verify_compare (const BnVerify *verify, const BnCatalogue *catalogue, uint64_t seed, BnInterrupt *interrupt,
                            BnVerifyOutcome *ret, GError **error);
void bn_verify_outcome_clear (BnVerifyOutcome *outcome);

#endif
