/* lane.c: the threads that submit and reap.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lane.h"

#include <gio/gio.h>
#include <unistd.h>

#include "host_memory.h"
#include "thread.h"

static gpointer
lane_main (gpointer data)
{
  BnCudaLane *lane = data;
  BnCuResult entered = bn_cuda_gpu_enter (lane->gpu);
  BnOp *op;

  while ((op = bn_work_queue_pop (lane->queue)))
    {
      BnOpStatus status = BN_OP_DEVICE_LOST;
      lane->not_before_ns = 0;
      if (entered != BN_CU_OK)
        status = bn_cuda_gpu_blame (lane->gpu, entered, &op->reason, "entering the context");
      else if (!bn_cuda_gpu_is_lost (lane->gpu, &op->reason))
        status = lane->work (lane, op);
      bn_answer (lane->answers, op, status, status == BN_OP_OK ? lane->not_before_ns : 0);
    }
  return NULL;
}

bool
bn_cuda_lane_init (BnCudaLane *lane, BnCudaGpu *gpu, BnWorkQueue *queue, BnCudaWork work, void *user,
                   BnAnswers *answers, GError **error)
{
  *lane = (BnCudaLane){ .gpu = gpu, .queue = queue, .work = work, .user = user, .answers = answers };
  BnCuResult result = gpu->driver->stream_create (&lane->stream, BN_CU_STREAM_NON_BLOCKING);
  if (result == BN_CU_OK)
    result = gpu->driver->event_create (&lane->event, BN_CU_EVENT_BLOCKING_SYNC | BN_CU_EVENT_DISABLE_TIMING);
  if (result == BN_CU_OK)
    return true;
  g_autofree char *reason = NULL;
  bn_cuda_gpu_blame (gpu, result, &reason, "making a stream");
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, reason);
  return false;
}

bool
bn_cuda_lane_start (BnCudaLane *lane, const char *name, GError **error)
{
  lane->thread = bn_thread_start (name, lane_main, lane, error);
  return lane->thread != NULL;
}

static void
free_staging (BnCudaLane *lane)
{
  if (lane->is_staging_pinned)
    bn_cuda_unpin (lane->gpu->driver, lane->staging);
  bn_host_free (lane->staging, lane->staging_bytes);
  lane->staging = NULL;
  lane->staging_bytes = 0;
  lane->is_staging_pinned = false;
}

void
bn_cuda_lane_clear (BnCudaLane *lane)
{
  if (lane->thread)
    g_thread_join (lane->thread);
  if (lane->event)
    lane->gpu->driver->event_destroy (lane->event);
  if (lane->stream)
    lane->gpu->driver->stream_destroy (lane->stream);
  free_staging (lane);
  bn_cuda_block_give (lane->workspace);
}

void
bn_cuda_lane_leave (BnCudaLane *lane)
{
  g_thread_unref (lane->thread);
}

BnCuResult
bn_cuda_lane_finish (BnCudaLane *lane, BnCuResult result)
{
  BnCuResult waited = lane->gpu->driver->event_record (lane->event, lane->stream);

  if (waited == BN_CU_OK)
    waited = lane->gpu->driver->event_synchronize (lane->event);
  while (lane->answers && bn_answers_are_abandoned (lane->answers))
    pause ();
  if (waited != BN_CU_OK && !bn_cuda_result_is_fatal (waited))
    waited = BN_CU_UNKNOWN;
  /* what took the context down says more than what the submitter saw of it */
  return waited != BN_CU_OK ? waited : result;
}

void *
bn_cuda_lane_staging (BnCudaLane *lane, int64_t bytes)
{
  if (lane->staging_bytes >= bytes)
    return lane->staging;
  free_staging (lane);
  lane->staging = bn_host_alloc (bytes);
  if (lane->staging)
    {
      lane->staging_bytes = bytes;
      lane->is_staging_pinned = bn_cuda_pin (lane->gpu->driver, lane->staging, bytes);
    }
  return lane->staging;
}
