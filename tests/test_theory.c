/* test_theory.c: queueing theory as oracle: M/M/1, M/D/1, M/G/1, M/M/4.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One-task workflows without a model on one worker, no transfers, fresh rows.
 * The mean time in system of each run, with its 99 % interval by batch means (40
 * batches, Student's t, 39 degrees of freedom), is held against the closed form:
 * the form must lie in the interval, and the interval must be narrow: at most 2 %
 * to each side. Lengths come from the asymptotic variance of M/M/1.
 *
 * Sources: L. Kleinrock, "Queueing Systems", vol. 1 (M/M/1, M/M/c with Erlang's C);
 * Pollaczek and Khinchine for M/D/1 and M/G/1.
 */
#include <check.h>
#include <glib.h>
#include <math.h>
#include <stdio.h>

#include "suite.h"
#include "world.h"

#define N_BATCHES 40

/* Student's t, 39 degrees of freedom, 99 % two-sided (table in any textbook). */
#define T_99 2.7079

#define RUNTIME_NS (100 * BN_NS_PER_MS)
#define GAMMA_CV 1.5
#define TOLERANCE 0.02

typedef struct Model
{
  const char *name;
  BnNoiseKind noise;
  double cv;      /* of the runtime */
  uint32_t servers;
} Model;

static const Model models[] = {
  { "M/M/1", BN_NOISE_EXPONENTIAL, 1, 1 },
  { "M/D/1", BN_NOISE_CONSTANT, 0, 1 },
  { "M/G/1", BN_NOISE_GAMMA, GAMMA_CV, 1 },
  { "M/M/4", BN_NOISE_EXPONENTIAL, 1, 4 },
};

/* Mean time in system, in mean runtimes. */
static double
closed_form (const Model *model, double load)
{
  double c = model->servers, offered = load * c;

  if (model->servers == 1)
    return 1 + load * (1 + model->cv * model->cv) / (2 * (1 - load));
  double term = 1, sum = 1;
  for (uint32_t k = 1; k < model->servers; k++)
    {
      term *= offered / k;
      sum += term;
    }
  term *= offered / c;
  double erlang_c = term / (1 - load) / (sum + term / (1 - load));
  return 1 + erlang_c / (c * (1 - load));
}

typedef struct Batches
{
  int64_t per_batch, n;
  double sum[N_BATCHES];
} Batches;

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  Batches *b = context;
  int64_t i = b->n++ / b->per_batch;

  if (i < N_BATCHES)
    b->sum[i] += (double) (now - job->create_ns) / (double) RUNTIME_NS;
}

/* Jobs for an interval of `tolerance` at the given load, by the asymptotic
 * variance of the mean waiting time in M/M/1 and its mean; the other models are
 * scaled by their own variability. */
static int64_t
jobs_needed (const Model *model, double load)
{
  double r = load;
  double variance = r * (2 + 5 * r - 4 * r * r + r * r * r) / pow (1 - r, 4) + 1;
  double mean = closed_form (&models[0], load);
  double half = 0.65 * TOLERANCE * mean / 2.576;
  double shape = model->noise == BN_NOISE_GAMMA ? 3 : 1;

  return (int64_t) (shape * variance / (half * half)) + 40000;
}

static void
check_model (const Model *model, double load, uint64_t seed)
{
  int64_t n = jobs_needed (model, load);
  Batches batches = { .per_batch = n / N_BATCHES };
  BnProbe probe = { .context = &batches, .job_ended = job_ended };
  World *w = world_queue (RUNTIME_NS, model->servers, load, (BnNoise){ model->noise, model->cv, false, 1, NULL });

  world_serve (w, n, seed, &probe);
  double mean = 0, square = 0;
  for (int i = 0; i < N_BATCHES; i++)
    mean += batches.sum[i] / (double) batches.per_batch / N_BATCHES;
  for (int i = 0; i < N_BATCHES; i++)
    {
      double d = batches.sum[i] / (double) batches.per_batch - mean;
      square += d * d;
    }
  double half = T_99 * sqrt (square / (N_BATCHES - 1) / N_BATCHES), truth = closed_form (model, load);
  printf ("%s load %.1f seed %d: %ld jobs, %.4f +- %.4f, closed form %.4f (%+.2f half-widths)\n", model->name, load,
          (int) seed, (long) n, mean, half, truth, (mean - truth) / half);
  ck_assert_msg (half <= TOLERANCE * truth, "%s load %.1f: half-width %.4f is over 2 %% of %.4f", model->name, load,
                 half, truth);
  ck_assert_msg (fabs (mean - truth) <= half, "%s load %.1f seed %d: %.4f +- %.4f misses %.4f", model->name, load,
                 (int) seed, mean, half, truth);
  world_free (w);
}

START_TEST (closed_forms_hold_at_load_0_3)
{
  for (uint64_t seed = 1; seed <= 3; seed++)
    check_model (&models[_i], 0.3, seed);
}
END_TEST

START_TEST (closed_forms_hold_at_load_0_7)
{
  for (uint64_t seed = 1; seed <= 3; seed++)
    check_model (&models[_i], 0.7, seed);
}
END_TEST

START_TEST (closed_forms_hold_at_load_0_9)
{
  for (uint64_t seed = 1; seed <= 3; seed++)
    check_model (&models[_i], 0.9, seed);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("theory");
  TCase *tc = tcase_create ("closed forms");
  const char *is_long = g_getenv ("BN_TEST_LONG");
  int n = G_N_ELEMENTS (models);

  tcase_set_timeout (tc, 3000);
  if (is_long && is_long[0] == '1')
    tcase_add_loop_test (tc, closed_forms_hold_at_load_0_9, 0, n);
  else
    {
      tcase_add_loop_test (tc, closed_forms_hold_at_load_0_3, 0, n);
      tcase_add_loop_test (tc, closed_forms_hold_at_load_0_7, 0, n);
    }
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
