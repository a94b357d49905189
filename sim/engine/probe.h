/* probe.h: what a run tells, and to whom.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A probe is a table of functions and a context. The run calls every function
 * that is not NULL at the moment the thing happens, in the order in which the
 * probes were given, and owns everything it passes: nothing may be kept beyond
 * the call. A probe observes; it must not change what it is shown. The results
 * writer, the metrics, the checker and the progress bar are all probes.
 *
 * Order for one job: job_created, job_arrived, task_decided for each task that
 * was planned; then for each task in turn task_decided if it was placed or moved
 * later, transfer for each input that crosses between workers, task_enqueued (again
 * where it was stolen from a queue, or after task_stopped), task_started, eviction and load
 * as needed, task_executing, task_finished; and job_ended once, whatever became of it; the failure that ended it may be told just after.
 */
#ifndef BN_PROBE_H
#define BN_PROBE_H

#include "backend.h"
#include "job.h"
#include "platform.h"

/* Which hook made a decision. */
typedef enum
{
  BN_DECIDED_PLAN,   /* on arrival of the job                     */
  BN_DECIDED_PLACE,  /* when the task became ready                */
  BN_DECIDED_PULL,   /* a worker with a free slot asked for work  */
  BN_DECIDED_FORWARD, /* its worker looked again when it had come */
  BN_DECIDED_STEAL,  /* a worker with nothing to do asked for it  */
  BN_DECIDED_REVIEW, /* out of the pool of ready tasks            */
  BN_DECIDED_RETRY   /* by the run itself, after a failure        */
} BnDecisionKind;

typedef struct BnDecision
{
  const BnJob *job;
  uint32_t task;
  BnDecisionKind kind;
  int32_t observer;         /* worker that decided, or BN_NONE: the central scheduler */
  int32_t from_worker;      /* where the task was before, or BN_NONE                  */
  int32_t worker;           /* chosen                                                 */
  BnTime asked_ns;          /* the question came up                                   */
  BnTime seen_ns;           /* the view is of this instant (asked, or later if the
                               observer was busy deciding)                            */
  BnTime effect_ns;         /* the decision takes effect                              */
  BnDuration seen_wait_ns;  /* FT of the chosen worker by its row as the observer saw
                               it, or -1 where the scheduler does not read loads      */
  BnDuration true_wait_ns;  /* the same from the true state at seen_ns, or -1         */
  BnDuration row_age_ns;    /* age of the chosen worker's load row, 0 for one's own;
                               -1 where the scheduler does not read loads             */
  int8_t seen_cached;       /* 1 yes, 0 no, -1 no model or caches not read            */
  int8_t true_cached;       /* the same in truth                                      */
  BnDuration decide_ns;     /* wall clock that the hook took; -1 on a virtual clock, unless
                               the options say decision_measured                      */
} BnDecision;

/* What the run did about an operation that failed. */
typedef enum
{
  BN_AFTER_RESENT,       /* the same transfer, load or run again, where it was   */
  BN_AFTER_EVICTED,      /* one model more was evicted, then the load again      */
  BN_AFTER_MOVED,        /* the task goes to another worker                      */
  BN_AFTER_JOB_FAILED,
  BN_AFTER_WORKER_DOWN,  /* nothing more is given to that worker                 */
  BN_AFTER_NOTHING       /* nobody needed it any more                            */
} BnAfterFailure;

typedef struct BnFailure
{
  BnTime start_ns;       /* the operation began                                  */
  BnTime time_ns;        /* the run heard of it                                  */
  BnOpKind kind;
  BnOpStatus status;     /* OUT_OF_MEMORY, FAILED or DEVICE_LOST                 */
  uint32_t worker;
  int32_t model;         /* or BN_NONE                                           */
  int64_t job_id;        /* or BN_NONE: a load that no task waited for           */
  int32_t task;
  uint32_t attempt;      /* of the task, from 0                                  */
  const char *reason;    /* the backend's                                        */
  BnAfterFailure after;
} BnFailure;

/* An input that crosses from one worker to another (or from the client to an
 * entry task's worker: from_worker is BN_NONE and pred is BN_NONE). */
typedef struct BnTransfer
{
  const BnJob *job;
  uint32_t task;
  int32_t pred;
  int32_t from_worker, to_worker;
  int64_t bytes;
  BnTime start_ns, end_ns;
  bool voided;              /* the task had moved on before it arrived */
} BnTransfer;

