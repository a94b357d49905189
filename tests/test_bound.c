/* test_bound.c: lower bounds against closed forms, by hand, and against every scheduler.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * In the small world a client's message of 1 kB takes 2 us, and a load 1 ms a MB. The
 * random scenarios are those of test_contract.c: 1,000 here, 10,000 in check-long.
 */
#include <check.h>
#include <stdio.h>

#include "bound.h"
#include "fast_machine.h"
#include "metrics.h"
#include "random_scenario.h"
#include "small_world.h"
#include "suite.h"

#define SHORT_SCENARIOS 1000
#define LONG_SCENARIOS 10000
#define US BN_NS_PER_US

/* Rounding downwards and the margin for it. */
#define NEARLY (10 * US)

static BnBound
bound_on (const BnPlatform *platform, const BnCatalogue *catalogue, BnBoundConfig config)
{
  BnBound bound;
  GError *error = NULL;
  BnCost *cost = bn_cost_new (platform, catalogue);

  config.cost = cost;
  ck_assert_msg (bn_bound_compute (&config, &bound, &error), "%s", error ? error->message : "");
  bn_cost_free (cost);
  return bound;
}

static BnBound
bound_of_world (const World *w, const uint8_t *preloaded, uint32_t steps)
{
  return bound_on (w->platform, w->catalogue,
                   (BnBoundConfig){ .arrivals = &w->arrivals, .noise = w->config.noise, .preloaded = preloaded,
                                    .seed = w->config.seed, .steps = steps });
}

/* Runs and measures. */
static BnJobTally
measure (BnRunConfig config, BnTime warmup_ns)
{
  BnMetricsConfig metrics_config = { config.platform, config.catalogue, warmup_ns, 0, FALSE, FALSE };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);
  GError *error = NULL;

  config.probes = bn_metrics_probe (metrics);
  config.n_probes = 1;
  BnRun *run = bn_run_new (&config, &error);
  ck_assert_msg (run != NULL, "%s", error ? error->message : "");
  ck_assert_int_eq (bn_run_execute (run, &error), BN_RUN_COMPLETE);
  BnJobTally tally = bn_metrics_tally (metrics)->all;
  bn_run_free (run);
  bn_metrics_free (metrics);
  return tally;
}

static BnJobTally
measure_world (World *w, const char *scheduler)
{
  world_schedule (w, scheduler);
  BnRunConfig config = w->config;
  config.scheduler = w->variant->scheduler;
  config.params = w->variant->params;
  config.options = w->variant->options;
  return measure (config, 0);
}

static World *
world_of (uint32_t workers, uint32_t slots, const char *jobs)
{
  World *w = small_world (workers, 100 * MB, slots);

  world_jobs (w, jobs);
  return w;
}

/* ---- closed forms ---- */

START_TEST (a_lone_job_takes_its_message_and_its_critical_path)
{
  World *w = world_of (2, 1, "100000000,bare,0\n200000000,diamond,1\n300000000,bare,0\n");
  BnBound bound = bound_of_world (w, NULL, 0);
  BnJobTally tally = measure_world (w, "jit");

  /* 1.002, 8.002, 1.002 ms */
  ck_assert_int_eq (bound.latency_ns.n_jobs, 3);
  ck_assert_double_eq (bound.latency_ns.best, (double) (10006 * US / 3));
  ck_assert_int_eq (bound.latency_ns.kind, BN_BOUND_PER_JOB);
  ck_assert_double_eq_tol (bound.slowdown.best, (2 * 1.002 + 8.002 / 8) / 3, 1e-6);
  /* the diamond's branches run one after the other, or travel */
  ck_assert_int_ge ((int64_t) tally.latency_ns, 10006 * US);
  ck_assert_int_le ((int64_t) tally.latency_ns, 12006 * US);
  world_free (w);
}
END_TEST

