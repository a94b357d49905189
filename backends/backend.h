/* backend.h: who does the work: starts operations, and completes them later.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The run decides what is loaded, evicted, moved and executed, and when; a
 * backend does it, on a virtual clock (model) or for real (cpu, cuda). No start call
 * returns a duration: an operation stays open until the backend completes it through
 * the sink, exactly once, failure included. Operations name (server, device) through
 * the worker's number.
 *
 * All start calls are made on the run's thread and must not wait for anything. A real
 * backend completes from threads of its own with complete_from_thread, and may do so
 * before the start call has returned.
 *
 * What a real backend keeps. Of each job that lives, the outputs of its tasks, as copies
 * on workers: a RUN makes the copy of its task's output on its worker, a TRANSFER makes
 * one more, on `worker`, of the output of task `pred` of op->task's job, from the copy on
 * `from_worker`. With pred BN_NONE it is what the client sent for op->task: from the client
 * (from_worker BN_NONE: it makes it, see bn_nn_client_input) or from another worker's copy.
 * What the client sent is at the job's ingress without any operation, and outputs that stay
 * on a worker have none either. A RUN that finds an input or its model absent completes
 * with FAILED. job_over frees what is kept of a job. Of a job, threads may read id, workflow and
 * ingress only, of a task its number and job: the rest belongs to the run's thread.
 *
 * Ownership: the run makes and frees BnOp; a backend may use `scratch` while the
 * operation is open and must not touch it after completing it.
 */
#ifndef BN_BACKEND_H
#define BN_BACKEND_H

#include <glib.h>

#include "cost.h"
#include "job.h"
#include "measured.h"

typedef enum
{
  BN_OP_LOAD,      /* model: host memory of `worker` to its device              */
  BN_OP_EVICT,     /* model leaves the device of `worker`, written back          */
  BN_OP_TRANSFER,  /* bytes from the device of `from_worker` (BN_NONE: from the
                      client) to the device of `worker`                          */
  BN_OP_RUN        /* tasks[0 .. n_tasks-1], of one model, on `worker`           */
} BnOpKind;

typedef enum
{
  BN_OP_OK,
  BN_OP_OUT_OF_MEMORY,  /* a normal outcome: the run evicts or tries elsewhere  */
  BN_OP_FAILED,         /* this operation; the device goes on                   */
  BN_OP_DEVICE_LOST,    /* the device of `worker` is gone, with all it held: every open and
                           later operation of it completes so                   */
  BN_OP_CANCELLED
} BnOpStatus;

typedef struct BnOp
{
  BnOpKind kind;
  BnOpStatus status;        /* set by the sink when it completes                */
  uint32_t worker;
  int32_t from_worker;      /* TRANSFER                                         */
  int32_t model;            /* LOAD, EVICT, RUN; BN_NONE for a task without one */
  int32_t pred;             /* TRANSFER: task number of the producer, or BN_NONE */
  int64_t bytes;            /* LOAD, EVICT, TRANSFER                            */
  BnTask *task;             /* TRANSFER: the consumer. RUN: tasks[0]            */
  uint32_t n_tasks;         /* RUN: >= 1                                        */
  uint32_t epoch;           /* TRANSFER: task->epoch when it began              */
  BnTime start_ns;
  uint64_t place_in_line;   /* RUN: see BnSink.complete_at                      */
  uint64_t pending_step;    /* the run's: see BnSink.step_at                    */
  void *owner;              /* the run's                                        */
  int64_t scratch[2];       /* the backend's while it is open                   */
  double digest[2];         /* RUN: of the output, bn_nn_digest; the backend sets it where
                               settings->verify, before completing              */
  char *reason;             /* unless OK or CANCELLED: one line for a person, made with g_malloc; the
                               backend sets it before completing, the run frees it */
  BnTime completed_ns;      /* by complete_from_thread: the clock at that moment */
  BnTime not_before_ns;     /* by complete_from_thread                          */
  struct BnOp *next;        /* the run's                                        */
  struct BnOp *prev_open, *next_open; /* the run's: operations that are open     */
} BnOp;

typedef struct BnSink BnSink;

/* How a backend answers. `self` is opaque. All but the last two are called on the
 * run's thread only. */
