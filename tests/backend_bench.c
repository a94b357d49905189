/* backend_bench.c: a real backend on a bench: operations by hand, completions collected.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "backend_bench.h"

#include <string.h>
#include <time.h>

#include "few_threads.h"
#include "platform_build.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

static const struct
{
  const char *name;
  int64_t size_bytes;
  BnLayers layers;
} bench_models[BENCH_N_MODELS] = {
  [BENCH_BURN] = { "burn", 300001, BN_LAYERS_BURN },
  [BENCH_MLP] = { "mlp", 200003, BN_LAYERS_MLP },
  [BENCH_CONV] = { "conv", 150007, BN_LAYERS_CONV },
  [BENCH_LSTM] = { "lstm", 250011, BN_LAYERS_LSTM },
  [BENCH_TRANSFORMER] = { "transformer", 400009, BN_LAYERS_TRANSFORMER },
  [BENCH_SPARE_A] = { "spare-a", 100000, BN_LAYERS_MLP },
  [BENCH_SPARE_B] = { "spare-b", 100000, BN_LAYERS_MLP },
};

int64_t
bench_model_bytes (uint32_t model)
{
  return bench_models[model].size_bytes;
}

BnCatalogue *
bench_catalogue (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  static const uint32_t zero[] = { 0 }, one[] = { 1 }, both[] = { 1, 2 };

  for (uint32_t m = 0; m < BENCH_N_MODELS; m++)
    bn_catalogue_builder_add_model (b, bench_models[m].name, bench_models[m].size_bytes);
  for (int32_t m = 0; m < BENCH_N_MODELS; m++)
    {
      bn_catalogue_builder_add_workflow (b, bench_models[m].name);
      bn_catalogue_builder_add_task (b, m, 3000, 5000, MS / 10, NULL, 0);
    }
  bn_catalogue_builder_add_workflow (b, "bare");
  bn_catalogue_builder_add_task (b, BN_NONE, 100003, 1, MS / 10, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "chain");
  bn_catalogue_builder_add_task (b, BENCH_MLP, 1, 30001, MS / 10, NULL, 0);
  bn_catalogue_builder_add_task (b, BENCH_CONV, 0, 0, MS / 10, zero, 1);
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 2000, MS / 10, one, 1);
  bn_catalogue_builder_add_workflow (b, "diamond");
  bn_catalogue_builder_add_task (b, BENCH_BURN, 2000, 4000, MS / 10, NULL, 0);
  bn_catalogue_builder_add_task (b, BENCH_MLP, 0, 3000, MS / 10, zero, 1);
  bn_catalogue_builder_add_task (b, BENCH_LSTM, 0, 5000, MS / 10, zero, 1);
  bn_catalogue_builder_add_task (b, BENCH_TRANSFORMER, 0, 1000, MS / 10, both, 2);
  bn_catalogue_builder_add_workflow (b, "long");
  bn_catalogue_builder_add_task (b, BENCH_BURN, 1000, 1000, bench_long_ns (), NULL, 0);
  BnCatalogue *catalogue = bn_catalogue_builder_finish (b, NULL);
  for (uint32_t m = 0; m < BENCH_N_MODELS; m++)
    {
      BnModel *model = (BnModel *) &catalogue->models[m];
      model->layers = bench_models[m].layers;
      model->seed = m + 1;
    }
  return catalogue;
}

/* ---- the sink ---- */

static Bench *
bench_of (BnSink *sink)
{
  return (Bench *) ((char *) sink - offsetof (Bench, sink));
}

static BnTime
sink_clock (BnSink *sink)
{
  return (g_get_monotonic_time () - bench_of (sink)->start_us) * 1000;
}

static void
sink_complete_from_thread (BnSink *sink, BnOp *op, BnOpStatus status, BnTime not_before_ns)
{
  Bench *bench = bench_of (sink);
  BenchOp *b = (BenchOp *) op;

  pthread_mutex_lock (&bench->mutex);
  ck_assert_msg (!b->completed, "an operation was completed twice");
  ck_assert_int_eq (op->reason == NULL, status == BN_OP_OK || status == BN_OP_CANCELLED);
  op->status = status;
  b->completed = true;
  b->not_before_ns = not_before_ns;
  pthread_cond_broadcast (&bench->answered);
  pthread_mutex_unlock (&bench->mutex);
}