START_TEST (the_first_load_of_a_model_is_paid_by_the_clock_unless_it_is_there)
{
  static const uint8_t there[] = { 1, 0, 0 };
  World *w = world_of (1, 1, "4000000,one-a,0\n");

  /* 10 ms from time 0, of which 4 are over: 6 + 5 */
  ck_assert_double_eq (bound_of_world (w, NULL, 0).latency_ns.best, 11.0 * MS);
  ck_assert_double_eq (bound_of_world (w, there, 0).latency_ns.best, 5.0 * MS + 2 * US);
  world_free (w);
}
END_TEST

/* n bare jobs at once on as many machines as there are slots. */
static void
check_batch (uint32_t workers, uint32_t slots, double best_ms)
{
  GString *jobs = g_string_new (NULL);

  for (int i = 0; i < 10; i++)
    g_string_append (jobs, "50000000,bare,0\n");
  World *w = world_of (workers, slots, jobs->str);
  BnBound bound = bound_of_world (w, NULL, 0);
  double best = best_ms * MS + 2 * US;

  ck_assert_double_le (bound.latency_ns.best, best);
  ck_assert_double_ge (bound.latency_ns.mean[BN_BOUND_RELAXATION], best - NEARLY);
  ck_assert_int_ne (bound.latency_ns.kind, BN_BOUND_PER_JOB);
  /* 10 jobs: the sum is exact */
  BnJobTally tally = measure_world (w, "hash");
  ck_assert_double_ge ((double) tally.latency_ns / 10, bound.latency_ns.best);
  if (workers == 1)
    ck_assert_int_eq ((int64_t) tally.latency_ns, (int64_t) (10 * best));
  world_free (w);
  g_string_free (jobs, TRUE);
}

START_TEST (a_batch_waits_for_half_of_itself)
{
  check_batch (1, 1, 5.5);
}
END_TEST

START_TEST (workers_and_slots_share_a_batch)
{
  /* two at a time: 1 1 2 2 3 3 4 4 5 5 */
  check_batch (2, 1, 3);
  check_batch (1, 2, 3);
}
END_TEST

START_TEST (chains_on_one_worker_end_one_after_the_other)
{
  static const uint8_t there[] = { 1, 0, 0 };
  World *w = world_of (1, 1, "0,chain,0\n0,chain,0\n0,chain,0\n");
  BnBound bound = bound_of_world (w, there, 0);

  /* 30, 60, 90 ms */
  ck_assert_double_le (bound.latency_ns.best, 60.0 * MS + 2 * US);
  ck_assert_double_ge (bound.latency_ns.mean[BN_BOUND_RELAXATION], 60.0 * MS + 2 * US - NEARLY);
  ck_assert_double_le (bound.slowdown.best, 2.0 + 1e-4);
  ck_assert_double_ge (bound.slowdown.best, 2.0);
  world_free (w);
}
END_TEST

START_TEST (uniform_gaps_longer_than_a_job_leave_nobody_waiting)
{
  World *w = small_world (1, 100 * MB, 1);

  w->arrivals.kind = BN_ARRIVALS_UNIFORM;
  w->arrivals.rate_per_s = 900;
  w->arrivals.max_jobs = 1000;
  w->weights[0] = w->weights[1] = w->weights[2] = w->weights[3] = w->weights[5] = 0;
  BnBound bound = bound_of_world (w, NULL, 3);
  BnJobTally tally = measure_world (w, "jit");
  ck_assert_double_eq (bound.latency_ns.best, 1.0 * MS + 2 * US);
  ck_assert_int_eq ((int64_t) tally.latency_ns, 1000 * (MS + 2 * US));
  ck_assert_double_eq_tol (bound.slots_needed, 0.9, 1e-9);
  world_free (w);
}
END_TEST

