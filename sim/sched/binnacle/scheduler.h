/* binnacle/scheduler.h: a scheduler of your own, in a shared object.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in is a shared object with one symbol, a constant table:
 *
 *   BN_PLUGIN_EXPORT const BnPluginScheduler binnacle_scheduler = {
 *     BN_PLUGIN_ABI, sizeof (BnPluginScheduler), "mine", "what it does, in a line", ...
 *   };
 *
 * and is run with `binnacle run demo --plugin ./mine.so --scheduler 'compass, mine[key=value]'`.
 * doc/extending.md has the smallest one, in four steps.
 *
 * A scheduler decides and never acts. A hook is told what is to be decided and who decides (the
 * *observer*: a worker, or the central scheduler), asks the host what that observer can know, and
 * answers through the host. What it sees of other workers is as old as the scenario says, and how
 * long a task really takes nobody sees before it has ended. For each job:
 *   plan   once, when it arrives: may give every task a worker, or some, or none
 *   place  for each task without a worker when its last predecessor has ended (an entry task: at
 *          once); with BN_PLUGIN_ADJUSTS also for those that have one, which keep it if it says
 *          nothing. A job whose task is not placed then is refused
 * One that asks for it (BN_PLUGIN_HEARS_...) also hears what became of its decisions, by `notice`,
 * once the message would be there and before it is asked anything else.
 * One state serves all observers of a run: index by call->observer what one must not know of another.
 * No hook may block, print, look at a clock, or use randomness other than host->random.
 *
 * This header stands alone, as C and as C++. What is added later comes at the ends of the structs;
 * what changes otherwise raises BN_PLUGIN_ABI, and a plug-in of another number is refused.
 */
#ifndef BINNACLE_SCHEDULER_H
#define BINNACLE_SCHEDULER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BN_PLUGIN_ABI 1u

/* No worker, no model, the central scheduler. */
#define BN_PLUGIN_NONE (-1)

#ifdef __cplusplus
#define BN_PLUGIN_EXPORT extern "C" __attribute__ ((visibility ("default")))
#else
#define BN_PLUGIN_EXPORT __attribute__ ((visibility ("default")))
#endif

/* What init answers, or'ed together. */
enum
{
  BN_PLUGIN_CENTRAL = 1 << 0,       /* one central observer decides; every row is old for it     */
  BN_PLUGIN_READS_LOADS = 1 << 1,   /* asks for free_at_ns and queued_ns; else workers look free */
  BN_PLUGIN_READS_CACHES = 1 << 2,  /* asks for holds and cached_bytes                           */
  BN_PLUGIN_ADJUSTS = 1 << 3,       /* wants `place` for placed tasks with one predecessor ...   */
  BN_PLUGIN_ADJUSTS_JOINS = 1 << 4, /* ... and for those with several                            */
  BN_PLUGIN_HEARS_JOBS = 1 << 5,    /* wants the notice when a job has ended ...                 */
  BN_PLUGIN_HEARS_TASKS = 1 << 6,   /* ... when a task has finished                              */
  BN_PLUGIN_HEARS_WORKERS = 1 << 7  /* ... when a worker is lost                                 */
};

/* Parameters are set as `name[key=value,...]`. */
typedef enum
{
  BN_PLUGIN_BOOL,      /* on | off                                  */
  BN_PLUGIN_INT,       /* min .. max                                */
  BN_PLUGIN_REAL,      /* min .. max                                */
  BN_PLUGIN_DURATION,  /* min .. max in nanoseconds; read as `10ms` */
  BN_PLUGIN_CHOICE     /* one of `choices`                          */
} BnPluginKind;

typedef struct BnPluginParam
{
  const char *name;
  const char *help;            /* one line, no full stop                     */
  BnPluginKind kind;
  double min, max;             /* inclusive; unused for BOOL and CHOICE      */
  double default_value;        /* BOOL 0/1, CHOICE the index, DURATION in ns */
  const char *const *choices;  /* NULL-terminated; CHOICE only               */
} BnPluginParam;

typedef union BnPluginValue
{
  int64_t integer;  /* BOOL 0/1, INT, DURATION in ns, CHOICE index */
  double real;      /* REAL                                        */
} BnPluginValue;

typedef struct BnPluginHost BnPluginHost;

/* What a hook may ask, and how it answers. Workers, models, workflows and the tasks of a workflow
 * are numbered from 0. Times are nanoseconds since the start of the run. Of a number that is not there
 * the answer is 0, or BN_PLUGIN_NONE; a job placed on a worker that is not there is refused. Nothing
 * takes longer than O(1). */
struct BnPluginHost
{
  uint32_t struct_size;
  uint32_t n_workers, n_models, n_workflows;

