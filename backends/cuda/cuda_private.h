/* cuda_private.h: the state of the backend, shared by its files.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_CUDA_PRIVATE_H
#define BN_CUDA_PRIVATE_H

#include "blas.h"
#include "lane.h"
#include "models.h"
#include "pace.h"
#include "residency.h"
#include "store.h"

/* Pieces in which models are copied, so that small copies of other streams come between. */
#define BN_CUDA_CHUNK_BYTES (INT64_C (16) << 20)

typedef struct BnCuda BnCuda;

typedef struct BnCudaWorker
{
  BnCuda *cuda;
  uint32_t number;
  BnCudaGpu *gpu;
  CUdeviceptr models;              /* the allocation of `residency`, or 0     */
  BnCudaResidency *residency;
  BnCudaBlock *bounce;             /* BN_CUDA_CHUNK_BYTES, for moves          */
  BnWorkQueue *loads, *transfers, *runs;
  BnCudaLane load_lane;            /* loads and write-backs, in order         */
  BnCudaLane transfer_lane;        /* what arrives at this worker             */
  BnCudaLane *run_lanes;           /* [n_slots]                               */
  uint32_t n_slots;
} BnCudaWorker;

struct BnCuda
{
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  const BnCost *cost;
  BnAnswers answers;
  BnBackendSettings settings;
  BnCudaDriver *driver;
  BnCudaBlas *blas;                /* or NULL: own kernels                    */
  uint32_t n_gpus;
  BnCudaGpu **gpus;                /* [n_gpus]: those that workers use        */
  BnModels *models;
  bool *is_pinned;                 /* [n_models]: their weights               */
  BnStore *store;                  /* data: BnCudaBlock of the worker's GPU   */
  BnCudaWorker *workers;           /* [n_workers]                             */
};

/* ---- worker.c ---- */

/* What needs no driver. */
void bn_cuda_worker_init (BnCudaWorker *worker, BnCuda *cuda, uint32_t number);
/* Memory and streams, on the GPU that is set. Returns: false with `error` set. */
bool bn_cuda_worker_open (BnCudaWorker *worker, GError **error);
/* Threads. Likewise. */
bool bn_cuda_worker_start (BnCudaWorker *worker, GError **error);
/* Frees what there is of it, however far it got. */
void bn_cuda_worker_close (BnCudaWorker *worker);
/* Instead of that: threads that wait for the driver are left alone for good. */
void bn_cuda_worker_leave (BnCudaWorker *worker);

/* Of a lane that executes. */
static inline int64_t
bn_cuda_workspace_bytes (const BnCuda *cuda)
{
  return cuda->models->workspace_floats * (int64_t) sizeof (float);
}

/* What the lanes do: BnCudaWork, `user` being the worker. */
BnOpStatus bn_cuda_work_load (BnCudaLane *lane, BnOp *op);      /* load.c: LOAD, EVICT */
BnOpStatus bn_cuda_work_transfer (BnCudaLane *lane, BnOp *op);  /* transfer.c          */
BnOpStatus bn_cuda_work_run (BnCudaLane *lane, BnOp *op);       /* execute.c           */

/* transfer.c: what the client sent for a task of this job, made here and put to a worker of
 * the lane's GPU. Waits for the copy. */
BnOpStatus bn_cuda_make_client_input (BnCuda *cuda, BnCudaLane *lane, const BnJob *job, uint32_t task, uint32_t worker,
                                      char **reason);

/* Bytes of the floats of a buffer of so many bytes, all of which are kept and moved. */
static inline int64_t
bn_cuda_buffer_bytes (int64_t bytes)
{
  return bn_nn_buffer_floats (bytes) * (int64_t) sizeof (float);
}

#endif
