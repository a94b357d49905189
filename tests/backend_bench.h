/* backend_bench.h: a real backend on a bench: operations by hand, completions collected.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A small catalogue with a model of every layer type, a cluster of the sizes that a test asks
 * for, and a sink for completions from threads. backend_script.c is what every real
 * backend must pass on it; the test program says which one with bench_backend ().
 */
#ifndef BN_TEST_BACKEND_BENCH_H
#define BN_TEST_BACKEND_BENCH_H

#include <check.h>
#include <pthread.h>

#include "backend.h"
#include "catalogue.h"
#include "reference.h"

/* The backend that this test program is about. */
const BnBackend *bench_backend (void);
/* The work_ns of BENCH_LONG, with which it computes for some tens of ms or more. */
BnDuration bench_long_ns (void);
/* Rounds of the test under pressure, each of some ten tasks and a load a worker. */
int bench_rounds (void);

/* Models, by number: one of each layer type, and two of 100 kB. Sizes are no multiples of anything. */
enum
{
  BENCH_BURN,
  BENCH_MLP,
  BENCH_CONV,
  BENCH_LSTM,
  BENCH_TRANSFORMER,
  BENCH_SPARE_A,
  BENCH_SPARE_B,
  BENCH_N_MODELS
};

/* Workflows: 0 .. BENCH_N_MODELS-1 are one task on that model; then */
enum
{
  BENCH_BARE = BENCH_N_MODELS,  /* one task without a model                          */
  BENCH_CHAIN,                  /* mlp -> conv -> none                               */
  BENCH_DIAMOND,                /* burn -> (mlp, lstm) -> transformer                */
  BENCH_LONG,                   /* one task on burn that computes for tens of ms     */
  BENCH_N_WORKFLOWS
};

typedef struct BenchCluster
{
  uint32_t n_servers;     /* of one device */
  uint32_t slots;
  int64_t memory_bytes;
  bool paced;
} BenchCluster;

/* One operation and what came of it. */
typedef struct BenchOp
{
  BnOp op;
  bool completed;
  BnTime not_before_ns;
} BenchOp;

typedef struct Bench
{
  BnCatalogue *catalogue;
  BnPlatform *platform;
  BnCost *cost;
  BnBackendSettings settings;
  BnReference *reference;
  void *state;
  BnSink sink;
  gint64 start_us;
  GPtrArray *ops;          /* every BenchOp             */
  GPtrArray *jobs;         /* every BnJob               */
  pthread_mutex_t mutex;
  pthread_cond_t answered;
} Bench;

BnCatalogue *bench_catalogue (void);
int64_t bench_model_bytes (uint32_t model);

/* Opens the backend on 2 servers of 2 slots with more and more threads granted, until it opens: that takes at
 * least n_threads. Fails the test where a refusal does not say what there is too little of. */
void bench_opens_with_enough_threads (gint n_threads);

/* A bench whose backend is not open yet; and opening it. Returns: whether it could be, else with `error` set. */
Bench *bench_new (BenchCluster cluster);
bool bench_try_open (Bench *bench, GError **error);
/* Both; fails the test where it cannot be opened. */
Bench *bench_open (BenchCluster cluster);
/* Waits for everything, closes and frees. */
void bench_close (Bench *bench);

/* A new job of a workflow at an ingress. The bench's. */
BnJob *bench_job (Bench *bench, uint32_t workflow, int32_t ingress);

/* Each starts an operation and returns at once. */
BenchOp *bench_load (Bench *bench, uint32_t worker, uint32_t model);
BenchOp *bench_evict (Bench *bench, uint32_t worker, uint32_t model);
BenchOp *bench_run (Bench *bench, uint32_t worker, BnJob *job, uint32_t task);
/* pred: a task number, or BN_NONE for what the client sent; from: a worker, or BN_NONE for the client. */
BenchOp *bench_transfer (Bench *bench, BnJob *job, uint32_t task, int32_t pred, int32_t from, uint32_t worker);

/* Waits for it, for a minute at most. Returns: its status. */
BnOpStatus bench_wait (Bench *bench, BenchOp *op);
void bench_wait_all (Bench *bench);

/* Fails the test unless it ends with OK. */
void bench_ok (Bench *bench, BenchOp *op);

/* Fails the test unless the run has the digest that the reference has. Call when it has ended. */
void bench_matches_reference (Bench *bench, const BenchOp *op);

/* The tests that every real backend must pass. */
TCase *backend_script (void);

#endif