START_TEST (the_faster_gpu_and_stated_runtimes_set_the_pace)
{
  BnServerGroup groups[] = { world_group (1, 100 * MB), world_group (1, 100 * MB) };
  World *w;

  groups[1].gpu.speed_ppm = 4 * BN_PPM_ONE;
  w = world_new (small_catalogue (), groups, 2);
  world_jobs (w, "0,bare,0\n100000000,bare,0\n");
  ck_assert_double_eq (bound_of_world (w, NULL, 0).latency_ns.best, 0.25 * MS + 2 * US);
  world_free (w);

  /* 5 at once: a slot of speed 4 and one of speed 1 do 5 x 0.25 ms of fast time in 1 ms */
  w = world_new (small_catalogue (), groups, 2);
  world_jobs (w, "0,bare,0\n0,bare,0\n0,bare,0\n0,bare,0\n0,bare,0\n");
  BnBound bound = bound_of_world (w, NULL, 0);
  ck_assert_double_ge (bound.latency_ns.mean[BN_BOUND_RELAXATION], 0.5 * MS + 0.125 * MS + 2 * US - NEARLY);
  /* .25 .5 .75 1 on the fast one, and 1 */
  ck_assert_double_le (bound.latency_ns.best, 3.5 * MS / 5 + 2 * US);
  world_free (w);
}
END_TEST

/* ---- by hand ---- */

START_TEST (three_tasks_with_weights_preempt_each_other_as_worked_by_hand)
{
  static const BnDuration runtimes[] = { 4 * MS, 2 * MS, 1 * MS };
  static const double weights[] = { 1, 1, 3 }, factor = 1;
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup group = world_group (1, 100 * MB);
  BnBoundBlock block = { 0 };
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (BnStretch));
  BnRng rng;

  for (uint32_t i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("w%u", i);
      bn_catalogue_builder_add_workflow (b, name);
      bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, runtimes[i], NULL, 0);
    }
  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  BnCost *cost = bn_cost_new (w->platform, w->catalogue);
  BnMachineTypes *types = bn_machine_types_new (cost, w->arrivals.weights, NULL);
  for (uint32_t i = 0; i < 3; i++)
    bn_bound_block_add (&block, cost, types, &w->catalogue->workflows[i], i * MS, &factor);
  BnFastMachine *machine = bn_fast_machine_new (&block, types);
  bn_rng_init (&rng, 1, "bound");
  double sum = bn_fast_machine_bound (machine, weights, 0, &rng, stretches);

  /* urgencies 1/4, 1/2, 3: tasks 0 1 2 1 0 from 0 1 2 3 4 to 7 ms, all 2 us later. Mean
     times 4.25, 2.5, 2.5; with half a runtime and less creation 6.25 + 2.5 + 3 x 1 */
  static const uint32_t order[] = { 0, 1, 2, 1, 0 };
  ck_assert_uint_eq (stretches->len, 5);
  for (guint i = 0; i < 5; i++)
    {
      const BnStretch *s = &g_array_index (stretches, BnStretch, i);
      ck_assert_uint_eq (s->task, order[i]);
      ck_assert_double_eq_tol (s->from, (double) (i * MS + 2 * US), 1);
    }
  ck_assert_double_eq_tol (sum, 11.75 * MS + 5 * 2 * US, 1);
  ck_assert_double_le (sum, 11.75 * MS + 5 * 2 * US);
  g_array_unref (stretches);
  bn_fast_machine_free (machine);
  bn_bound_block_clear (&block);
  bn_machine_types_free (types);
  bn_cost_free (cost);
  world_free (w);
}
END_TEST

/* ---- which jobs ---- */

START_TEST (jobs_of_the_warm_up_and_those_that_can_never_run_are_left_out)
{
  World *w = small_world (1, 25 * MB, 1); /* too small for C */

  world_jobs (w, "0,bare,0\n1000000,one-c,0\n500000000,bare,0\n600000000,one-c,0\n700000000,bare,0\n");
  BnBound bound = bound_on (w->platform, w->catalogue,
                            (BnBoundConfig){ .arrivals = &w->arrivals, .seed = 1, .warmup_ns = 400 * MS });
  ck_assert_int_eq (bound.n_jobs, 5);
  ck_assert_int_eq (bound.n_runnable, 3);
  ck_assert_int_eq (bound.latency_ns.n_jobs, 2);
  ck_assert_double_eq (bound.latency_ns.best, 1.0 * MS + 2 * US);
  world_free (w);
}
END_TEST

