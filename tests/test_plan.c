/* test_plan.c: searches on real simulations: held to exhaustive search, and to Erlang's
 * formula.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Runs are made here, without files: so many servers or slots, so much load, one seed.
 *
 * Source: A. K. Erlang's C formula, as in L. Kleinrock, "Queueing Systems", vol. 1, 3.5.
 */
#include <stdio.h>

#include "catalogue_builder.h"
#include "plan_search.h"
#include "rng.h"
#include "suite.h"
#include "world.h"

#define MAX_N 40
#define MAX_SEEDS 40

/* What is run, and what is promised of it. */
typedef struct Case
{
  guint64 number;            /* of a random catalogue; 0: one task without a model, of 100 ms */
  const char *scheduler;
  double rate_per_s;
  gint64 jobs, left_out;     /* the first ones are not counted                                */
  gboolean slots;            /* n is of the slots of one server, else of servers              */
  gboolean exponential;      /* runtimes, which schedulers know                               */
  double limit_ms;           /* of the mean latency                                           */
  double values[MAX_N + 1][MAX_SEEDS];  /* of the runs made so far; 0: none                   */
} Case;

static BnCatalogue *
random_catalogue (guint64 number)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnRng rng;

  bn_rng_init (&rng, number, "catalogue");
  for (guint m = 0; m < 3; m++)
    bn_catalogue_builder_add_model (b, (const char *[]) { "a", "b", "c" }[m],
                                    (gint64) (1 + bn_rng_below (&rng, 40)) * 1000000);
  bn_catalogue_builder_add_workflow (b, "w");
  guint n_tasks = 1 + (guint) bn_rng_below (&rng, 4);
  for (guint t = 0; t < n_tasks; t++)
    {
      guint32 pred = t > 0 ? (guint32) bn_rng_below (&rng, t) : 0;
      gint32 model = (gint32) bn_rng_below (&rng, 4) - 1;
      BnDuration runtime_ns = (BnDuration) (10 + bn_rng_below (&rng, 150)) * BN_NS_PER_MS;
      bn_catalogue_builder_add_task (b, model < 0 ? BN_NONE : model, 1000, 1000, runtime_ns, &pred, t > 0);
    }
  return bn_catalogue_builder_finish (b, NULL);
}

static BnCatalogue *
customers (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();

  bn_catalogue_builder_add_workflow (b, "customer");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 100 * BN_NS_PER_MS, NULL, 0);
  return bn_catalogue_builder_finish (b, NULL);
}

typedef struct Sum
{
  gint64 left_out, n;
  double ms;
} Sum;

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  Sum *sum = context;

  if (sum->left_out-- > 0)
    return;
  sum->ms += (double) (now - job->create_ns) / BN_NS_PER_MS;
  sum->n++;
}

/* The mean latency of one run. */
static double
simulate (const Case *c, gint64 n, guint seed)
{
  BnServerGroup group = world_group (c->slots ? 1 : (guint32) n, c->number > 0 ? 60000000 : 0);
  Sum sum = { .left_out = c->left_out };
  BnProbe probe = { .context = &sum, .job_ended = job_ended };

  group.gpu.slots = c->slots ? (guint32) n : 1;
  World *w = world_new (c->number > 0 ? random_catalogue (c->number) : customers (), &group, 1);
  w->platform->network.latency_ns = 0;
  w->platform->network.small_limit_bytes = 1;
  world_schedule (w, c->scheduler);
  w->arrivals.rate_per_s = c->rate_per_s;
  w->arrivals.max_jobs = c->jobs;
  w->config.scheduler = w->variant->scheduler;
  w->config.params = w->variant->params;
  w->config.options = w->variant->options;
  w->config.noise = (BnNoise) { c->exponential ? BN_NOISE_EXPONENTIAL : BN_NOISE_CONSTANT, 1, true, 1, NULL };
  w->config.probes = &probe;
  w->config.n_probes = 1;
  w->config.debug_check = false;
  w->config.seed = seed + 1;
  BnRun *run = bn_run_new (&w->config, NULL);
  ck_assert_int_eq (bn_run_execute (run, NULL), BN_RUN_COMPLETE);
  bn_run_free (run);
  world_free (w);
  return sum.ms / (double) sum.n;
}