static void
sink_complete (BnSink *sink, BnOp *op, BnOpStatus status)
{
  sink_complete_from_thread (sink, op, status, 0);
}

static void
sink_complete_at (BnSink *sink, BnOp *op, BnTime time_ns)
{
  sink_complete_from_thread (sink, op, BN_OP_OK, time_ns);
}

/* ---- the bench ---- */

Bench *
bench_new (BenchCluster cluster)
{
  Bench *bench = g_new0 (Bench, 1);
  BnServerGroup group = { cluster.n_servers, 1,
                          { .name = "gpu", .group = "gpu", .memory_bytes = cluster.memory_bytes,
                            .speed_ppm = BN_PPM_ONE, .pcie_bytes_per_s = 1000000000, .slots = cluster.slots } };
  BnNetwork network = { .latency_ns = 20 * MS, .bytes_per_s = 1000000000 };
  GError *error = NULL;

  bench->catalogue = bench_catalogue ();
  bench->platform = bn_platform_new (&group, 1, &network);
  bench->cost = bn_cost_new (bench->platform, bench->catalogue);
  bench->settings = (BnBackendSettings) BN_BACKEND_SETTINGS_INIT;
  bench->settings.paced = cluster.paced;
  bench->settings.verify = true;
  bench->settings.seed = 7;
  bench->reference = bn_reference_new (bench->catalogue, bench->settings.seed, BN_NN_BLAS, &error);
  ck_assert_msg (bench->reference != NULL, "%s", error ? error->message : "");
  bench->sink = (BnSink) { sizeof (BnSink), sink_clock, sink_complete, sink_complete_at, NULL,
                           sink_complete_from_thread, sink_clock };
  bench->start_us = g_get_monotonic_time ();
  bench->ops = g_ptr_array_new_with_free_func (g_free);
  bench->jobs = g_ptr_array_new_with_free_func (g_free);
  pthread_mutex_init (&bench->mutex, NULL);
  pthread_cond_init (&bench->answered, NULL);
  return bench;
}

bool
bench_try_open (Bench *bench, GError **error)
{
  BnBackendSetup setup = { sizeof setup, bench->platform, bench->catalogue, bench->cost, false, &bench->sink,
                           &bench->settings };

  bench->state = bench_backend ()->open (&setup, error);
  return bench->state != NULL;
}

Bench *
bench_open (BenchCluster cluster)
{
  Bench *bench = bench_new (cluster);
  GError *error = NULL;

  ck_assert_msg (bench_try_open (bench, &error), "%s", error ? error->message : "");
  return bench;
}

void
bench_opens_with_enough_threads (gint n_threads)
{
  Bench *bench = bench_new ((BenchCluster) { 2, 2, MB, false });
  bool opened = false;
  gint n = 0;

  for (; !opened; n++)
    {
      GError *error = NULL;
      few_threads_set (n);
      opened = bench_try_open (bench, &error);
      ck_assert_int_eq (opened, error == NULL);
      if (error)
        ck_assert_msg (strstr (error->message, "there are no more threads: as the test wants it") != NULL, "%s",
                       error->message);
      g_clear_error (&error);
    }
  few_threads_unset ();
  ck_assert_int_gt (n, n_threads);
  bench_ok (bench, bench_load (bench, 1, BENCH_MLP));
  bench_ok (bench, bench_run (bench, 1, bench_job (bench, BENCH_MLP, 1), 0));
  bench_close (bench);
}

void
bench_close (Bench *bench)
{
  bench_wait_all (bench);
  bench_backend ()->close (bench->state, false);
  for (guint i = 0; i < bench->ops->len; i++)
    g_free (((BenchOp *) bench->ops->pdata[i])->op.reason);
  g_ptr_array_unref (bench->ops);
  g_ptr_array_unref (bench->jobs);
  pthread_cond_destroy (&bench->answered);
  pthread_mutex_destroy (&bench->mutex);
  bn_reference_free (bench->reference);
  bn_cost_free (bench->cost);
  bn_platform_free (bench->platform);
  bn_catalogue_free (bench->catalogue);
  g_free (bench);
}

