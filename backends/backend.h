/* backend.h: who does the work: starts operations, and completes them later.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The run decides what is loaded, evicted, moved and executed, and when; a
 * backend does it, on a virtual clock (model) or for real. No start call returns
 * a duration: an operation stays open until the backend completes it through the
 * sink, exactly once, failure included. Operations name (server, device) through
 * the worker's number.
 *
 * Ownership: the run makes and frees BnOp; a backend may use `scratch` while the
 * operation is open and must not touch it after completing it.
 */
#ifndef BN_BACKEND_H
#define BN_BACKEND_H

#include "cost.h"
#include "job.h"

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
  BN_OP_OUT_OF_MEMORY,  /* a normal outcome: the run evicts or tries elsewhere */
  BN_OP_FAILED,
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
  void *owner;              /* the run's                                        */
  int64_t scratch[2];       /* the backend's while it is open                   */
  struct BnOp *next;        /* the run's list of free ones                      */
} BnOp;

typedef struct BnSink BnSink;

/* How a backend answers. `self` is opaque. Calls are made on the run's thread. */
struct BnSink
{
  uint32_t struct_size;
  BnTime (*now) (BnSink *self);
  /* Completes an operation at once. */
  void (*complete) (BnSink *self, BnOp *op, BnOpStatus status);
  /* Completes it with OK at a time not before now. At equal times a RUN takes its
     place_in_line, loads and evictions come before all else, and a transfer comes
     in order of this call. */
  void (*complete_at) (BnSink *self, BnOp *op, BnTime time_ns);
  /* Calls the backend's `step` for the operation then. */
  void (*step_at) (BnSink *self, BnOp *op, BnTime time_ns);
};

/* What a backend can do; asked before use. */
enum
{
  BN_BACKEND_VIRTUAL_TIME = 1 << 0,  /* the clock jumps to the next event      */
  BN_BACKEND_WRITEBACK = 1 << 1      /* evictions may take time                */
};

typedef struct BnBackendSetup
{
  uint32_t struct_size;
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  const BnCost *cost;
  bool contention_fifo;      /* links serve one transfer at a time */
  BnSink *sink;
} BnBackendSetup;

typedef struct BnBackend
{
  uint32_t struct_size;
  const char *name;
  const char *summary;
  uint32_t capabilities;                              /* BN_BACKEND_*             */
  void *(*open) (const BnBackendSetup *setup);        /* Returns: its state       */
  void (*close) (void *state);
  void (*start_load) (void *state, BnOp *op);
  void (*start_evict) (void *state, BnOp *op);
  void (*start_transfer) (void *state, BnOp *op);
  void (*start_run) (void *state, BnOp *op);
  void (*step) (void *state, BnOp *op);               /* NULL: never asked for    */
} BnBackend;

/* Every backend of this build, NULL-terminated, in the order of lists. */
extern const BnBackend *const bn_backends[];

extern const BnBackend bn_model_backend;

#endif
