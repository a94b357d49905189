/* backend_script.c: what every real backend must do.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backend_bench.h"
#include "rng.h"

#define MB INT64_C (1000000)

static BnJob *
job_over (Bench *bench, BnJob *job)
{
  bench_backend ()->job_over (bench->state, job);
  return job;
}

static void
drop (Bench *bench, uint32_t worker, uint32_t model)
{
  bench_backend ()->drop (bench->state, worker, model);
}

static void
reason_has (const BenchOp *op, const char *text)
{
  ck_assert_msg (op->op.reason && strstr (op->op.reason, text), "'%s' does not name '%s'",
                 op->op.reason ? op->op.reason : "", text);
}

START_TEST (every_layer_type_computes_what_the_reference_does)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, 2 * MB, false });

  for (uint32_t w = 0; w < BENCH_N_WORKFLOWS; w++)
    {
      BnJob *job = bench_job (bench, w, 0);
      if (w < BENCH_N_MODELS)
        bench_ok (bench, bench_load (bench, 0, w));
      for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
        {
          BenchOp *run = bench_run (bench, 0, job, t);
          bench_ok (bench, run);
          bench_matches_reference (bench, run);
        }
      job_over (bench, job);
    }
  bench_close (bench);
}
END_TEST

START_TEST (outputs_are_the_same_on_every_worker)
{
  Bench *bench = bench_open ((BenchCluster) { 2, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_LSTM, 1);

  bench_ok (bench, bench_load (bench, 0, BENCH_LSTM));
  bench_ok (bench, bench_load (bench, 1, BENCH_LSTM));
  bench_ok (bench, bench_transfer (bench, job, 0, BN_NONE, 1, 0));
  BenchOp *a = bench_run (bench, 0, job, 0), *b = bench_run (bench, 1, job, 0);
  bench_ok (bench, a);
  bench_ok (bench, b);
  ck_assert (bn_nn_same_digest (a->op.digest, b->op.digest, BN_NN_TOLERANCE));
  bench_matches_reference (bench, a);
  bench_close (bench);
}
END_TEST

START_TEST (jobs_differ_by_what_their_clients_send)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 2, MB, false });
  BenchOp *runs[2];

  bench_ok (bench, bench_load (bench, 0, BENCH_CONV));
  for (int i = 0; i < 2; i++)
    runs[i] = bench_run (bench, 0, bench_job (bench, BENCH_CONV, 0), 0);
  bench_wait_all (bench);
  ck_assert (!bn_nn_same_digest (runs[0]->op.digest, runs[1]->op.digest, 100 * BN_NN_TOLERANCE));
  bench_close (bench);
}
END_TEST

START_TEST (outputs_go_from_worker_to_worker)
{
  Bench *bench = bench_open ((BenchCluster) { 3, 1, 2 * MB, false });
  BnJob *job = bench_job (bench, BENCH_DIAMOND, 0);

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  bench_ok (bench, bench_load (bench, 1, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 2, BENCH_LSTM));
  bench_ok (bench, bench_load (bench, 1, BENCH_TRANSFORMER));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  bench_ok (bench, bench_transfer (bench, job, 1, 0, 0, 1));
  bench_ok (bench, bench_transfer (bench, job, 2, 0, 0, 2));
  BenchOp *left = bench_run (bench, 1, job, 1), *right = bench_run (bench, 2, job, 2);
  bench_ok (bench, left);
  bench_ok (bench, right);
  bench_ok (bench, bench_transfer (bench, job, 3, 2, 2, 1));
  BenchOp *last = bench_run (bench, 1, job, 3);
  bench_ok (bench, last);
  bench_matches_reference (bench, left);
  bench_matches_reference (bench, right);
  bench_matches_reference (bench, last);
  bench_close (bench);
}
END_TEST

START_TEST (what_the_client_sent_comes_from_it_or_from_another_worker)
{
  Bench *bench = bench_open ((BenchCluster) { 3, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_BARE, 0);

  bench_ok (bench, bench_transfer (bench, job, 0, BN_NONE, BN_NONE, 1));
  bench_ok (bench, bench_transfer (bench, job, 0, BN_NONE, 1, 2));
  for (uint32_t worker = 0; worker < 3; worker++)
    {
      BenchOp *run = bench_run (bench, worker, job, 0);
      bench_ok (bench, run);
      bench_matches_reference (bench, run);
    }
  bench_close (bench);
}
END_TEST

START_TEST (a_missing_input_fails_that_operation_only)
{
  Bench *bench = bench_open ((BenchCluster) { 2, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_CHAIN, 0), *bare = bench_job (bench, BENCH_BARE, 0);

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 1, BENCH_CONV));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  BenchOp *run = bench_run (bench, 1, job, 1);
  ck_assert_int_eq (bench_wait (bench, run), BN_OP_FAILED);
  reason_has (run, "task 0");
  BenchOp *entry = bench_run (bench, 1, bare, 0);
  ck_assert_int_eq (bench_wait (bench, entry), BN_OP_FAILED);
  reason_has (entry, "client");
  BenchOp *transfer = bench_transfer (bench, job, 2, 1, 0, 1);
  ck_assert_int_eq (bench_wait (bench, transfer), BN_OP_FAILED);
  reason_has (transfer, "task 1");
  bench_ok (bench, bench_transfer (bench, job, 1, 0, 0, 1));
  bench_ok (bench, bench_run (bench, 1, job, 1));
  bench_close (bench);
}
END_TEST

START_TEST (a_model_that_is_not_there_fails_its_run)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, 2 * MB, false });
  BnJob *job = bench_job (bench, BENCH_MLP, 0);

  BenchOp *run = bench_run (bench, 0, job, 0);
  ck_assert_int_eq (bench_wait (bench, run), BN_OP_FAILED);
  reason_has (run, "mlp");
  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  drop (bench, 0, BENCH_MLP);
  ck_assert_int_eq (bench_wait (bench, bench_run (bench, 0, job, 0)), BN_OP_FAILED);
  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_evict (bench, 0, BENCH_MLP));
  ck_assert_int_eq (bench_wait (bench, bench_run (bench, 0, job, 0)), BN_OP_FAILED);
  bench_close (bench);
}
END_TEST

START_TEST (capacity_is_exact)
{
  int64_t both = bench_model_bytes (BENCH_BURN) + bench_model_bytes (BENCH_LSTM);

  for (int missing = 0; missing < 2; missing++)
    {
      Bench *bench = bench_open ((BenchCluster) { 1, 1, both - missing, false });
      bench_ok (bench, bench_load (bench, 0, BENCH_LSTM));
      BenchOp *load = bench_load (bench, 0, BENCH_BURN);
      ck_assert_int_eq (bench_wait (bench, load), missing ? BN_OP_OUT_OF_MEMORY : BN_OP_OK);
      if (missing)
        reason_has (load, "300.001kB");
      BenchOp *run = bench_run (bench, 0, bench_job (bench, BENCH_LSTM, 0), 0);
      bench_ok (bench, run);
      bench_matches_reference (bench, run);
      bench_close (bench);
    }
}
END_TEST

START_TEST (eviction_and_drop_make_room)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, bench_model_bytes (BENCH_TRANSFORMER), false });

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  ck_assert_int_eq (bench_wait (bench, bench_load (bench, 0, BENCH_TRANSFORMER)), BN_OP_OUT_OF_MEMORY);
  bench_ok (bench, bench_evict (bench, 0, BENCH_BURN));
  bench_ok (bench, bench_load (bench, 0, BENCH_TRANSFORMER));
  drop (bench, 0, BENCH_TRANSFORMER);
  bench_ok (bench, bench_load (bench, 0, BENCH_LSTM));
  drop (bench, 0, BENCH_LSTM);
  bench_ok (bench, bench_load (bench, 0, BENCH_TRANSFORMER));
  BenchOp *run = bench_run (bench, 0, bench_job (bench, BENCH_TRANSFORMER, 0), 0);
  bench_ok (bench, run);
  bench_matches_reference (bench, run);
  bench_close (bench);
}
END_TEST

/* Holes of 100 kB, a model between them, and a load of 150 kB; the second time round that model is
 * in use when the load begins. */