BnJob *
bench_job (Bench *bench, uint32_t workflow, int32_t ingress)
{
  const BnWorkflow *wf = &bench->catalogue->workflows[workflow];
  BnJob *job = g_malloc0 (sizeof *job + wf->n_tasks * sizeof job->tasks[0]);

  job->id = bench->jobs->len;
  job->workflow = wf;
  job->ingress = ingress;
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    job->tasks[t].job = job;
  g_ptr_array_add (bench->jobs, job);
  return job;
}

static BenchOp *
new_op (Bench *bench, BnOp op)
{
  BenchOp *b = g_new0 (BenchOp, 1);

  b->op = op;
  g_ptr_array_add (bench->ops, b);
  return b;
}

BenchOp *
bench_load (Bench *bench, uint32_t worker, uint32_t model)
{
  BenchOp *b = new_op (bench, (BnOp) { .kind = BN_OP_LOAD, .worker = worker, .from_worker = BN_NONE,
                                       .model = (int32_t) model, .pred = BN_NONE,
                                       .bytes = bench_model_bytes (model) });

  bench_backend ()->start_load (bench->state, &b->op);
  return b;
}

BenchOp *
bench_evict (Bench *bench, uint32_t worker, uint32_t model)
{
  BenchOp *b = new_op (bench, (BnOp) { .kind = BN_OP_EVICT, .worker = worker, .from_worker = BN_NONE,
                                       .model = (int32_t) model, .pred = BN_NONE,
                                       .bytes = bench_model_bytes (model) });

  bench_backend ()->start_evict (bench->state, &b->op);
  return b;
}

BenchOp *
bench_run (Bench *bench, uint32_t worker, BnJob *job, uint32_t task)
{
  BenchOp *b = new_op (bench, (BnOp) { .kind = BN_OP_RUN, .worker = worker, .from_worker = BN_NONE,
                                       .model = job->workflow->tasks[task].model, .pred = BN_NONE,
                                       .task = &job->tasks[task], .n_tasks = 1 });

  bench_backend ()->start_run (bench->state, &b->op);
  return b;
}

BenchOp *
bench_transfer (Bench *bench, BnJob *job, uint32_t task, int32_t pred, int32_t from, uint32_t worker)
{
  const BnTaskSpec *tasks = job->workflow->tasks;
  BenchOp *b = new_op (bench, (BnOp) { .kind = BN_OP_TRANSFER, .worker = worker, .from_worker = from,
                                       .model = BN_NONE, .pred = pred, .task = &job->tasks[task],
                                       .bytes = pred == BN_NONE ? tasks[task].input_bytes
                                                                : tasks[pred].output_bytes });

  bench_backend ()->start_transfer (bench->state, &b->op);
  return b;
}

BnOpStatus
bench_wait (Bench *bench, BenchOp *op)
{
  struct timespec until;

  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  pthread_mutex_lock (&bench->mutex);
  while (!op->completed)
    ck_assert_msg (pthread_cond_timedwait (&bench->answered, &bench->mutex, &until) == 0,
                   "an operation has not completed within a minute");
  BnOpStatus status = op->op.status;
  pthread_mutex_unlock (&bench->mutex);
  return status;
}

void
bench_wait_all (Bench *bench)
{
  for (guint i = 0; i < bench->ops->len; i++)
    bench_wait (bench, bench->ops->pdata[i]);
}

void
bench_ok (Bench *bench, BenchOp *op)
{
  BnOpStatus status = bench_wait (bench, op);

  ck_assert_msg (status == BN_OP_OK, "status %d: %s", status, op->op.reason ? op->op.reason : "");
}

void
bench_matches_reference (Bench *bench, const BenchOp *op)
{
  const BnJob *job = op->op.task->job;
  double (*digests)[2] = g_malloc0_n (job->workflow->n_tasks, sizeof *digests);
  const double *expected = digests[bn_task_number (op->op.task)];

  bn_reference_job (bench->reference, job->id, job->workflow, digests);
  ck_assert_msg (bn_nn_same_digest (op->op.digest, expected, BN_NN_TOLERANCE),
                 "task %u of %s: digest %g %g, and the reference has %g %g", bn_task_number (op->op.task),
                 job->workflow->name, op->op.digest[0], op->op.digest[1], expected[0], expected[1]);
  g_free (digests);
}
