/* run_internal.h: the run's own state, shared by the files of this room.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * open.c     a run is put together and taken apart
 * run.c      its life, the loop on a virtual clock, the sink
 * jobs.c     a job is created, arrives, ends, is given up
 * travel.c   inputs travel, tasks queue
 * execute.c  slots, executions
 * load.c     loads and evictions
 * overlap.c  the same worker with its link and its slots as two resources
 * proactive.c  copies of models made before a task asks
 * turn.c     what is to be decided, by whom, when it takes effect
 * ask.c      a question is put to the scheduler, and what its answer does
 * pull.c     requests of open tasks and their reservations in queues
 * pool.c     the pool of ready tasks that a central scheduler reviews
 * steal.c    workers with nothing to do ask for work
 * notice.c   what the scheduler hears of what it decided
 * real.c     the loop on the wall clock, what it costs, how it is stopped
 * wall.[ch]  that clock, and what wakes the loop
 * failure.c  operations that fail, workers that are lost
 * verify.c   the debug check of everything, the dump of a stuck run
 */
#ifndef BN_RUN_INTERNAL_H
#define BN_RUN_INTERNAL_H

#include <glib.h>

#include "backend.h"
#include "event_queue.h"
#include "panic.h"
#include "ready.h"
#include "run.h"
#include "wall.h"
#include "worker.h"

typedef enum
{
  EVENT_CREATE,   /* run->next_spec becomes a job                           */
  EVENT_ARRIVE,   /* object: job                                            */
  EVENT_DELIVER,  /* object: task, arg: epoch; an input that had no way     */
  EVENT_ENQUEUE,  /* object: task, arg: epoch                               */
  EVENT_OP_DONE,  /* object: op                                             */
  EVENT_OP_STEP,  /* object: op                                             */
  EVENT_ASK,      /* object: ask; its observer is free to decide            */
  EVENT_EFFECT,   /* object: ask; its answer takes effect                   */
  EVENT_RESERVE,  /* object: reservation node; it has reached its worker    */
  EVENT_PULL,     /* object: pull; the worker's message has reached the scheduler */
  EVENT_RELEASE,  /* arg: worker; the scheduler's `none` has reached it     */
  EVENT_STEAL_POLL,    /* arg: worker; a timer                              */
  EVENT_STEAL_REQUEST, /* object: steal; it has reached the victim          */
  EVENT_STEAL_GIVEN,   /* object: task, arg: epoch; the thief knows         */
  EVENT_PROACTIVE      /* arg: worker; a timer                              */
} EventKind;

/* A run is stuck when this many events pass at one instant: more than any finite
 * workload can cause without time passing. */
#define BN_RUN_MAX_EVENTS_AT_ONE_INSTANT INT64_C (100000000)

/* What one hook call answered about one task. */
typedef struct Answer
{
  uint32_t task;
  uint32_t worker;
  int32_t priority;
  BnDuration seen_wait_ns, true_wait_ns, row_age_ns;
  int8_t seen_cached, true_cached;
} Answer;

typedef struct Pull Pull;

/* A question to the scheduler, from asking to effect. */
typedef struct Ask
{
  struct Ask *next_free;  /* or the next one in its observer's line */
  BnDecisionKind kind;
  BnJob *job;
  int32_t observer;
  int32_t at_worker;
  uint32_t epoch;         /* FORWARD: of the task */
  int32_t ended;          /* PLACE of a planned task: the predecessor whose output then goes, or BN_NONE */
  Pull *pull;             /* PULL */
  BnTime asked_ns, seen_ns;
  uint32_t *tasks;        /* PLACE, PULL: [n_tasks] */
  uint32_t n_tasks, capacity_tasks;
  Answer *answers;
  uint32_t n_answers, capacity_answers;
  BnDuration decide_ns;   /* wall clock of the hook, or -1  */
  BnDuration cost_ns;     /* that the answer takes its observer, as far as it is known */
  uint32_t *reserved;     /* workers that get a reservation */
  uint32_t n_reserved, capacity_reserved;
} Ask;