START_TEST (scattered_free_memory_is_made_one)
{
  int64_t memory = 2 * bench_model_bytes (BENCH_SPARE_A) + bench_model_bytes (BENCH_BURN);

  for (int in_use = 0; in_use < 2; in_use++)
    {
      Bench *bench = bench_open ((BenchCluster) { 1, 1, memory, false });
      BenchOp *long_run = NULL;

      bench_ok (bench, bench_load (bench, 0, BENCH_SPARE_A));
      bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
      bench_ok (bench, bench_load (bench, 0, BENCH_SPARE_B));
      drop (bench, 0, BENCH_SPARE_A);
      drop (bench, 0, BENCH_SPARE_B);
      if (in_use)
        long_run = bench_run (bench, 0, bench_job (bench, BENCH_LONG, 0), 0);
      bench_ok (bench, bench_load (bench, 0, BENCH_CONV));
      if (long_run)
        {
          bench_ok (bench, long_run);
          bench_matches_reference (bench, long_run);
        }
      for (uint32_t model = BENCH_BURN; model <= BENCH_CONV; model += BENCH_CONV - BENCH_BURN)
        {
          BenchOp *run = bench_run (bench, 0, bench_job (bench, model, 0), 0);
          bench_ok (bench, run);
          bench_matches_reference (bench, run);
        }
      bench_close (bench);
    }
}
END_TEST

