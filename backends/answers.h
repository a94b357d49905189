/* answers.h: where the threads of a backend answer, until it is abandoned.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The sink is there until close has returned; threads of an abandoned backend live on, and what they have to
 * say goes nowhere.
 */
#ifndef BN_ANSWERS_H
#define BN_ANSWERS_H

#include <pthread.h>

#include "backend.h"

typedef struct BnAnswers
{
  BnSink *sink;
  pthread_mutex_t lock;     /* held for a few instructions only: an answer wakes the run's thread, which may
                               take the processor of who answers, and others must not wait for that */
  pthread_cond_t answered;
  uint32_t n_answering;
  bool is_abandoned;
} BnAnswers;

void bn_answers_init (BnAnswers *answers, BnSink *sink);
void bn_answers_clear (BnAnswers *answers);

/* From any thread: the operation is over; op->reason is set unless it is OK or CANCELLED. */
void bn_answer (BnAnswers *answers, BnOp *op, BnOpStatus status, BnTime not_before_ns);

/* For good; waits at most until the answers under way have been given. */
void bn_answers_abandon (BnAnswers *answers);
bool bn_answers_are_abandoned (BnAnswers *answers);

#endif