/* What waits for an observer whose decisions take as long as they are measured to take. */
typedef struct AskLine
{
  Ask *first, *last;
  bool busy;              /* it decides: who comes waits */
} AskLine;

/* A reservation in a worker's queue. */
typedef struct ReservationNode
{
  BnQueueNode node;
  uint32_t worker;
  bool queued;                   /* false: on its way, or cancelled on its way */
  struct ReservationNode *next;  /* of the same request                     */
} ReservationNode;

/* Open tasks that became ready together. */
struct BnRequest
{
  BnJob *job;
  int32_t observer;        /* who scheduled it, and hands its tasks out    */
  uint32_t *tasks;         /* [n_tasks] not bound yet                      */
  uint32_t n_tasks;
  uint32_t n_pulls;        /* workers that are asking                      */
  ReservationNode *nodes;  /* in queues, or on their way                   */
};
typedef struct BnRequest BnRequest;

/* A worker that holds a slot free and asks for a task. */
struct Pull
{
  BnRequest *request;
  uint32_t worker;
};

/* A worker asks another for a task. */
typedef struct Steal
{
  struct Steal *next_free;
  uint32_t thief, victim;
  uint64_t *resident;      /* models that the thief holds, a bit each */
} Steal;

/* A load with the evictions before it. */
typedef struct Load
{
  struct Load *next_free;
  uint32_t worker, model;
  bool is_prefetch;        /* nobody waited for it when it began: no task's miss */
  bool is_beside;          /* no slot is held for it        */
  BnTime decided_ns;       /* the victims left the cache    */
  BnTime start_ns;         /* of the load itself            */
  int64_t leaving_bytes;   /* of its victims not gone yet   */
  uint32_t n_retries;      /* of the load itself             */
  uint32_t n_victims, next_victim, capacity_victims;
  uint32_t *victims;
} Load;

/* Subscribers of each hook. */
typedef struct Listeners
{
  const BnProbe **probes;
  uint32_t n;
} Listeners;

struct BnRun
{
  BnRunConfig config;
  BnCost *cost;
  BnEventQueue *events;
  BnTime now;
  BnWorker *workers;             /* [n_workers] */
  BnPublished *table;
  const BnQueueOrder *order;
  const BnEviction *eviction;

  const BnBackend *backend;
  void *backend_state;
  BnSink sink;
  BnOp *free_ops;
  BnWall *wall;                  /* NULL on a virtual clock, as are all of these up to charged_since_ns: */
  BnOp *open_ops;                /* not completed yet, through next_open                      */
  uint32_t n_open_ops;
  BnTime transfer_done_ns;       /* the last completion of a transfer                         */
  BnTime look_ns;                /* when the watchdog looks at them again                     */
  bool cut_off;                  /* an interrupt ended arrivals                               */
  bool unresponsive;             /* the watchdog has bitten                                   */
  bool abandoned;                /* the backend does not answer: what its threads use stays   */
  BnTask *charged_task;          /* for whom the loop works now: one of these or none         */
  BnJob *charged_job;
  BnDuration charged_since_ns;   /* CPU time of the loop when that began                      */
  uint8_t *down;                 /* [n_workers]: its device is lost                           */
  Load *free_loads;

  void *scheduler_state;
  uint32_t traits;               /* BN_SCHED_*, with what the options need */
  bool tracks_loads;             /* somebody reads load rows               */
  int64_t *no_loads;             /* [n_workers] of 0: the load columns of a scheduler that does not
                                    read them, where somebody else does; else NULL            */
  bool shows_queues;             /* rows tell more of queues than a sum    */
  BnReady *forwarder;            /* decides again for a scheduler that does not say how */
  BnQueueClasses classes;
  BnSchedHost host;
  BnEventQueue *notices;         /* on their way to it; NULL: it wants none */
  Ask *hosted;                   /* the question being answered */
  Ask *free_asks;
  BnTime *observer_free_ns;      /* [n_workers + 1], central last */
  AskLine *lines;                /* likewise; NULL where costs of decisions are not measured */

