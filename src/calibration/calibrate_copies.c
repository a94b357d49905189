/* calibrate_copies.c: loads, evictions and transfers of several sizes, and launches.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "calibrate_parts.h"
#include "catalogue.h"

/* Sixths of the largest model, and outputs, that are copied. Much smaller models would lie in a
 * processor's cache, and tell nothing of the others. */
static const int64_t sixths[] = { 1, 2, 4, 6 };
static const int64_t outputs_bytes[] = { 1000, 30000, 300000, 3000000 };
#define LAUNCHES 8

/* The last workflow; those before it are of outputs_bytes. */
#define LAUNCH_WORKFLOW G_N_ELEMENTS (outputs_bytes)

int64_t
bn_largest_model (const BnCatalogue *catalogue)
{
  int64_t largest = 0;

  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    for (uint32_t t = 0; t < catalogue->workflows[w].n_tasks; t++)
      {
        int32_t model = catalogue->workflows[w].tasks[t].model;
        if (model != BN_NONE)
          largest = MAX (largest, catalogue->models[model].size_bytes);
      }
  return largest;
}

BnCatalogue *
bn_copies_catalogue (const BnScenario *scenario)
{
  static const uint32_t first[] = { 0 };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  int64_t largest = bn_largest_model (scenario->catalogue);

  for (guint i = 0; i < G_N_ELEMENTS (sixths); i++)
    {
      g_autofree char *name = g_strdup_printf ("part-%u", i);
      bn_catalogue_builder_add_model (b, name, MAX (1, bn_muldiv_round (largest, sixths[i], 6)));
    }
  for (guint i = 0; i < G_N_ELEMENTS (outputs_bytes); i++)
    {
      g_autofree char *name = g_strdup_printf ("output-%u", i);
      bn_catalogue_builder_add_workflow (b, name);
      bn_catalogue_builder_add_task (b, BN_NONE, 1, outputs_bytes[i], 1, NULL, 0);
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 1, 1, first, 1);
    }
  bn_catalogue_builder_add_workflow (b, "launch");
  bn_catalogue_builder_add_task (b, BN_NONE, 1, 1, 1, NULL, 0);
  return bn_catalogue_builder_finish (b, NULL);
}

static gboolean
measure_models (BnSamples *samples, BnTestbed *testbed, GError **error)
{
  uint32_t worker = samples->workers[0];

  for (int32_t m = 0; m < (int32_t) G_N_ELEMENTS (sixths); m++)
    {
      BnOp load = bn_testbed_load (testbed, worker, m), evict = bn_testbed_evict (testbed, worker, m);
      if (!bn_testbed_do (testbed, &load, 1, error) || !bn_testbed_do (testbed, &evict, 1, error))
        return FALSE;
      bn_samples_add_copy (samples, "load", &load);
      bn_samples_add_copy (samples, "evict", &evict);
    }
  return TRUE;
}

/* From worker to worker, where there are two. */
static gboolean
measure_transfers (BnSamples *samples, BnTestbed *testbed, GError **error)
{
  uint32_t from = samples->workers[0], to = samples->workers[1];

  for (uint32_t w = 0; w < G_N_ELEMENTS (outputs_bytes); w++)
    {
      BnJob *job = bn_testbed_job (testbed, w, from);
      BnOp make = bn_testbed_run (job, 0, from), move = bn_testbed_transfer (job, 1, 0, (int32_t) from, to);
      if (!bn_testbed_do (testbed, &make, 1, error) || !bn_testbed_do (testbed, &move, 1, error))
        return FALSE;
      bn_samples_add_copy (samples, "transfer", &move);
    }
  return TRUE;
}

static gboolean
measure_launches (BnSamples *samples, BnTestbed *testbed, GError **error)
{
  BnJob *job = bn_testbed_job (testbed, LAUNCH_WORKFLOW, samples->workers[0]);

  for (guint i = 0; i < LAUNCHES; i++)
    {
      BnOp run = bn_testbed_run (job, 0, samples->workers[0]);
      if (!bn_testbed_do (testbed, &run, 1, error))
        return FALSE;
      double took_ns = (double) bn_testbed_took (&run);
      g_array_append_val (samples->launches, took_ns);
    }
  return TRUE;
}

gboolean
bn_measure_copies (BnSamples *samples, BnTestbed *testbed, guint repeats, GError **error)
{
  for (guint i = 0; i < repeats; i++)
    {
      if (!measure_models (samples, testbed, error)
          || (samples->n_workers > 1 && !measure_transfers (samples, testbed, error))
          || !measure_launches (samples, testbed, error))
        return FALSE;
      bn_testbed_jobs_over (testbed);
    }
  return TRUE;
}