typedef enum
{
  BN_CACHE_LOADED,     /* a load ended: [start_ns, end_ns]                          */
  BN_CACHE_EVICTED,    /* a model left: [start_ns, end_ns], equal when it is free   */
  BN_CACHE_PRELOADED   /* resident from the start: both 0                           */
} BnCacheEventKind;

typedef struct BnCacheEvent
{
  BnCacheEventKind kind;
  uint32_t worker;
  uint32_t model;
  BnTime start_ns, end_ns;
  int64_t bytes;           /* of this model                                         */
  int64_t resident_bytes;  /* of the worker after it, loads under way included      */
  bool prefetch;           /* a load that no task waited for when it began          */
  int64_t job_id;          /* for whom, or BN_NONE                                  */
  int32_t task;
  BnTime left_ns;          /* EVICTED: not usable from here on, though writing it
                              back may begin later; else 0                          */
} BnCacheEvent;

typedef enum
{
  BN_RUN_COMPLETE,     /* every job ended                                            */
  BN_RUN_STUCK,        /* jobs are live and no event is left, or no time passes      */
  BN_RUN_INTERRUPTED,  /* somebody asked it to stop                                  */
  BN_RUN_FAILED        /* arrivals or a probe failed: the error says why             */
} BnRunStatus;

/* What the run counted; equal to what the probes could count themselves. */
typedef struct BnRunTotals
{
  BnRunStatus status;
  BnTime end_ns;             /* last event                                           */
  BnTime last_arrival_ns;    /* creation of the last job                             */
  int64_t n_jobs, n_done, n_refused, n_failed, n_dropped, n_unfinished;
  int64_t n_tasks_done;
  int64_t n_events;          /* events handled                                       */
  int64_t n_decisions;       /* hook calls                                           */
  int64_t n_messages;        /* between workers, other than rows and data            */
  int64_t n_forwarded;       /* tasks sent on by a worker that had got them          */
  int64_t n_stolen;          /* tasks given to a worker that asked                   */
  int64_t row_updates;       /* published row changes                                */
  int64_t row_bytes;         /* sizes of the published rows, see published.h         */
  int64_t n_failures;        /* operations that did not end well                     */
  int64_t n_workers_lost;
  BnDuration loop_cpu_ns;    /* on the wall clock: CPU time of the loop, all of it   */
  uint32_t peak_live_jobs;
  bool yardstick;            /* it knows what no real scheduler could                */
} BnRunTotals;

typedef struct BnProbe
{
  void *context;
  void (*run_started) (void *context, const BnPlatform *platform, const BnCatalogue *catalogue);
  void (*job_created) (void *context, const BnJob *job, BnTime now);
  void (*job_arrived) (void *context, const BnJob *job, BnTime now);
  /* With decision_measured: a question about the job was answered, which costs its observer so long. In the order of
     asking; the answer takes effect when that time has passed. */
  void (*decision_timed) (void *context, const BnJob *job, BnDuration cost_ns);
  void (*task_decided) (void *context, const BnDecision *decision);
  void (*transfer) (void *context, const BnTransfer *transfer);  /* told at its end */
  void (*task_enqueued) (void *context, const BnTask *task, BnTime now);
  void (*task_started) (void *context, const BnTask *task, BnTime now);
  void (*task_executing) (void *context, const BnTask *task, BnTime now);
  void (*task_finished) (void *context, const BnTask *task, BnTime now);
  /* An attempt is over without a result and its slot is free; was_executing tells whether
     task_executing had been told. The task queues again, or its job fails. */
  void (*task_stopped) (void *context, const BnTask *task, bool was_executing, BnTime now);
  void (*cache_event) (void *context, const BnCacheEvent *event);  /* told at its end; its place
                                                                      in line is that of its start */
  void (*op_failed) (void *context, const BnFailure *failure);
  /* On the wall clock: the loop handled something so long after it was due (a timer) or had
     happened (a completion). */
  void (*woken) (void *context, bool completion, BnDuration delay_ns);
  void (*job_ended) (void *context, const BnJob *job, BnTime now);
  void (*run_ended) (void *context, const BnRunTotals *totals);
} BnProbe;

#endif