  BnArrivals *arrivals;
  BnJobSpec next_spec;
  BnEventHandle next_creation;
  bool arrivals_over;            /* no job is to come */
  GError *error;                 /* of the arrivals */
  BnNoiseSource noise;
  BnJob *live_first, *live_last;
  uint32_t n_live;
  BnTask **pool;                 /* [n_pool] ready tasks, in order of coming */
  uint32_t n_pool, capacity_pool;
  Answer *bound;                 /* [n_bound] of the review under way; `task` is the pool's index */
  uint32_t n_bound, capacity_bound;

  BnEventHandle *steal_polls;    /* [n_workers]: pending, or 0; NULL without stealing */
  Steal *free_steals;
  BnTask **order_scratch;        /* a queue in service order */
  uint32_t capacity_order_scratch;
  uint32_t n_timers;             /* pending timers, which cannot bring a stuck run on: once nothing
                                    else is pending, the run is over                          */
  BnJob **free_jobs;             /* [n_workflows]: lists through live_next */
  uint8_t *runnable;             /* [n_workflows]: every model fits somewhere */
  double *uses;                  /* [n_models]: tasks that need it in a job of the mix; NULL: not asked */
  BnRng proactive_rng;

  BnTime *row_scratch;           /* [max slots] */
  uint8_t *chosen_scratch;       /* [n_models]  */
  uint32_t *victim_scratch;      /* [n_models]  */
  uint8_t *spared_scratch;       /* [n_models]  */
  double *value_scratch;         /* [n_models]  */
  BnNextUse *next_use_scratch;   /* [n_models]  */
  uint32_t *ready_scratch;       /* [max tasks] */
  uint32_t *left_scratch;        /* [max tasks] */
  uint32_t *answer_at;           /* [max tasks]: place of a task's answer, if it has one */

  Listeners on_job_created, on_job_arrived, on_decision_timed, on_task_decided, on_transfer, on_task_enqueued,
    on_task_started, on_task_executing, on_task_finished, on_task_stopped, on_cache_event, on_op_failed, on_woken,
    on_job_ended;

  BnRunTotals totals;
  BnPanicContext panic;
  volatile gint interrupted;
};

