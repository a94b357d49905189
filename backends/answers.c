/* answers.c: where the threads of a backend answer, until it is abandoned.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"

void
bn_answers_init (BnAnswers *answers, BnSink *sink)
{
  *answers = (BnAnswers) { .sink = sink };
  pthread_mutex_init (&answers->lock, NULL);
}

void
bn_answers_clear (BnAnswers *answers)
{
  pthread_mutex_destroy (&answers->lock);
}

void
bn_answer (BnAnswers *answers, BnOp *op, BnOpStatus status, BnTime not_before_ns)
{
  pthread_mutex_lock (&answers->lock);
  if (!answers->is_abandoned)
    answers->sink->complete_from_thread (answers->sink, op, status, not_before_ns);
  pthread_mutex_unlock (&answers->lock);
}

void
bn_answers_abandon (BnAnswers *answers)
{
  pthread_mutex_lock (&answers->lock);
  answers->is_abandoned = true;
  pthread_mutex_unlock (&answers->lock);
}

bool
bn_answers_are_abandoned (BnAnswers *answers)
{
  pthread_mutex_lock (&answers->lock);
  bool are_abandoned = answers->is_abandoned;
  pthread_mutex_unlock (&answers->lock);
  return are_abandoned;
}
