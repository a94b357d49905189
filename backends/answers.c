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
  pthread_cond_init (&answers->answered, NULL);
}

void
bn_answers_clear (BnAnswers *answers)
{
  pthread_cond_destroy (&answers->answered);
  pthread_mutex_destroy (&answers->lock);
}

void
bn_answer (BnAnswers *answers, BnOp *op, BnOpStatus status, BnTime not_before_ns)
{
  pthread_mutex_lock (&answers->lock);
  bool is_heard = !answers->is_abandoned;
  answers->n_answering += is_heard;
  pthread_mutex_unlock (&answers->lock);
  if (!is_heard)
    return;
  answers->sink->complete_from_thread (answers->sink, op, status, not_before_ns);
  pthread_mutex_lock (&answers->lock);
  if (--answers->n_answering == 0)
    pthread_cond_signal (&answers->answered);
  pthread_mutex_unlock (&answers->lock);
}

void
bn_answers_abandon (BnAnswers *answers)
{
  pthread_mutex_lock (&answers->lock);
  answers->is_abandoned = true;
  while (answers->n_answering > 0)
    pthread_cond_wait (&answers->answered, &answers->lock);
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