START_TEST (a_job_that_is_over_leaves_nothing)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_CHAIN, 0), *other = bench_job (bench, BENCH_CHAIN, 0);

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 0, BENCH_CONV));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  bench_ok (bench, bench_run (bench, 0, other, 0));
  job_over (bench, job);
  ck_assert_int_eq (bench_wait (bench, bench_run (bench, 0, job, 1)), BN_OP_FAILED);
  bench_ok (bench, bench_run (bench, 0, other, 1));
  bench_close (bench);
}
END_TEST

START_TEST (a_task_may_be_executed_again)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 2, MB, false });
  BnJob *job = bench_job (bench, BENCH_CHAIN, 0);

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 0, BENCH_CONV));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  BenchOp *again = bench_run (bench, 0, job, 0), *next = bench_run (bench, 0, job, 1);
  bench_ok (bench, again);
  bench_ok (bench, next);
  bench_matches_reference (bench, again);
  bench_matches_reference (bench, next);
  bench_close (bench);
}
END_TEST

/* One slot, so all but the first wait when they are cancelled. */
START_TEST (cancelled_operations_complete_once)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  BenchOp *runs[8];
  int n_ok = 0;

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  for (int i = 0; i < 8; i++)
    runs[i] = bench_run (bench, 0, bench_job (bench, i == 0 ? BENCH_LONG : BENCH_BURN, 0), 0);
  for (int i = 7; i > 0; i--)
    if (bench_backend ()->cancel)
      bench_backend ()->cancel (bench->state, &runs[i]->op);
  for (int i = 0; i < 8; i++)
    {
      BnOpStatus status = bench_wait (bench, runs[i]);
      ck_assert (status == BN_OP_OK || (i > 0 && status == BN_OP_CANCELLED));
      if (status == BN_OP_OK)
        bench_matches_reference (bench, runs[i]);
      n_ok += status == BN_OP_OK;
    }
  ck_assert_int_ge (n_ok, 1);
  BenchOp *after = bench_run (bench, 0, bench_job (bench, BENCH_BURN, 0), 0);
  bench_ok (bench, after);
  bench_matches_reference (bench, after);
  bench_close (bench);
}
END_TEST

START_TEST (paced_transfers_take_at_least_what_the_network_would)
{
  Bench *bench = bench_open ((BenchCluster) { 2, 1, MB, true });
  BnJob *job = bench_job (bench, BENCH_CHAIN, 0);
  const BnWorkflow *wf = job->workflow;

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  BnTime start = bench->sink.clock (&bench->sink);
  BenchOp *output = bench_transfer (bench, job, 1, 0, 0, 1);
  BenchOp *input = bench_transfer (bench, job, 0, BN_NONE, BN_NONE, 1);
  bench_ok (bench, output);
  bench_ok (bench, input);
  ck_assert_int_ge (output->not_before_ns, start + bench->cost->output_net_ns[wf->first_task]);
  ck_assert_int_ge (input->not_before_ns, start + bn_cost_input (bench->cost, wf, 0));
  bench_close (bench);
}
END_TEST

/* ---- many jobs at once, with memory that is too small ---- */

enum
{
  N_WORKERS = 2,
  N_RUNS = 12
};

