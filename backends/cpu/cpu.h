/* cpu.h: the parts of the CPU backend, for each other.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Threads: one *mover* for all transfers; for each worker one *link*, which
 * loads, evicts and compacts, and one *executor* a slot. They take operations from
 * queues, in order, and answer through the sink.
 *
 * A worker's memory is an arena of exactly its capacity, for models only. Inputs, outputs and the
 * executors' workspaces lie outside, as in the simulation, where capacity is for models, too.
 *
 * Locks: a device's mutex guards its residents and is held for a few instructions only; its arena
 * is the link's alone. A model that an executor computes with is never moved, and one that is being
 * moved is waited for.
 */
#ifndef BN_CPU_H
#define BN_CPU_H

#include <pthread.h>

#include "answers.h"
#include "arena.h"
#include "backend.h"
#include "models.h"
#include "store.h"
#include "work_queue.h"

#define BN_CPU_ALIGNMENT 64

/* Where evicted models are copied to, over and over: larger than caches, so that it costs what
 * copying to the host's memory costs. */
#define BN_CPU_WRITTEN_BACK_BYTES INT64_C (64000000)

/* One model on one device. */
typedef struct BnCpuResident
{
  bool usable;         /* loaded, and not evicted or dropped since     */
  bool dropped;        /* its block may go                             */
  bool moving;         /* by compaction                                */
  uint32_t n_users;    /* executions under way                         */
  int64_t offset;
} BnCpuResident;

typedef struct BnCpuExecutor
{
  struct BnCpuDevice *device;
  GThread *thread;
  float *workspace;
} BnCpuExecutor;

typedef struct BnCpuDevice
{
  struct BnCpu *cpu;
  uint32_t worker;
  BnWorkQueue *link_work;     /* LOAD and EVICT */
  BnWorkQueue *run_work;      /* RUN            */
  GThread *link;
  uint32_t n_executors;
  BnCpuExecutor *executors;
  /* the link's */
  BnArena *arena;
  BnArenaMove *moves;         /* [n_models] */
  char *memory;               /* [physical_bytes]; executors read models in use */
  int64_t physical_bytes;
  char *written_back;         /* what evicted models are copied to */
  /* under the mutex */
  pthread_mutex_t mutex;
  pthread_cond_t changed;     /* a move has ended, a model has no more users */
  BnCpuResident *residents;   /* [n_models] */
} BnCpuDevice;

typedef struct BnCpu
{
  const BnPlatform *platform;
  const BnCost *cost;
  BnAnswers answers;
  BnBackendSettings settings;
  BnModels *models;
  int64_t written_back_bytes; /* of each device's written_back */
  BnStore *store;
  BnCpuDevice *devices;       /* [n_workers] */
  BnWorkQueue *transfers;     /* TRANSFER */
  GThread *mover;
} BnCpu;

/* ---- cpu.c ---- */

/* place.c: the calling thread works for this device from now on, and stays on its processors; the
 * run's thread, whose work is short, goes first where they share one. */
void bn_cpu_settle (const BnCpuDevice *device);

/* The copy is over; the run hears of its end when it should have taken so long. */
void bn_cpu_answer_copy (BnCpu *cpu, BnOp *op, BnOpStatus status);

/* ---- device.c: models in a device's memory ---- */

/* Arena, memory and residents, without threads. FALSE: there is no memory. */
bool bn_cpu_device_init (BnCpuDevice *device, BnCpu *cpu, uint32_t worker);
void bn_cpu_device_clear (BnCpuDevice *device);

/* A link's life; data is its device. Ends when link_work is closed. */
gpointer bn_cpu_link (gpointer data);

/* The model's weights on the device, to be released; NULL where it is not there. Waits while
 * it is moved. */
const float *bn_cpu_acquire (BnCpuDevice *device, uint32_t model);
void bn_cpu_release (BnCpuDevice *device, uint32_t model);

/* On the run's thread: the model, which no execution uses, may not be used from now on; `dropped`: and
 * its block may go. */
void bn_cpu_withdraw (BnCpuDevice *device, uint32_t model, bool dropped);

/* ---- data.c: inputs, outputs, transfers ---- */

/* The mover's life; data is the backend. Ends when `transfers` is closed. */
gpointer bn_cpu_mover (gpointer data);

/* What the client sent for this entry task, on `worker`, to be let go; NULL where it is neither there
 * nor could be: at the job's ingress it is made when it is first asked for. */
BnStoredBuffer *bn_cpu_client_input (BnCpu *cpu, const BnTask *task, uint32_t worker);

/* A buffer for so many stated bytes, or NULL. Freed by the store. */
float *bn_cpu_buffer_new (int64_t bytes);

/* ---- executor.c ---- */

/* An executor's life; data is it. Ends when run_work is closed. */
gpointer bn_cpu_executor (gpointer data);

#endif