struct BnSink
{
  uint32_t struct_size;
  /* The instant that the run is handling. */
  BnTime (*now) (BnSink *self);
  /* Completes an operation at once. */
  void (*complete) (BnSink *self, BnOp *op, BnOpStatus status);
  /* Completes it with OK at a time not before now. At equal times a RUN takes its
     place_in_line, loads and evictions come before all else, and a transfer comes
     in order of this call. */
  void (*complete_at) (BnSink *self, BnOp *op, BnTime time_ns);
  /* Calls the backend's `step` for the operation then. Takes the place of a step of it
     that has been asked for and has not come yet. */
  void (*step_at) (BnSink *self, BnOp *op, BnTime time_ns);
  /* From any thread: the operation is over. The run hears of it as soon as it can, or at
     not_before_ns if that is later. `op` is the run's again. */
  void (*complete_from_thread) (BnSink *self, BnOp *op, BnOpStatus status, BnTime not_before_ns);
  /* From any thread: the wall clock since the start of the run, for not_before_ns. */
  BnTime (*clock) (BnSink *self);
};

/* What a backend can do; asked before use. */
enum
{
  BN_BACKEND_VIRTUAL_TIME = 1 << 0,  /* the clock jumps to the next event      */
  BN_BACKEND_WRITEBACK = 1 << 1,     /* evictions may take time                */
  BN_BACKEND_COMPUTES = 1 << 2       /* outputs are real, digests can be had   */
};

/* What a person may set; each backend says which it heeds. */
typedef struct BnBackendSettings
{
  uint32_t struct_size;
  uint32_t threads;      /* cpu: threads of one execution, >= 1                     */
  bool paced;            /* copies take at least what the scenario's links would: see pace.h;
                            else they go as fast as memory goes                     */
  bool verify;           /* digests of outputs are wanted                           */
  uint64_t seed;         /* of the run: of the clients' data                        */
  const BnMeasured *measured; /* model: how long operations take, instead of the formulas;
                            borrowed, or NULL                                       */
} BnBackendSettings;

#define BN_BACKEND_SETTINGS_INIT { sizeof (BnBackendSettings), 1, false, false, 0, NULL }

typedef struct BnBackendSetup
{
  uint32_t struct_size;
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  const BnCost *cost;
  bool contention_fifo;      /* model: links serve one transfer at a time */
  BnSink *sink;              /* stays valid until close has returned      */
  const BnBackendSettings *settings;
} BnBackendSetup;

/* A device that a backend found on this machine. */
typedef struct BnBackendDevice
{
  char name[128];
  int64_t usable_bytes;      /* for models, asked of the device now */
} BnBackendDevice;

typedef struct BnBackend
{
  uint32_t struct_size;
  const char *name;
  const char *summary;
  uint32_t capabilities;                              /* BN_BACKEND_*             */
  /* Returns: its state, or NULL with `error` set: the platform asks for more than there is,
     a device cannot be opened; with what to do. Real ones make all weights here. */
  void *(*open) (const BnBackendSetup *setup, GError **error);
  /* No operation is open, or with `abandon` (the watchdog gave it up) some are, and
     threads that still work on them and what they use are left alone; the process then ends
     with _exit, as exit would take libraries from under them. */
  void (*close) (void *state, bool abandon);
  void (*start_load) (void *state, BnOp *op);
  void (*start_evict) (void *state, BnOp *op);
  void (*start_transfer) (void *state, BnOp *op);
  void (*start_run) (void *state, BnOp *op);
  void (*step) (void *state, BnOp *op);               /* NULL: never asked for    */
  /* The model leaves the device of `worker` now, at no cost: it is not in use, and loads of
     that worker started after this call may take its place. Also of one whose EVICT has failed, which
     is then still there, and of one that may not be there at all. NULL: need not be told. */
  void (*drop) (void *state, uint32_t worker, uint32_t model);
  /* No operation of this job is open or will come: what is kept of it may go. NULL: nothing is. */
  void (*job_over) (void *state, const BnJob *job);
  /* An open operation is not wanted any more: it completes soon, CANCELLED or as it would have
     anyhow. NULL: cannot be hurried. */
  void (*cancel) (void *state, BnOp *op);
  /* NULL where it can be used here; else why not, one line with what to do (transfer full). The hook
     itself NULL: it can always. */
  char *(*unavailable) (void);
  /* The devices found here, at most n, in order. Returns: how many there are. NULL: any number. */
  uint32_t (*devices) (BnBackendDevice *ret, uint32_t n);
  /* How it was opened, one line for a person: on what it works and what it had to do without
     (transfer full). NULL: nothing worth saying. */
  char *(*describe) (void *state);
} BnBackend;

/* Every backend of this build, NULL-terminated, in the order of lists. */
extern const BnBackend *const bn_backends[];

extern const BnBackend bn_model_backend;
extern const BnBackend bn_cpu_backend;
extern const BnBackend bn_cuda_backend;

/* By name; NULL with `error` set where there is none of that name, or where it cannot be
 * used here: says precisely why. */
const BnBackend *bn_backend_find (const char *name, GError **error);

#endif