/* Makes room for a model among those that this round does not use, by evictions and drops in turn. */
static void
make_room (Bench *bench, uint32_t worker, uint32_t model, bool resident[BENCH_N_MODELS], const bool *used,
           int64_t memory, BnRng *rng)
{
  int64_t free_bytes = memory;

  for (uint32_t m = 0; m < BENCH_N_MODELS; m++)
    free_bytes -= resident[m] ? bench_model_bytes (m) : 0;
  for (uint32_t m = 0; m < BENCH_N_MODELS && free_bytes < bench_model_bytes (model); m++)
    if (resident[m] && !used[m])
      {
        if (bn_rng_below (rng, 2))
          bench_ok (bench, bench_evict (bench, worker, m));
        else
          drop (bench, worker, m);
        resident[m] = false;
        free_bytes += bench_model_bytes (m);
      }
}

/* One round on one worker: a load, which evicts and compacts, and meanwhile runs on models that are there,
 * some of them queued when it begins. */
static void
press (Bench *bench, uint32_t worker, bool resident[BENCH_N_MODELS], int64_t memory, BnRng *rng, GPtrArray *runs)
{
  uint32_t to_load = (uint32_t) bn_rng_below (rng, BENCH_N_MODELS), to_run[N_RUNS], n = 0;
  bool used[BENCH_N_MODELS] = { 0 };
  BenchOp *load = NULL;

  for (int i = 0; i < N_RUNS; i++)
    {
      uint32_t m = (uint32_t) bn_rng_below (rng, BENCH_N_MODELS);
      if (resident[m])
        to_run[n++] = m;
      used[m] = used[m] || resident[m];
    }
  bool loads = !resident[to_load];
  if (loads)
    make_room (bench, worker, to_load, resident, used, memory, rng);
  for (uint32_t i = 0; i < n; i++)
    {
      if (i == n / 4 && loads)
        load = bench_load (bench, worker, to_load);
      g_ptr_array_add (runs, bench_run (bench, worker, bench_job (bench, to_run[i], (int32_t) worker), 0));
    }
  if (loads && !load)
    load = bench_load (bench, worker, to_load);
  /* what this round uses may have left no room */
  if (load && bench_wait (bench, load) != BN_OP_OUT_OF_MEMORY)
    {
      bench_ok (bench, load);
      resident[to_load] = true;
    }
}

START_TEST (nothing_is_mixed_up_under_pressure)
{
  int64_t memory = bench_model_bytes (BENCH_TRANSFORMER) + 2 * bench_model_bytes (BENCH_LSTM);
  Bench *bench = bench_open ((BenchCluster) { N_WORKERS, 2, memory, false });
  bool resident[N_WORKERS][BENCH_N_MODELS] = { 0 };
  BnRng rng;

  bn_rng_init (&rng, 1, "pressure");
  for (int round = 0; round < bench_rounds (); round++)
    {
      GPtrArray *runs = g_ptr_array_new ();
      for (uint32_t worker = 0; worker < N_WORKERS; worker++)
        press (bench, worker, resident[worker], memory, &rng, runs);
      for (guint i = 0; i < runs->len; i++)
        {
          BenchOp *run = runs->pdata[i];
          bench_ok (bench, run);
          bench_matches_reference (bench, run);
          job_over (bench, run->op.task->job);
        }
      g_ptr_array_unref (runs);
    }
  bench_close (bench);
}
END_TEST

TCase *
backend_script (void)
{
  TCase *tc = tcase_create ("script");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, every_layer_type_computes_what_the_reference_does);
  tcase_add_test (tc, outputs_are_the_same_on_every_worker);
  tcase_add_test (tc, jobs_differ_by_what_their_clients_send);
  tcase_add_test (tc, outputs_go_from_worker_to_worker);
  tcase_add_test (tc, what_the_client_sent_comes_from_it_or_from_another_worker);
  tcase_add_test (tc, a_missing_input_fails_that_operation_only);
  tcase_add_test (tc, a_model_that_is_not_there_fails_its_run);
  tcase_add_test (tc, capacity_is_exact);
  tcase_add_test (tc, eviction_and_drop_make_room);
  tcase_add_test (tc, scattered_free_memory_is_made_one);
  tcase_add_test (tc, a_job_that_is_over_leaves_nothing);
  tcase_add_test (tc, a_task_may_be_executed_again);
  tcase_add_test (tc, cancelled_operations_complete_once);
  tcase_add_test (tc, paced_transfers_take_at_least_what_the_network_would);
  tcase_add_test (tc, nothing_is_mixed_up_under_pressure);
  return tc;
}
