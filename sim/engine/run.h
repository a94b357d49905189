/* run.h: one run: a workload through a scheduler on a cluster.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Per job: created -> arrives at its ingress -> planned -> inputs travel ->
 * queued -> evictions and load -> executed -> outputs travel -> done. The run
 * owns jobs, workers, caches and the published table; it asks the scheduler,
 * starts operations on the backend and tells the probes.
 *
 * A run is an object: several can live in one process, each with its own event
 * queue. It never prints.
 */
#ifndef BN_RUN_H
#define BN_RUN_H

#include <glib.h>

#include "arrivals.h"
#include "backend.h"
#include "noise.h"
#include "param.h"
#include "platform.h"
#include "probe.h"
#include "scheduler.h"
#include "published.h"
#include "queue_order.h"
#include "workflow.h"

typedef enum
{
  BN_EVICT_COST_WRITEBACK,  /* an eviction takes as long as copying the model back */
  BN_EVICT_COST_FREE
} BnEvictCost;

typedef enum
{
  BN_PREFETCH_OFF,
  BN_PREFETCH_NEXT
} BnPrefetch;

/* How a worker uses its GPU's link and its slots. */
typedef enum
{
  BN_OVERLAP_OFF,    /* one after the other: a task that needs a load holds its slot meanwhile */
  BN_OVERLAP_ORDER,  /* two resources; the task that goes next waits for its load, and all others
                        behind it                                                              */
  BN_OVERLAP_BYPASS  /* two resources; tasks whose model is resident pass those that wait      */
} BnOverlap;

/* What messages between workers cost: those of reservations, steals, requests. */
typedef enum
{
  BN_MESSAGES_NETWORK,  /* the network's latency */
  BN_MESSAGES_FREE
} BnMessages;

typedef enum
{
  BN_CONTENTION_NONE,
  BN_CONTENTION_FIFO
} BnContention;

typedef struct BnPreload
{
  uint32_t model;
  uint32_t worker;
} BnPreload;

/* The knobs of one compared variant that are not the scheduler's own. */
typedef struct BnRunOptions
{
  BnSpread load_spread, cache_spread;
  BnReserveMode reserve;
  uint32_t queue_order;         /* index into bn_queue_orders    */
  BnQueueOrderSettings queue_settings;
  uint32_t eviction;            /* index into bn_evictions       */
  BnEvictCost evict_cost;
  BnPrefetch prefetch;          /* has no effect with an overlap */
  BnOverlap overlap;
  bool proactive;               /* copies of models are made before a task asks: needs an overlap */
  bool redecide;                /* a worker that gets a task may send it on, once   */
  BnDuration redecide_margin_ns; /* by how much another worker must be better       */
  bool steal;                   /* a worker with nothing to do asks for work        */
  BnDuration steal_poll_ns;     /* how often                                        */
  BnMessages messages;
  bool clairvoyant;             /* rows are the truth and messages free, whatever is set above */
  BnContention contention;
  BnDuration decision_cost_ns;
  bool decision_measured;       /* the stopwatch says what a decision costs, and decision_cost_ns is 0; of no
                                   effect on the wall clock, where decisions take what they take        */
} BnRunOptions;

/* What each decision costs with decision_measured: a clock round the scheduler's hook, or whoever knows what it
 * took before. */
typedef struct BnStopwatch
{
  void *context;
  void (*start) (void *context);
  /* For a question about `job`. Returns: the time since start, >= 0; or -1 with `error` set: the run fails. */
  BnDuration (*stop) (void *context, const BnJob *job, GError **error);
} BnStopwatch;

typedef struct BnRunConfig
{
  const BnPlatform *platform;       /* borrowed, like everything below */
  const BnCatalogue *catalogue;
  const BnArrivalsConfig *arrivals; /* its seed is replaced by `seed`   */
  const BnBackend *backend;         /* NULL: the model                  */
  BnBackendSettings backend_settings; /* its seed likewise              */
  BnDuration watchdog_ns;           /* of a real backend: it has failed when an operation takes so long;
                                       0: one minute                */
  BnNoise noise;
  const BnScheduler *scheduler;
  const BnParamValue *params;       /* [scheduler->n_params] */
  const void *scheduler_user;       /* BnSchedSetup.user     */
  const char *const *own_settings;  /* BnSchedSetup.own_settings */
  const BnStopwatch *stopwatch;     /* NULL: the options do not say decision_measured */
  BnRunOptions options;
  const BnPreload *preloads;
  uint32_t n_preloads;
  uint64_t seed;
  const BnProbe *probes;
  uint32_t n_probes;
  const char *repeat_command;       /* what a person types to repeat this run, or NULL */
  bool debug_check;                 /* verify the whole cluster after every event: slow */
} BnRunConfig;

typedef struct BnRun BnRun;

/* NULL with `error` set where the arrivals cannot be opened or a preload does
 * not fit. */
BnRun *bn_run_new (const BnRunConfig *config, GError **error);

/* Runs to its end. Returns the status; FAILED sets `error`. Call once. */
BnRunStatus bn_run_execute (BnRun *run, GError **error);

/* Asks a run to stop; safe from a signal handler and another thread. On a virtual clock it
 * stops at once. On the wall clock the first call ends arrivals and what has arrived is
 * brought to its end; the second one stops as soon as operations that are open have ended. */
void bn_run_interrupt (BnRun *run);

/* Asks a run to stop as soon as open operations have ended, on any clock. */
void bn_run_stop (BnRun *run);

/* How the backend was opened, one line for a person, or NULL: nothing to say. Returns: (transfer full). */
char *bn_run_describe_backend (BnRun *run);

/* Whether a first interrupt lets what has arrived come to its end. */
bool bn_run_drains (const BnRun *run);

/* Valid after bn_run_execute. */
const BnRunTotals *bn_run_totals (const BnRun *run);

/* What a stuck run looks like: live jobs, queues, caches; for a person.
 * Returns: (transfer full). */
char *bn_run_dump (const BnRun *run);

/* After a backend that did not answer any more (the error of bn_run_execute is G_IO_ERROR_TIMED_OUT) the run
 * stays, as what the configuration borrowed must: the backend's threads may still use both. The program
 * should end with _exit. */
void bn_run_free (BnRun *run);

#endif
