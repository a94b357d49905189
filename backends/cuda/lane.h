/* lane.h: a stream with a thread that feeds it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Whoever starts an operation puts it in a queue and goes on. A lane takes the oldest,
 * submits all its copies and kernels to its stream, sleeps until an event behind them has
 * happened (BN_CU_EVENT_BLOCKING_SYNC: no spinning), and completes it. Several lanes may
 * serve one queue. So the thread that submits is the one that reaps, there is one operation
 * in a stream at a time, and different lanes' streams overlap on the GPU.
 *
 * Why not host functions in the stream (cuLaunchHostFunc) and one thread that reaps for
 * all: the driver does not call them once the context has an error, so nobody would learn
 * of operations that a lost device took with it; a waiting event answers with the error.
 * And what follows in the same stream would begin a few microseconds sooner at most, since
 * the run starts no operation before those it needs have completed.
 */
#ifndef BN_CUDA_LANE_H
#define BN_CUDA_LANE_H

#include "answers.h"
#include "gpu.h"
#include "work_queue.h"

typedef struct BnCudaLane BnCudaLane;

/* Does one operation to its end, nothing of it being left in the stream; unless it answers OK,
 * op->reason is set. */
typedef BnOpStatus (*BnCudaWork) (BnCudaLane *lane, BnOp *op);

struct BnCudaLane
{
  BnCudaGpu *gpu;
  BnWorkQueue *queue;
  BnCudaWork work;
  void *user;               /* the work's                                           */
  BnAnswers *answers;       /* NULL: it has no thread, and is never abandoned       */
  CUstream stream;
  CUevent event;
  GThread *thread;
  void *staging;            /* see bn_cuda_lane_staging                             */
  int64_t staging_bytes;
  bool is_staging_pinned;
  BnCudaBlock *workspace;   /* of those that execute                                */
  void *blas;               /* cuBLAS's handle of this stream, or NULL              */
  BnTime not_before_ns;     /* of the operation at hand: set by the work, else 0    */
};

/* Makes stream, event and thread name; the calling thread has entered the GPU.
 * Returns: false with `error` set. */
bool bn_cuda_lane_init (BnCudaLane *lane, BnCudaGpu *gpu, BnWorkQueue *queue, BnCudaWork work, void *user,
                        BnAnswers *answers, GError **error);
bool bn_cuda_lane_start (BnCudaLane *lane, const char *name, GError **error);
/* Its queue has been closed: waits for the thread, then frees what init made. */
void bn_cuda_lane_clear (BnCudaLane *lane);
/* Instead of that: the thread is left alone for good. */
void bn_cuda_lane_leave (BnCudaLane *lane);

/* Waits for all that is in the stream, however submitting it went: `result` is how. If the backend is abandoned by
 * then the thread stops here for ever, should the driver answer after all.
 * Returns: the first error, or OK. If the stream cannot even be waited for, its GPU is
 * lost: nobody may touch what it still might use. */
BnCuResult bn_cuda_lane_finish (BnCudaLane *lane, BnCuResult result);

/* `bytes` of host memory of this lane, pinned if it can be, for one operation. NULL: there is none. */
void *bn_cuda_lane_staging (BnCudaLane *lane, int64_t bytes);

#endif
