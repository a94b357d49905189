/* scheduler.h: what a scheduler is. Everything a policy's author needs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A scheduler decides and never acts. It is one `static const BnScheduler` in
 * one file: a name, parameters, a block of state and some hooks. The run calls a
 * hook when something is to be decided, tells it who is asking (the *observer*:
 * a worker, or the central scheduler) and what that observer can see, and the
 * hook answers through the host table. Nothing a hook sees is the truth about
 * other workers: only rows as old as the scenario says.
 *
 * For one job the hooks come in this order:
 *   plan   once, on arrival. May give every task a worker, or some, or none.
 *   place  for each task, when its last predecessor has ended (for an entry task
 *          that plan left open: at once). Called for a task that has a worker
 *          already if the scheduler sets BN_SCHED_ADJUSTS; otherwise only for
 *          open ones. Keeps the worker by saying nothing, or changes it, or
 *          answers with reservations.
 *   forward  when a planned or placed task has come to its worker with all its
 *          inputs, if the scenario says redecide=on: keeps it by saying nothing, or
 *          sends it to another worker, once in its life.
 *   review  (BN_SCHED_POOLS instead of place) what of the pool of ready tasks goes
 *          where now; the rest waits there.
 *   pull   when a slot is free at a worker and the head of its queue is a
 *          reservation: binds one task of that request, or none.
 * Besides, one that asks for it hears by `notice` what has become of what it decided: as
 * late as the message would be, and no later than the next hook.
 * Outputs go at once to the planned worker of a successor; inputs of an open
 * task wait where they were produced.
 *
 * One state serves all observers of a run. A decentralised policy must therefore
 * keep what one observer knows from another: index it by call->observer.
 *
 * Rules: no call may block, print, read a clock or use randomness other than
 * setup->rng. Memory for the state comes zeroed and is freed by the host; a
 * policy that needs more allocates in init and frees in fini.
 *
 * <stdint.h> only. The struct grows at the end; struct_size tells which form a
 * table has. NULL hooks mean the default stated beside them.
 */
#ifndef BN_SCHEDULER_H
#define BN_SCHEDULER_H

#include "bn.h"
#include "cost.h"
#include "job.h"
#include "param.h"
#include "platform.h"
#include "queue_order.h"
#include "rng.h"
#include "view.h"

/* What init may answer, or'ed together. */
enum
{
  BN_SCHED_CENTRAL = 1 << 0,      /* one central observer decides; every row is old for it */
  BN_SCHED_READS_LOADS = 1 << 1,  /* reads the load columns of the view; else it sees every
                                     worker free, whoever else in the run reads them       */
  BN_SCHED_READS_CACHES = 1 << 2, /* reads holders and cached_bytes of the view            */
  BN_SCHED_ADJUSTS = 1 << 3,      /* wants `place` for a task that has a worker, too, if it
                                     has one predecessor                                    */
  BN_SCHED_ADJUSTS_JOINS = 1 << 4, /* and for one with several                               */
  BN_SCHED_RESERVES = 1 << 5,     /* answers `place` with reservations: open tasks that
                                     become ready together are one request                 */
  BN_SCHED_READS_QUEUES = 1 << 6, /* reads `queues` of the view, task by task              */
  BN_SCHED_READS_CLASSES = 1 << 7, /* reads `queues` of the view, as a histogram           */
  BN_SCHED_POOLS = 1 << 8,        /* leaves ready tasks in the run's pool and is asked to
                                     `review` it; decides centrally, and costs no time     */
  BN_SCHED_YARDSTICK = 1 << 9,    /* knows what no real scheduler could: rows are the truth
                                     and messages free for it, and it is shown as such     */
  BN_SCHED_HEARS_JOBS = 1 << 10,  /* wants the notices of that kind                         */
  BN_SCHED_HEARS_TASKS = 1 << 11,
  BN_SCHED_HEARS_WORKERS = 1 << 12,
  BN_SCHED_HEARS = BN_SCHED_HEARS_JOBS | BN_SCHED_HEARS_TASKS | BN_SCHED_HEARS_WORKERS,
  BN_SCHED_NEVER_PLANS = 1 << 13, /* as if `plan` were NULL: for tables that serve schedulers
                                     of which one has that hook and another has not          */
  BN_SCHED_NEVER_PLACES = 1 << 14 /* the same of `place`                                     */
};

typedef struct BnSchedHost BnSchedHost;
typedef struct BnScheduler BnScheduler;

/* How a worker's answers reach the run. `self` is opaque. */
struct BnSchedHost
{
  uint32_t struct_size;

  /* Puts task number `task` of the job of this call on `worker`. In plan: any
     task. In place and pull: the task asked about. `priority` is 0 unless the
     queue order uses it. The last word on a task counts. */
  void (*place) (BnSchedHost *self, uint32_t task, uint32_t worker, int32_t priority);

  /* Queues a reservation of this request at `worker`: place only. A request is
     the set of open tasks that became ready together; the run cancels what is
     left of its reservations when its last task is bound. */
  void (*reserve) (BnSchedHost *self, uint32_t worker);

  /* Puts pooled task number `index` of a review call on `worker`: review only. */
  void (*bind) (BnSchedHost *self, uint32_t index, uint32_t worker);