  /* ---- the cluster and the work: the same all through the run ---- */
  int64_t (*memory_bytes) (const BnPluginHost *host, uint32_t worker);
  uint32_t (*n_slots) (const BnPluginHost *host, uint32_t worker);
  uint32_t (*server) (const BnPluginHost *host, uint32_t worker);  /* that it is a device of */
  int64_t (*model_bytes) (const BnPluginHost *host, uint32_t model);
  uint32_t (*n_tasks) (const BnPluginHost *host, uint32_t workflow);
  int32_t (*model) (const BnPluginHost *host, uint32_t workflow, uint32_t task);  /* or BN_PLUGIN_NONE */
  uint32_t (*n_predecessors) (const BnPluginHost *host, uint32_t workflow, uint32_t task);
  uint32_t (*predecessor) (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t index);
  /* Whether its model fits into the memory there; a job placed where one does not is refused. */
  int (*fits) (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t worker);
  /* As the profile says: an execution; a load of a model; the way of a task's output. */
  int64_t (*runtime_ns) (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t worker);
  int64_t (*load_ns) (const BnPluginHost *host, uint32_t model, uint32_t worker);
  int64_t (*transfer_ns) (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t from, uint32_t to);

  /* ---- within plan and place: what the observer sees now ---- */
  int64_t (*free_at_ns) (const BnPluginHost *host, uint32_t worker);  /* its queue will be done; >= now */
  int64_t (*queued_ns) (const BnPluginHost *host, uint32_t worker);   /* of profiled runtimes queued    */
  int (*holds) (const BnPluginHost *host, uint32_t worker, uint32_t model);
  int64_t (*cached_bytes) (const BnPluginHost *host, uint32_t worker);
  int32_t (*worker_of) (const BnPluginHost *host, uint32_t task);     /* of this job: placed on, or BN_PLUGIN_NONE */

  /* Uniform in [0, n), n >= 1, from the scheduler's own stream of the run's seed. */
  uint32_t (*random) (BnPluginHost *host, uint32_t n);

  /* ---- the answer: the last word on a task counts ---- */
  /* In plan any task of the job; in place the task asked about, others are passed over. `priority` is 0 unless the
     scenario's queue order uses it. */
  void (*place) (BnPluginHost *host, uint32_t task, uint32_t worker, int32_t priority);
};

/* One question. */
typedef struct BnPluginCall
{
  uint32_t struct_size;
  int32_t observer;     /* the worker that decides, or BN_PLUGIN_NONE: the central scheduler */
  int64_t now_ns;
  int64_t job;          /* 0, 1, ... in order of creation */
  uint32_t workflow;
  int32_t ingress;      /* worker that the job's client sends to */
  int64_t create_ns;
  int64_t deadline_ns;  /* INT64_MAX: none */
  uint32_t task;        /* place: that is asked about */
  int32_t at_worker;    /* place: where its last predecessor ended, or the ingress */
} BnPluginCall;

typedef enum
{
  BN_PLUGIN_JOB_ENDED,      /* heard at its ingress; if done, when its last result is there */
  BN_PLUGIN_TASK_FINISHED,  /* heard by the worker that ran it                              */
  BN_PLUGIN_WORKER_DOWN     /* its device is lost for good; heard by everybody              */
} BnPluginNoticeKind;

typedef enum
{
  BN_PLUGIN_DONE,
  BN_PLUGIN_REFUSED,  /* could never run       */
  BN_PLUGIN_FAILED    /* was tried, in a real run */
} BnPluginOutcome;

/* A central scheduler hears all of them, a message later. */
typedef struct BnPluginNotice
{
  uint32_t struct_size;
  BnPluginNoticeKind kind;
  int32_t observer;         /* the worker that hears it, or BN_PLUGIN_NONE: the central scheduler, everybody */
  int64_t now_ns;           /* when                                              */
  int64_t job;              /* BN_PLUGIN_NONE, as the next three, where there is none */
  int32_t workflow;
  int32_t task;             /* TASK_FINISHED                                     */
  int32_t worker;           /* TASK_FINISHED: that ran it; WORKER_DOWN           */
  BnPluginOutcome outcome;  /* JOB_ENDED                                         */
  int64_t took_ns;          /* TASK_FINISHED: its execution; JOB_ENDED: from its creation to its end */
} BnPluginNotice;

typedef struct BnPluginScheduler
{
  uint32_t abi;          /* BN_PLUGIN_ABI */
  uint32_t struct_size;  /* sizeof (BnPluginScheduler) */
  const char *name;      /* letters, digits, `-` and `_`; none of the program's own */
  const char *summary;   /* one line */
  const BnPluginParam *params;  /* [n_params] or NULL */
  uint32_t n_params;
  uint32_t state_bytes;  /* of the state, which comes zeroed and is freed by the host */

  /* Once a run. `values` are in the order of params and live as long as the run. Returns: BN_PLUGIN_* flags. */
  uint32_t (*init) (void *state, const BnPluginHost *host, const BnPluginValue *values);
  void (*fini) (void *state);                                                  /* NULL: nothing to free */
  void (*plan) (void *state, const BnPluginCall *call, BnPluginHost *host);    /* NULL: leaves all open */
  void (*place) (void *state, const BnPluginCall *call, BnPluginHost *host);   /* NULL: keeps the plan  */
  void (*notice) (void *state, const BnPluginNotice *notice, const BnPluginHost *host);  /* NULL: is deaf */
} BnPluginScheduler;

#ifdef __cplusplus
}
#endif

#endif
