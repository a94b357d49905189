/* queued_task.h: a queued task as anybody may know it who has read its worker's row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Values, no pointers into jobs: a row that is old may speak of a job that has ended
 * since. <stdint.h> only.
 */
#ifndef BN_QUEUED_TASK_H
#define BN_QUEUED_TASK_H

#include "bn.h"

/* Into how many classes of key a histogram of a queue is divided, least key first
 * (BnQueueClasses in queue_order.h). */
#define BN_QUEUE_CLASSES 8

typedef struct BnQueuedTask
{
  int64_t job_id;
  BnTime create_ns;         /* of the job                                      */
  BnTime enqueue_ns;        /* it queued here then; of a reserved task: will   */
  BnDuration estimate_ns;   /* its runtime here as schedulers know it          */
  uint32_t task;            /* workflow->first_task + number: what it is       */
  int32_t priority;
} BnQueuedTask;

#endif