static BnPlanOutcome
try (Case *c, gint64 n, guint k, guint n_looks)
{
  BnPlanLimit limit = { c->limit_ms, FALSE, FALSE };
  BnReplication runs[MAX_SEEDS] = { { 0 } };
  BnPlanEstimate estimate;

  for (guint i = 0; i < k; i++)
    {
      if (c->values[n][i] <= 0)
        c->values[n][i] = simulate (c, n, i);
      runs[i].values = &c->values[n][i];
    }
  return bn_plan_judge (&limit, 1, runs, k, n_looks, &estimate).outcome;
}

static BnPlanAnswer
run_search (Case *c, const BnPlanSearchConfig *config)
{
  BnPlanSearch *search = bn_plan_search_new (config);
  gint64 n;
  guint k;

  while (bn_plan_search_next (search, &n, &k))
    bn_plan_search_tell (search, n, k, try (c, n, k, config->stages.n));
  BnPlanAnswer answer = bn_plan_search_answer (search);
  bn_plan_search_free (search);
  return answer;
}

/* ---- exhaustive search ---- */

static BnVerdict
exhaust (Case *c, gint64 n, const BnPlanStages *stages)
{
  BnVerdict verdict = BN_VERDICT_UNDECIDED;

  for (guint i = 0; i < stages->n && verdict == BN_VERDICT_UNDECIDED; i++)
    verdict = try (c, n, stages->seeds[i], stages->n).verdict;
  return verdict;
}

/* Limits from little above what a lone job takes to several times that. */
static void
make_random_case (Case *c, guint64 number)
{
  static const char *const schedulers[] = { "jit", "compass", "least-loaded", "heft", "hash[random]", "late" };
  BnRng rng;

  bn_rng_init (&rng, number, "case");
  *c = (Case) { .number = number, .jobs = 40, .rate_per_s = 4 + 12 * bn_rng_uniform (&rng),
                .exponential = bn_rng_below (&rng, 2), .limit_ms = 1e9 };
  c->scheduler = schedulers[bn_rng_below (&rng, G_N_ELEMENTS (schedulers))];
  double many = simulate (c, MAX_N, 0);
  c->limit_ms = many * (1.05 + bn_rng_uniform (&rng) * bn_rng_uniform (&rng) * 3);
}

START_TEST (search_finds_what_exhaustive_search_finds_in_simulations)
{
  BnPlanSearchConfig config = { .floor = 0, .max = 10, .first_gap = 1, .stages = bn_plan_stages (3, 6) };
  guint n_same = 0, n_inside = 0;

  for (guint64 number = 1; number <= 200; number++)
    {
      g_autofree Case *c = g_new0 (Case, 1);
      make_random_case (c, number);
      BnPlanAnswer answer = run_search (c, &config);
      BnVerdict verdicts[11] = { BN_VERDICT_BROKEN };
      gint64 low = 1, high = 0;
      gboolean monotone = TRUE;

      for (gint64 n = 1; n <= config.max; n++)
        {
          verdicts[n] = exhaust (c, n, &config.stages);
          monotone = monotone && verdicts[n] >= verdicts[n - 1];
          low = verdicts[n] == BN_VERDICT_BROKEN ? n + 1 : low;
          high = verdicts[n] != BN_VERDICT_KEPT ? 0 : high == 0 ? n : high;
        }
      /* whatever lies between, the ends of the band are what they are said to be */
      ck_assert (verdicts[answer.low - 1] == BN_VERDICT_BROKEN);
      ck_assert (answer.high == 0 || verdicts[answer.high] == BN_VERDICT_KEPT);
      if (!monotone)
        continue;
      n_same++;
      n_inside += answer.n > 0;
      ck_assert_msg (answer.low == low && answer.high == high,
                     "case %d (%s): found [%d, %d], by exhaustive search it is [%d, %d]", (int) number, c->scheduler,
                     (int) answer.low, (int) answer.high, (int) low, (int) high);
    }
  printf ("%u of 200 monotone, of which %u have an answer\n", n_same, n_inside);
  ck_assert_uint_ge (n_same, 120);
  ck_assert_uint_ge (n_inside, 100);
}
END_TEST