  /* Ends the run as failed once the hook has returned: the scheduler cannot go on, for a
     reason outside of the program. The text is copied; the first one counts. */
  void (*fail) (BnSchedHost *self, const char *reason);
};

typedef struct BnSchedSetup
{
  uint32_t struct_size;
  const BnParamValue *params;    /* one for each spec, in order */
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  const BnCost *cost;
  BnRng rng;                     /* the scheduler's own stream; copy it into the state */
  const BnQueueOrder *order;     /* in which workers run their queues */
  const BnQueueOrderSettings *order_settings;
  const BnQueueClasses *classes; /* of the order's keys */
  bool overlap;                  /* a load goes beside a running task */
  const void *user;              /* of whoever made the run for a scheduler of his own; else NULL */
  const BnScheduler *scheduler;  /* whose init this is */
  const char *const *own_settings; /* "name=value", NULL-terminated, by name: of a scheduler that takes what the program
                                    does not know; NULL: none */
} BnSchedSetup;

typedef struct BnPlanCall
{
  uint32_t struct_size;
  int32_t observer;              /* BN_NONE: central */
  BnTime now;
  const BnJob *job;
  const BnView *view;
  BnSchedHost *host;
} BnPlanCall;

typedef struct BnPlaceCall
{
  uint32_t struct_size;
  int32_t observer;
  BnTime now;
  const BnJob *job;
  uint32_t n_tasks;              /* tasks of the request; > 1 only with BN_SCHED_RESERVES */
  const uint32_t *tasks;         /* [n_tasks] task numbers                        */
  int32_t at_worker;             /* where the last predecessor ended, or the ingress */
  const BnView *view;
  BnSchedHost *host;
} BnPlaceCall;

typedef struct BnPullCall
{
  uint32_t struct_size;
  int32_t observer;              /* who scheduled the request, and is asked */
  uint32_t worker;               /* that has a free slot */
  BnTime now;
  const BnJob *job;
  uint32_t n_tasks;              /* tasks of the request not yet bound, >= 1 */
  const uint32_t *tasks;
  const BnView *view;
  BnSchedHost *host;
} BnPullCall;

/* A task has come to its worker with all its inputs and is about to queue. */
typedef struct BnForwardCall
{
  uint32_t struct_size;
  int32_t observer;              /* the worker that has it */
  BnTime now;
  const BnJob *job;
  uint32_t task;
  BnDuration margin_ns;          /* by how much another worker must be better */
  const BnView *view;
  BnSchedHost *host;
} BnForwardCall;

typedef struct BnReviewCall
{
  uint32_t struct_size;
  BnTime now;
  uint32_t n_tasks;
  BnTask *const *tasks;          /* [n_tasks] the pool, in the order in which they came;
                                    read-only */
  const BnView *view;
  BnSchedHost *host;             /* its `bind` puts one of them on a worker */
} BnReviewCall;

typedef enum
{
  BN_NOTICE_JOB_ENDED,      /* heard where it came from: its ingress; if done, when its last result is there */
  BN_NOTICE_TASK_FINISHED,  /* heard by the worker that ran it                                      */
  BN_NOTICE_WORKER_DOWN     /* its device is lost; heard by everybody, a message later              */
} BnNoticeKind;

/* A central scheduler hears all of them, a message later; of a job that was given up everybody knows at once. */
typedef struct BnNotice
{
  uint32_t struct_size;
  BnNoticeKind kind;
  int32_t observer;              /* who hears it; BN_NONE: the central scheduler, or everybody */
  BnTime now;                    /* when                                    */
  int64_t job;                   /* JOB_ENDED, TASK_FINISHED; else BN_NONE  */
  int32_t workflow;              /* likewise                                */
  int32_t task;                  /* TASK_FINISHED; else BN_NONE             */
  int32_t worker;                /* TASK_FINISHED: that ran it; WORKER_DOWN; else BN_NONE */
  BnJobState state;              /* JOB_ENDED: DONE, REFUSED or FAILED      */
  BnDuration took_ns;            /* TASK_FINISHED: its execution; JOB_ENDED: from its creation to its end */
} BnNotice;

struct BnScheduler
{
  uint32_t struct_size;
  const char *name;
  const char *summary;           /* one line */
  const BnParamSpec *params;
  uint32_t n_params;
  uint32_t state_bytes;

  /* Returns: BN_SCHED_* flags, which may depend on the parameters. */
  uint32_t (*init) (void *state, const BnSchedSetup *setup);
  void (*fini) (void *state);                              /* NULL: nothing to free     */
  void (*plan) (void *state, const BnPlanCall *call);      /* NULL: leaves all open     */
  void (*place) (void *state, const BnPlaceCall *call);    /* NULL: keeps the plan; jobs
                                                              with open tasks are refused */
  void (*pull) (void *state, const BnPullCall *call);      /* NULL: binds the first one */
  void (*forward) (void *state, const BnForwardCall *call); /* NULL: as `late` would, see
                                                              ready.h; called with redecide=on */
  void (*review) (void *state, const BnReviewCall *call);  /* BN_SCHED_POOLS; at every arrival
                                                              and end of a task */
  const void *own;               /* of whoever made the table, as plugin.c; else NULL */
  void (*notice) (void *state, const BnNotice *notice); /* BN_SCHED_HEARS_*; no answer   */
};

#endif