#define TELL(run, hook, ...)                                                                                        \
  do                                                                                                                \
    for (uint32_t i_ = 0; i_ < (run)->on_##hook.n; i_++)                                                            \
      (run)->on_##hook.probes[i_]->hook ((run)->on_##hook.probes[i_]->context, __VA_ARGS__);                        \
  while (0)

/* Whether the scheduler is asked where tasks without a worker go. */
static inline bool
bn_run_places (const BnRun *run)
{
  return run->config.scheduler->place && !(run->traits & BN_SCHED_NEVER_PLACES);
}

static inline void
bn_run_schedule (BnRun *run, BnTime time_ns, EventKind kind, void *object, uint32_t arg)
{
  BnEvent event = { time_ns, object, arg, kind };
  bn_event_queue_schedule (run->events, &event, BN_RANK_NORMAL);
}

/* What a message from one worker to another takes. */
static inline BnDuration
bn_run_message_ns (const BnRun *run, int32_t a, int32_t b)
{
  return a == b || run->config.options.messages == BN_MESSAGES_FREE ? 0 : run->config.platform->network.latency_ns;
}

/* The wall clock for how long a scheduler's hook takes: from the first to the second, which is -1 on a
 * virtual one. */
static inline BnTime
bn_run_hook_begins (const BnRun *run)
{
  return run->wall ? bn_wall_now (run->wall) : 0;
}

static inline BnDuration
bn_run_hook_took (const BnRun *run, BnTime began_ns)
{
  return run->wall ? bn_wall_now (run->wall) - began_ns : -1;
}

/* ---- jobs.c ---- */
bool bn_run_fetch_spec (BnRun *run);           /* the next job, or the end of arrivals; false on error */
void bn_run_create_job (BnRun *run);
void bn_run_job_arrives (BnRun *run, BnJob *job);
void bn_run_plan_applies (BnRun *run, Ask *ask);
void bn_run_finish_job (BnRun *run, BnJob *job, BnJobState state);
void bn_run_refuse_job (BnRun *run, BnJob *job, BnReason reason);
void bn_run_fail_job (BnRun *run, BnJob *job, BnReason reason);
void bn_run_unref_job (BnRun *run, BnJob *job); /* an event that named it is over */

/* ---- travel.c ---- */
/* false: the job is refused, as no task of it could ever run there. */
bool bn_run_accept_worker (BnRun *run, BnTask *task, uint32_t worker);
/* Gives the task a worker for the first time. */
void bn_run_assign (BnRun *run, BnTask *task, uint32_t worker, int32_t observer);
/* Gives a task that is not queued another worker, as what it had is lost there: what its
 * predecessors have handed over is sent anew. */
void bn_run_relocate (BnRun *run, BnTask *task, uint32_t worker, int32_t observer);
/* Gives an open, ready task a worker and sends it everything it needs. */
void bn_run_place_open (BnRun *run, BnTask *task, uint32_t worker, int32_t observer);
/* Gives a planned, ready task another worker; what had been sent is sent anew,
 * but for the output of `ended`, which the caller sends. */
void bn_run_move (BnRun *run, BnTask *task, uint32_t worker, int32_t observer, int32_t ended);
void bn_run_send_input (BnRun *run, BnTask *task, uint32_t pred);
void bn_run_send_from_client (BnRun *run, BnTask *task);
void bn_run_delivered (BnRun *run, BnTask *task, uint32_t epoch);
/* To the backend, or at once to its failure where its source is lost. */
void bn_run_start_transfer_op (BnRun *run, BnOp *op);
void bn_run_transfer_done (BnRun *run, BnOp *op);
void bn_run_enqueue (BnRun *run, BnTask *task, uint32_t epoch);
void bn_run_settle_reservation (BnRun *run, BnTask *task);
/* Into its worker's queue, and out of it for another worker or for good; the caller
 * reports the row. */
void bn_run_queue (BnRun *run, BnTask *task);
void bn_run_unqueue (BnRun *run, BnTask *task);
/* A task that has all its inputs where it is goes to `worker`, where it queues with the
 * last of them, expected at ready_ns; bn_run_fetch_inputs then sends them. */
void bn_run_send_on (BnRun *run, BnTask *task, uint32_t worker, int32_t observer, BnTime ready_ns);
void bn_run_fetch_inputs (BnRun *run, BnTask *task, uint32_t from);
/* How long the inputs of a task take from one worker to another. */
BnDuration bn_run_way_ns (const BnRun *run, const BnTask *task, uint32_t from, uint32_t to);

/* ---- execute.c ---- */
/* Starts what can start. Reports the row if it has `changed`, or does so here. */
void bn_run_dispatch (BnRun *run, BnWorker *worker, bool changed);
void bn_run_row_changed (BnRun *run, const BnWorker *worker);
/* Takes a task out of the queue and into a free slot. */
BnSlot *bn_run_take_slot (BnRun *run, BnWorker *worker, BnTask *task);
/* Gives a slot back whose task has not ended: the attempt is over. */
void bn_run_stop_attempt (BnRun *run, BnTask *task);
/* What the task of the slot waited for is there. */
void bn_run_begin_run (BnRun *run, BnSlot *slot);
void bn_run_task_ended (BnRun *run, BnOp *op);

/* Its key in the queue's order at this instant; 0 for all in order of entry. */
static inline double
bn_run_queue_key (const BnRun *run, const BnWorker *worker, const BnTask *task)
{
  return run->order->key ? bn_worker_key (worker, task, run->order, &run->config.options.queue_settings, run->cost,
                                          run->now)
                         : 0;
}

/* ---- load.c ---- */
/* Whom a load of `model` could evict, in victim_scratch; `spared` as in
 * BnEvictionHints. Returns: their number, or BN_NONE where there is no room. */
int32_t bn_run_choose_victims (BnRun *run, const BnWorker *worker, uint32_t model, const uint8_t *spared);
/* A load that found too little memory evicts one model more and begins again; false where
 * no model may leave. */
bool bn_run_evict_one_more (BnRun *run, Load *load);
void bn_run_load_again (BnRun *run, Load *load);
/* Forgets a load that has failed for good; its entry goes, and no slot may wait for it. */
void bn_run_abandon_load (BnRun *run, Load *load);
/* A model that is there and not in use is taken for gone. */
void bn_run_lose_model (BnRun *run, BnWorker *worker, uint32_t model);
/* All of them, with their device. */
void bn_run_lose_idle_models (BnRun *run, BnWorker *worker);
/* Makes room and begins a load: the miss of `task`, which may be queued still, or
 * nobody's (NULL). */
void bn_run_begin_load (BnRun *run, BnWorker *worker, uint32_t model, BnTask *task, const uint32_t *victims,
                        uint32_t n_victims);
void bn_run_load_done (BnRun *run, BnOp *op);
void bn_run_evict_done (BnRun *run, BnOp *op);
bool bn_run_preload (BnRun *run, const BnPreload *preload, GError **error);

/* ---- overlap.c ---- */
/* Begins the load and the executions that can begin. Returns: whether the row changed. */
bool bn_run_dispatch_overlap (BnRun *run, BnWorker *worker);

/* ---- proactive.c ---- */
/* Whether somebody asks what copies of models are worth: the run must know who holds what. */
bool bn_run_values_copies (const BnRunConfig *config);
void bn_run_open_values (BnRun *run);
/* What the copy that a worker holds is worth: uses * load / holders as it sees them. */
double bn_run_copy_value (BnRun *run, const BnWorker *worker, uint32_t model);
void bn_run_start_timers (BnRun *run);
void bn_run_proactive (BnRun *run, uint32_t worker);  /* EVENT_PROACTIVE */

/* ---- turn.c ---- */
void bn_run_ask_plan (BnRun *run, BnJob *job);
/* A task of `tasks` that has a worker is one to adjust, and then the only one. */
void bn_run_ask_place (BnRun *run, BnJob *job, const uint32_t *tasks, uint32_t n_tasks, uint32_t at_worker,
                       int32_t ended);
void bn_run_ask_pull (BnRun *run, Pull *pull);
void bn_run_ask_forward (BnRun *run, BnTask *task);
bool bn_run_ask_now (BnRun *run, Ask *ask);      /* EVENT_ASK: whether its observer is busy now */
void bn_run_ask_over (BnRun *run, Ask *ask);     /* EVENT_EFFECT */
/* Takes back what is not answered. */
void bn_run_drop_ask (BnRun *run, Ask *ask);

/* ---- ask.c ---- */
void bn_run_init_host (BnRun *run);
/* Its answers are in `ask` then, with what they cost. */
void bn_run_call_hook (BnRun *run, Ask *ask);
/* What the observer of `view` saw of the worker that is chosen for a task. */
void bn_run_note_what_was_seen (BnRun *run, Answer *answer, int32_t model, const BnView *view);
void bn_run_ask_effect (BnRun *run, Ask *ask);
/* Tells the probes of an answer that took effect. */
void bn_run_tell_decision (BnRun *run, const Ask *ask, const Answer *answer, int32_t from_worker);
/* Of one that was nobody's answer: the task has its new worker, by what it is, not by what was seen. */
void bn_run_tell_unasked (BnRun *run, const BnTask *task, BnDecisionKind kind, int32_t observer,
                          int32_t from_worker);

/* ---- pull.c ---- */
void bn_run_reserve (BnRun *run, Ask *ask);
void bn_run_reservation_arrives (BnRun *run, ReservationNode *node);
void bn_run_release_slot (BnRun *run, uint32_t worker);
/* Frees a reservation that is on its way. */
void bn_run_drop_reservation (ReservationNode *node);
/* A reservation in the queue of a lost worker goes to one that is up. */
void bn_run_move_reservation (BnRun *run, BnQueueNode *node);
void bn_run_start_pull (BnRun *run, BnWorker *worker, BnQueueNode *node);
/* The scheduler has handed a task out: its request has it no longer. */
void bn_run_pull_answered (BnRun *run, Ask *ask);
void bn_run_pull_applies (BnRun *run, Ask *ask);
void bn_run_cancel_requests (BnRun *run, BnJob *job);
/* Frees a pull that is over, and its request with the last one. */
void bn_run_drop_pull (Pull *pull);

/* ---- pool.c ---- */
void bn_run_pool (BnRun *run, BnTask *task);
/* A worker is lost: jobs whose tasks in the pool no worker can run any more fail. */
void bn_run_empty_hopeless_pool (BnRun *run);
void bn_run_unpool (BnRun *run, BnTask *task);
/* Asks what of the pool goes where now. */
void bn_run_review (BnRun *run);
void bn_run_host_bind (BnRun *run, uint32_t index, uint32_t worker);

/* ---- steal.c ---- */
/* Whether the worker has nothing to do may have changed. */
void bn_run_idle_changed (BnRun *run, const BnWorker *worker);
/* A job is live again, so it is worth asking for work. */
void bn_run_wake_thieves (BnRun *run);
void bn_run_poll_for_work (BnRun *run, uint32_t worker);
void bn_run_asked_for_work (BnRun *run, Steal *steal);
void bn_run_work_given (BnRun *run, BnTask *task, uint32_t epoch);
void bn_run_free_steal (BnRun *run, Steal *steal);

/* ---- notice.c ---- */
void bn_run_notice_job (BnRun *run, const BnJob *job);
void bn_run_notice_task (BnRun *run, const BnTask *task);
void bn_run_notice_worker (BnRun *run, const BnWorker *worker);
/* Tells the scheduler what it has heard by `until_ns`, before it is asked something. */
void bn_run_tell_notices (BnRun *run, BnTime until_ns);
void bn_run_free_notices (BnRun *run);

/* ---- verify.c ---- */
void bn_run_verify (const BnRun *run);

/* ---- real.c ---- */
BnRunStatus bn_run_loop_real (BnRun *run);
/* Operations that are open are ended, or given up after the watchdog's time. */
void bn_run_end_open_ops (BnRun *run);
/* The preloaded models, whose entries are there, are really loaded. */
bool bn_run_preload_really (BnRun *run, GError **error);
/* From here on the loop works for this task, this job or nobody. */
void bn_run_charge_cpu (BnRun *run, BnTask *task, BnJob *job);

static inline void
bn_run_charge (BnRun *run, BnTask *task, BnJob *job)
{
  if (run->wall)
    bn_run_charge_cpu (run, task, job);
}

/* The job's memory is about to be used again. */
void bn_run_uncharge (BnRun *run, const BnJob *job);

/* ---- failure.c ---- */
/* An operation has completed with anything but OK. */
void bn_run_op_failed (BnRun *run, BnOp *op);
/* `worker`, or where its device is lost another one that can hold the task's model; `worker`
 * again where there is none. */
uint32_t bn_run_instead_of_lost (const BnRun *run, const BnTask *task, uint32_t worker);

static inline uint32_t
bn_run_up_instead (const BnRun *run, const BnTask *task, uint32_t worker)
{
  return run->totals.n_workers_lost == 0 ? worker : bn_run_instead_of_lost (run, task, worker);
}

/* Whether a worker that is up can hold the task's model. */
bool bn_run_can_run_somewhere (const BnRun *run, const BnTask *task);
/* The task has reached a worker whose device is lost. */
void bn_run_leave_lost_worker (BnRun *run, BnTask *task);

/* ---- run.c ---- */
void bn_run_init_sink (BnRun *run);
/* Every event that is due. */
void bn_run_handle (BnRun *run, const BnEvent *event);
/* The operation has completed, with its status set; the run hears of it at time_ns. */
void bn_run_op_over (BnRun *run, BnOp *op, BnTime time_ns);
bool bn_run_is_timer (const BnEvent *event);
/* An operation that has completed and that nobody is to hear of. */
void bn_run_forget_op (BnRun *run, BnOp *op);
BnOp *bn_run_new_op (BnRun *run, BnOpKind kind, uint32_t worker);
void bn_run_free_op (BnRun *run, BnOp *op);

#endif