/* ---- Erlang ---- */

/* Mean time in system of M/M/c, in mean runtimes; `offered` = arrivals x mean runtime. */
static double
closed_form (double offered, gint64 c)
{
  double term = 1, sum = 0;

  for (gint64 k = 0; k < c; k++)
    {
      sum += term;
      term *= offered / (double) (k + 1);
    }
  term *= (double) c / ((double) c - offered);
  return 1 + term / (sum + term) / ((double) c - offered);
}

static void
check_erlang (double offered, gint64 truth, gboolean slots)
{
  g_autofree Case *c = g_new0 (Case, 1);
  gint64 floor = (gint64) offered;
  BnPlanSearchConfig config = { .floor = floor, .max = MAX_N, .first_gap = 1, .stages = bn_plan_stages (5, 40) };

  /* halfway between the number that keeps it and the one below */
  double limit = (closed_form (offered, truth) + closed_form (offered, truth - 1)) / 2;
  *c = (Case) { .scheduler = "least-loaded[load-staleness=0]", .rate_per_s = offered * 10, .jobs = 4000,
                .left_out = 500, .slots = slots, .exponential = TRUE, .limit_ms = 100 * limit };
  BnPlanAnswer answer = run_search (c, &config);
  printf ("%g erlangs, %s: %d in [%d, %d], by Erlang's formula %d\n", offered, slots ? "slots" : "servers",
          (int) answer.n, (int) answer.low, (int) answer.high, (int) truth);
  ck_assert_int_eq (answer.n, truth);
  ck_assert_int_eq (answer.low, truth);
  ck_assert_int_eq (answer.high, truth);
}

/* Jobs that go where least work is, on fresh rows with known runtimes, wait as in one queue
 * (J. Kiefer, J. Wolfowitz, 1955). */
START_TEST (numbers_are_those_of_erlang)
{
  const struct
  {
    double offered;
    gint64 truth;
  } cases[] = { { 1.5, 3 }, { 2, 4 }, { 4.2, 6 }, { 7, 9 } };

  ck_assert_double_eq_tol (closed_form (2, 3), 1 + 4.0 / 9, 1e-12);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      check_erlang (cases[i].offered, cases[i].truth, TRUE);
      check_erlang (cases[i].offered, cases[i].truth, FALSE);
    }
}
END_TEST

/* Number i of the search is the load 4 / 1.05^i on four slots. */
START_TEST (load_that_servers_carry_is_that_of_erlang)
{
  BnPlanSearchConfig config = { .floor = 0, .max = MAX_N, .first_gap = 2, .stages = bn_plan_stages (5, 40) };
  BnPlanSearch *search = bn_plan_search_new (&config);
  double loads[MAX_N + 1] = { 4 };
  gint64 n;
  guint k;

  for (guint i = 1; i <= MAX_N; i++)
    loads[i] = loads[i - 1] / 1.05;
  while (bn_plan_search_next (search, &n, &k))
    {
      g_autofree Case *c = g_new0 (Case, 1);
      *c = (Case) { .scheduler = "jit", .rate_per_s = loads[n] * 10, .jobs = 4000, .left_out = 500, .slots = TRUE,
                    .exponential = TRUE, .limit_ms = 150 };
      bn_plan_search_tell (search, n, k, try (c, 4, k, config.stages.n));
    }
  BnPlanAnswer answer = bn_plan_search_answer (search);
  bn_plan_search_free (search);
  printf ("1.5 runtimes on 4 slots: kept at %.3f erlangs, broken at %.3f\n", loads[answer.high], loads[answer.low - 1]);
  ck_assert_double_lt (closed_form (loads[answer.high], 4), 1.5);
  ck_assert_double_gt (closed_form (loads[answer.low - 1], 4), 1.5);
  /* not for a wide band */
  ck_assert_int_le (answer.high - answer.low, 2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("plan");
  TCase *tc = tcase_create ("simulations");

  tcase_set_timeout (tc, 300);
  tcase_add_test (tc, search_finds_what_exhaustive_search_finds_in_simulations);
  tcase_add_test (tc, numbers_are_those_of_erlang);
  tcase_add_test (tc, load_that_servers_carry_is_that_of_erlang);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
