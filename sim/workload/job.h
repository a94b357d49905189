/* job.h: one arrival of a workflow, and the life of its tasks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A job is a workflow, a creation time, an ingress worker and one BnTask per
 * task. The run (sim/engine) owns and writes these structs; schedulers and
 * probes read them. A job lives from its creation until its last probe has
 * seen it end: nobody may keep a pointer beyond that.
 *
 * A task's life, each step the only legal next one:
 *
 *   waiting -> travelling -> queued -> starting -> running -> done
 *                   ^-----------/ (stolen)
 *      \___________\____________\_________\__________\____-> cancelled
 *
 * waiting: inputs are missing, and for a task that is not placed, a place too.
 * travelling: every input is at its worker or under way. starting: it holds a
 * slot; evictions, then a load. Cancelled: its job was refused or has failed,
 * or the run was stopped.
 */
#ifndef BN_JOB_H
#define BN_JOB_H

#include "bn.h"
#include "queued_task.h"
#include "workflow.h"

typedef enum
{
  BN_TASK_WAITING,
  BN_TASK_TRAVELLING,
  BN_TASK_QUEUED,
  BN_TASK_STARTING,
  BN_TASK_RUNNING,
  BN_TASK_DONE,
  BN_TASK_CANCELLED
} BnTaskState;

/* How a task with a model found it when it left the queue. */
typedef enum
{
  BN_ACCESS_NONE,   /* the task has no model, or has not started              */
  BN_ACCESS_HIT,    /* resident                                               */
  BN_ACCESS_MISS,   /* this task began the load                               */
  BN_ACCESS_JOINED  /* being loaded already (a sibling slot, or a prefetch)   */
} BnAccess;

typedef enum
{
  BN_JOB_LIVE,
  BN_JOB_DONE,
  BN_JOB_REFUSED,    /* can never run: see reason                             */
  BN_JOB_FAILED,     /* tried and given up: see reason                        */
  BN_JOB_DROPPED,    /* a scheduler's decision                                */
  BN_JOB_UNFINISHED  /* still live when the run ended                         */
} BnJobState;

typedef enum
{
  BN_REASON_NONE,
  BN_REASON_MODEL_EXCEEDS_GPU,  /* placed where its model can never fit       */
  BN_REASON_NO_GPU_FITS,        /* no worker of the cluster can hold it       */
  BN_REASON_NOT_PLACED,         /* the scheduler gave no worker when it had to */
  BN_REASON_BAD_WORKER,         /* the scheduler named a worker that is not there */
  BN_REASON_ATTEMPTS,           /* an operation of it failed too often: see failures */
  BN_REASON_DATA_LOST,          /* an input was only on a device that was lost    */
  BN_REASON_NO_WORKER_LEFT      /* no worker that is up can hold its model        */
} BnReason;

/* A place in a worker's queue: a task, or a reservation of a request (then
 * `request` is set and `task` is NULL). Links are sim/cluster's. */
typedef struct BnQueueNode
{
  struct BnQueueNode *prev, *next;
  struct BnTask *task;
  struct BnRequest *request;
} BnQueueNode;

typedef struct BnTask
{
  /* written by the run; durations are 0 and times BN_TIME_NEVER until known */
  int32_t worker;          /* where it is placed now, or BN_NONE              */
  int32_t planned_worker;  /* as planned on arrival; a task that was left open
                              takes the worker where it was first placed      */
  uint32_t n_missing;      /* inputs that have not arrived                    */
  uint32_t n_waiting;      /* predecessors that have not ended                */
  uint8_t state;           /* BnTaskState                                     */
  uint8_t access;          /* BnAccess                                        */
  uint8_t attempt;         /* how often it lost its slot without a result     */
  uint8_t n_failures;      /* operations for it that failed                   */
  int32_t adjusting;       /* predecessor whose output waits for the answer whether
                              the task is moved, or BN_NONE                   */
  uint32_t epoch;          /* rises when a placement changes: older transfers
                              under way are void                              */
  int32_t priority;        /* as the scheduler set it                         */
  double factor;           /* true runtime / profile runtime, 1 without noise */
  BnDuration estimate_ns;  /* runtime on `worker` as schedulers know it       */
  BnTime placed_ns;        /* last decision about it took effect              */
  BnTime ready_ns;         /* when it is expected to queue on `worker`        */
  BnTime enqueue_ns;       /* all inputs there, entered the queue; of a stolen task
                              the queue of the worker that has it now         */
  BnTime start_ns;         /* left the queue; evictions, then the load, begin */
  BnDuration evict_ns;     /* spent on evictions before its load              */
  BnDuration fetch_ns;     /* its load, or the rest of a load it joined, or
                              waiting for memory                              */
  BnTime exec_ns;          /* execution began                                 */
  BnTime end_ns;           /* execution ended                                 */
  int64_t moved_bytes;     /* inputs that crossed between workers             */
  int64_t fetch_bytes;     /* loaded for it                                   */
  int64_t evict_bytes;     /* evicted for it                                  */
  uint64_t place_in_line;  /* order of its completion among equal times       */
  BnQueuedTask shown;      /* as its worker's row shows it, once it has queued */
  BnQueueNode node;        /* its place in the queue                          */
  struct BnReservation *reservation;  /* or NULL; see reservations.h          */
  struct BnRequest *request;          /* of an open task with reservations    */
  bool bound;              /* pulled: a slot is held for it                   */
  bool pooled;             /* in the run's pool of ready tasks                */
  bool forwarded;          /* sent on by a worker that had got it             */
  bool stolen;             /* out of a queue                                  */
  int32_t stolen_from;     /* whose                                           */
  bool direct;             /* was open when placed: queues with its last input */
  double digest[2];        /* of its output, where it was really computed     */
  BnDuration loop_cpu_ns;  /* CPU time the run loop spent on its events; 0 on a virtual clock */
  struct BnJob *job;
} BnTask;

typedef struct BnJob
{
  int64_t id;               /* 0, 1, … in order of creation                   */
  const BnWorkflow *workflow;
  int32_t ingress;          /* worker that the client sends to                */
  uint8_t state;            /* BnJobState                                     */
  uint8_t reason;           /* BnReason                                       */
  uint32_t n_done;          /* tasks done                                     */
  uint32_t n_refs;          /* events under way that name it: the run's       */
  BnTime create_ns;
  BnTime arrive_ns;         /* at its ingress, or at the central scheduler    */
  BnTime end_ns;            /* its last task ended, or it was given up        */
  BnDuration lower_bound_ns; /* for slowdown, on the fastest GPU type present */
  BnTime deadline_ns;       /* absolute, or BN_TIME_NEVER                     */
  uint32_t n_active;        /* tasks that hold a slot                         */
  struct BnJob *live_prev, *live_next;  /* the run's list of live jobs        */
  BnTask tasks[];           /* [workflow->n_tasks]                            */
} BnJob;

/* The number of a task within its job. */
static inline uint32_t
bn_task_number (const BnTask *task)
{
  return (uint32_t) (task - task->job->tasks);
}

static inline const BnTaskSpec *
bn_task_spec (const BnTask *task)
{
  return &task->job->workflow->tasks[bn_task_number (task)];
}

/* Text for the enums above, as results print it ("done", "hit", …). */
const char *bn_job_state_name (BnJobState state);
const char *bn_access_name (BnAccess access);
const char *bn_reason_name (BnReason reason);

#endif