START_TEST (runtimes_are_those_that_the_run_draws)
{
  World *w = small_world (1, 100 * MB, 1);

  w->arrivals.kind = BN_ARRIVALS_UNIFORM;
  w->arrivals.rate_per_s = 1;
  w->arrivals.max_jobs = 50;
  w->weights[0] = w->weights[1] = w->weights[2] = 0;
  w->weights[5] = 0;
  w->config.noise = (BnNoise){ BN_NOISE_LOGNORMAL, 0.7, false, 1.5, NULL };
  static const uint8_t there[] = { 1, 0, 0 };
  static const BnPreload preload = { MODEL_A, 0 };
  w->config.preloads = &preload;
  w->config.n_preloads = 1;
  BnBound bound = bound_of_world (w, there, 0);
  BnJobTally tally = measure_world (w, "jit");
  ck_assert_double_eq (bound.latency_ns.best, (double) ((int64_t) tally.latency_ns / 50));
  ck_assert_double_eq_tol (bound.slowdown.best, (double) tally.slowdown_ppm / 50e6, 1e-6);
  world_free (w);
}
END_TEST

START_TEST (many_jobs_are_bounded_in_blocks_and_none_is_lost)
{
  World *w = small_world (1, 100 * MB, 1);

  w->arrivals.kind = BN_ARRIVALS_UNIFORM;
  w->arrivals.rate_per_s = 500;
  w->arrivals.max_jobs = 3 * BN_BLOCK_WAYS + 7;
  w->weights[0] = w->weights[1] = w->weights[2] = w->weights[3] = w->weights[5] = 0;
  BnBound bound = bound_of_world (w, NULL, 0);
  ck_assert_int_eq (bound.latency_ns.n_jobs, 3 * BN_BLOCK_WAYS + 7);
  ck_assert_double_eq (bound.latency_ns.best, 1.0 * MS + 2 * US);
  world_free (w);
}
END_TEST

static bool
at_once (void *data)
{
  (void) data;
  return true;
}

START_TEST (it_can_be_stopped_between_blocks)
{
  World *w = small_world (1, 100 * MB, 1);
  BnCost *cost = bn_cost_new (w->platform, w->catalogue);
  GError *error = NULL;
  BnBound bound;

  w->arrivals.max_jobs = INT64_MAX;
  BnBoundConfig config = { .cost = cost, .arrivals = &w->arrivals, .seed = 1, .stopped = at_once };
  ck_assert (!bn_bound_compute (&config, &bound, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  g_error_free (error);
  bn_cost_free (cost);
  world_free (w);
}
END_TEST

/* ---- every scheduler ---- */

typedef struct Counts
{
  int64_t n_compared, n_near, n_of_kind[BN_N_BOUNDS];
} Counts;

static void
compare_with_run (const RandomScenario *random, const BnBound *bound, const char *what, Counts *counts)
{
  const BnScenario *s = &random->scenario;
  BnRunConfig config = { .platform = s->platform,
                         .catalogue = s->catalogue,
                         .arrivals = &s->arrivals,
                         .noise = s->noise,
                         .scheduler = random->variant->scheduler,
                         .params = random->variant->params,
                         .options = random->variant->options,
                         .seed = random->seed,
                         .repeat_command = what };
  config.options.decision_measured = false; /* no clock is needed to be above the bound */
  BnJobTally tally = measure (config, s->warmup_ns);

  if (tally.n_done == 0 || tally.n_done != bound->latency_ns.n_jobs)
    return;
  double latency = (double) tally.latency_ns / (double) tally.n_done;
  ck_assert_msg (latency >= bound->latency_ns.best, "%s: mean latency %.0f ns is below %.0f ns, by %s", what, latency,
                 bound->latency_ns.best, bn_bound_kind_name (bound->latency_ns.kind));
  ck_assert_int_eq (tally.n_slowdown, bound->slowdown.n_jobs);
  if (tally.n_slowdown > 0)
    {
      double slowdown = (double) tally.slowdown_ppm / (double) tally.n_slowdown / 1e6;
      ck_assert_msg (slowdown >= bound->slowdown.best * (1 - 1e-12), "%s: mean slowdown %.9f is below %.9f, by %s",
                     what, slowdown, bound->slowdown.best, bn_bound_kind_name (bound->slowdown.kind));
    }
  counts->n_compared++;
  counts->n_near += latency < 1.05 * bound->latency_ns.best;
  counts->n_of_kind[bound->latency_ns.kind]++;
}

START_TEST (no_scheduler_is_below_the_bound_on_any_random_scenario)
{
  const char *is_long = g_getenv ("BN_TEST_LONG");
  uint64_t n = is_long && is_long[0] == '1' ? LONG_SCENARIOS : SHORT_SCENARIOS;
  Counts counts = { 0 };

  for (uint64_t i = 1; i <= n; i++)
    {
      RandomScenario random;
      random_scenario_make (&random, i);
      const BnScenario *s = &random.scenario;
      g_autofree char *what = g_strdup_printf ("scenario %" G_GUINT64_FORMAT ", %s", i, random.variant->name);
      BnBound bound = bound_on (s->platform, s->catalogue,
                                (BnBoundConfig){ .arrivals = &s->arrivals, .noise = s->noise, .seed = random.seed,
                                                 .warmup_ns = s->warmup_ns, .steps = (uint32_t) (i % 3) * 5 });
      for (int k = 0; k < BN_N_BOUNDS; k++)
        ck_assert_double_le (bound.latency_ns.mean[k], bound.latency_ns.best);
      compare_with_run (&random, &bound, what, &counts);
      random_scenario_clear (&random);
    }
  printf ("%" G_GUINT64_FORMAT " scenarios, %ld compared, %ld within 5 %%; bound per job %ld, relaxation %ld,"
          " prices %ld\n", n, (long) counts.n_compared, (long) counts.n_near,
          (long) counts.n_of_kind[BN_BOUND_PER_JOB], (long) counts.n_of_kind[BN_BOUND_RELAXATION],
          (long) counts.n_of_kind[BN_BOUND_PRICES]);
  /* nothing of this may be vacuous */
  ck_assert_int_gt (counts.n_compared, (int64_t) n / 2);
  ck_assert_int_gt (counts.n_near, (int64_t) n / 50);
  for (int k = 0; k < BN_N_BOUNDS; k++)
    ck_assert_int_gt (counts.n_of_kind[k], (int64_t) n / 50);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("bound");
  TCase *tc = tcase_create ("bound");

  tcase_set_timeout (tc, 600);
  tcase_add_test (tc, a_lone_job_takes_its_message_and_its_critical_path);
  tcase_add_test (tc, the_first_load_of_a_model_is_paid_by_the_clock_unless_it_is_there);
  tcase_add_test (tc, a_batch_waits_for_half_of_itself);
  tcase_add_test (tc, workers_and_slots_share_a_batch);
  tcase_add_test (tc, chains_on_one_worker_end_one_after_the_other);
  tcase_add_test (tc, uniform_gaps_longer_than_a_job_leave_nobody_waiting);
  tcase_add_test (tc, the_faster_gpu_and_stated_runtimes_set_the_pace);
  tcase_add_test (tc, three_tasks_with_weights_preempt_each_other_as_worked_by_hand);
  tcase_add_test (tc, jobs_of_the_warm_up_and_those_that_can_never_run_are_left_out);
  tcase_add_test (tc, runtimes_are_those_that_the_run_draws);
  tcase_add_test (tc, many_jobs_are_bounded_in_blocks_and_none_is_lost);
  tcase_add_test (tc, it_can_be_stopped_between_blocks);
  tcase_add_test (tc, no_scheduler_is_below_the_bound_on_any_random_scenario);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
