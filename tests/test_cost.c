/* test_cost.c: every formula against values worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The check values (in ms, sizes in kB) are those of the published model:
 * c2c(1) = 0.002190735, c2c(2) = 0.002272478, c2c(20) = 0.003589451,
 * c2c(3000) = 0.240417670; g2g(2) = 0.002665745, g2g(10) = 0.004761057,
 * g2g(20) = 0.007522114, g2g(3000) = 0.830317058; loads and ranks of the four
 * workflows as in doc/cost-model.md. g2g is the sum of rounded parts, so it may
 * differ from its rounded total by one.
 */
#include <check.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "cost.h"
#include "platform_build.h"
#include "suite.h"

#define KB INT64_C (1000)

static BnServerGroup
t4 (uint32_t count)
{
  return (BnServerGroup){ count, 1,
                          { .name = "T4", .group = "t4", .memory_bytes = INT64_C (14000000000),
                            .speed_ppm = BN_PPM_ONE,
                            .pcie_bytes_per_s = INT64_C (10171226000), .slots = 1 } };
}

static BnCatalogue *
paper_catalogue (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("BN_SRCDIR"), "traces/catalogue/paper.ini", NULL);
  const char *paths[] = { path, NULL };
  BnCatalogue *catalogue = bn_catalogue_read (paths, INT64_MAX, NULL);

  ck_assert_ptr_nonnull (catalogue);
  return catalogue;
}

START_TEST (messages_cost_latency_then_ramp_then_rate)
{
  BnNetwork n = bn_network_default ();
  ck_assert_int_eq (bn_cost_network (&n, 0), 2000);
  ck_assert_int_eq (bn_cost_network (&n, 999), 2000);
  ck_assert_int_eq (bn_cost_network (&n, 1 * KB), 2191);
  ck_assert_int_eq (bn_cost_network (&n, 2 * KB), 2272);
  /* 3999 bytes: 3.999 / ((3 + 7.998) x 1048.576) ms = 346.76 ns */
  ck_assert_int_eq (bn_cost_network (&n, 3999), 2347);
  ck_assert_int_eq (bn_cost_network (&n, 4 * KB), 2318);
  ck_assert_int_eq (bn_cost_network (&n, 20 * KB), 3589);
  ck_assert_int_eq (bn_cost_network (&n, 3000 * KB), 240418);
}
END_TEST

START_TEST (pcie_costs_rate_and_latency_and_nothing_for_nothing)
{
  BnGpuType gpu = t4 (1).gpu;
  ck_assert_int_eq (bn_cost_pcie (&gpu, 0), 0);
  ck_assert_int_eq (bn_cost_pcie (&gpu, 2 * KB), 197);
  ck_assert_int_eq (bn_cost_pcie (&gpu, 5720000 * KB), 562370751);
  ck_assert_int_eq (bn_cost_pcie (&gpu, 800000 * KB), 78653252);
  gpu.pcie_latency_ns = 10;
  ck_assert_int_eq (bn_cost_pcie (&gpu, 2 * KB), 207);
  ck_assert_int_eq (bn_cost_pcie (&gpu, 0), 0);
}
END_TEST

START_TEST (halves_are_rounded_up_and_nothing_wraps)
{
  ck_assert_int_eq (bn_muldiv_round (1, 1, 2), 1);
  ck_assert_int_eq (bn_muldiv_round (3, 1, 2), 2);
  ck_assert_int_eq (bn_muldiv_round (1, 1, 3), 0);
  ck_assert_int_eq (bn_muldiv_round (INT64_MAX, INT64_MAX, 1), INT64_MAX);
  ck_assert_int_eq (bn_muldiv_round (INT64_MAX, 7, 7), INT64_MAX);
  ck_assert_int_eq (bn_round_half_up (0.5), 1);
  ck_assert_int_eq (bn_round_half_up (1e300), INT64_MAX);
  ck_assert_int_eq (bn_time_add (BN_TIME_NEVER, 5), BN_TIME_NEVER);
  ck_assert_int_eq (bn_time_add (BN_TIME_NEVER - 3, 5), BN_TIME_NEVER);
  ck_assert_int_eq (bn_cost_true_runtime (10, 0.25), 3);
  ck_assert_int_eq (bn_cost_true_runtime (10, 1.0), 10);
}
END_TEST

START_TEST (ranks_and_bounds_of_the_four_workflows)
{
  BnServerGroup group = t4 (5);
  BnNetwork network = bn_network_default ();
  BnPlatform *platform = bn_platform_new (&group, 1, &network);
  BnCatalogue *catalogue = paper_catalogue ();
  BnCost *cost = bn_cost_new (platform, catalogue);
  /* the ranks of the published model, rounded to ns; ours sum rounded parts */
  static const struct
  {
    const char *workflow;
    BnDuration lower_bound_ns;
    uint32_t n;
    uint32_t order[5];
    double rank_ms[5];
  } expected[] = {
    { "translation", 1365000000, 5, { 0, 3, 2, 1, 4 }, { 1365.005331, 442.002666, 779.002666, 804.002666, 1 } },
    { "question_answer", 587000000, 2, { 0, 1 }, { 587.002666, 27 } },
    { "img_to_sound", 359200000, 4, { 0, 2, 1, 3 }, { 360.037839, 26.204761, 77.030317, 0.2 } },
    { "ImageObjDetect", 282600000, 4, { 0, 1, 2, 3 }, { 284.260634, 282.830317, 251.830317, 104 } },
  };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      int32_t f = bn_catalogue_find_workflow (catalogue, expected[i].workflow);
      ck_assert_int_ge (f, 0);
      const BnWorkflow *wf = &catalogue->workflows[f];
      ck_assert_uint_eq (wf->n_tasks, expected[i].n);
      ck_assert_int_eq (cost->lower_bound_ns[f], expected[i].lower_bound_ns);
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        {
          int64_t rank = cost->rank_ns[wf->first_task + t];
          int64_t published = (int64_t) (expected[i].rank_ms[t] * 1e6 + 0.5);
          ck_assert_uint_eq (cost->rank_order[wf->first_task + t], expected[i].order[t]);
          ck_assert_int_le (llabs (rank - published), 4);
        }
    }
  /* g2g of 2 kB, 10 kB, 20 kB and 3000 kB between two servers */
  const BnWorkflow *tr = &catalogue->workflows[bn_catalogue_find_workflow (catalogue, "translation")];
  const BnWorkflow *im = &catalogue->workflows[bn_catalogue_find_workflow (catalogue, "img_to_sound")];
  ck_assert_int_eq (bn_cost_g2g (cost, tr, 0, 0, 1), 2666);
  ck_assert_int_eq (bn_cost_g2g (cost, tr, 0, 3, 3), 0);
  ck_assert_int_eq (bn_cost_g2g (cost, im, 1, 0, 1), 983 * 2 + 2795);
  ck_assert_int_eq (bn_cost_g2g (cost, im, 0, 0, 1), 1966 * 2 + 3589);
  ck_assert_int_eq (bn_cost_g2g (cost, im, 2, 0, 1), 294950 * 2 + 240418);
  ck_assert_int_eq (bn_cost_input (cost, tr, 0), 2191);
  bn_cost_free (cost);
  bn_catalogue_free (catalogue);
  bn_platform_free (platform);
}
END_TEST

START_TEST (mixed_gpus_share_a_mean_rank_and_keep_their_own_runtimes)
{
  /* 3 workers at speed 1, 1 at speed 4; a chain of 100 ms and 40 ms, 0 bytes.
     R: 100 or 25, mean (3 x 100 + 25) / 4 = 81.25; 40 or 10, mean 32.5. The
     network's 2 us lie between. */
  static const uint32_t zero[] = { 0 };
  BnServerGroup groups[] = { t4 (3), t4 (1) };
  BnNetwork network = bn_network_default ();
  groups[1].gpu.speed_ppm = 4 * BN_PPM_ONE;
  groups[1].gpu.memory_bytes = 1000;
  BnPlatform *platform = bn_platform_new (groups, 2, &network);
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_model (b, "m", 2000);
  bn_catalogue_builder_add_workflow (b, "chain");
  bn_catalogue_builder_add_task (b, 0, 0, 0, 100 * BN_NS_PER_MS, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 40 * BN_NS_PER_MS, zero, 1);
  BnCatalogue *catalogue = bn_catalogue_builder_finish (b, NULL);
  BnCost *cost = bn_cost_new (platform, catalogue);
  const BnWorkflow *wf = &catalogue->workflows[0];
  ck_assert_int_eq (bn_cost_runtime (cost, wf, 0, 2), 100 * BN_NS_PER_MS);
  ck_assert_int_eq (bn_cost_runtime (cost, wf, 0, 3), 25 * BN_NS_PER_MS);
  ck_assert_int_eq (cost->mean_runtime_ns[0], 81250000);
  ck_assert_int_eq (cost->rank_ns[1], 32500000);
  ck_assert_int_eq (cost->rank_ns[0], 81250000 + 2000 + 32500000);
  /* the fast GPU cannot hold the first task's model: 100 + 10 */
  ck_assert_int_eq (cost->lower_bound_ns[0], 110 * BN_NS_PER_MS);
  ck_assert (bn_cost_fits (cost, 0, 0));
  ck_assert (!bn_cost_fits (cost, 0, 3));
  bn_cost_free (cost);
  bn_catalogue_free (catalogue);
  bn_platform_free (platform);
}
END_TEST

START_TEST (a_predecessor_of_equal_rank_still_comes_first)
{
  /* nothing takes time, so all ranks are 0; task 0 needs 2, which needs 1 */
  static const uint32_t one[] = { 1 }, two[] = { 2 };
  BnServerGroup group = t4 (1);
  BnNetwork network = { .bytes_per_s = 1, .small_limit_bytes = 1 };
  BnPlatform *platform = bn_platform_new (&group, 1, &network);
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_workflow (b, "zero");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 0, two, 1);
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 0, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 0, one, 1);
  BnCatalogue *catalogue = bn_catalogue_builder_finish (b, NULL);
  BnCost *cost = bn_cost_new (platform, catalogue);
  ck_assert_int_eq (cost->rank_ns[0], 0);
  ck_assert_uint_eq (cost->rank_order[0], 1);
  ck_assert_uint_eq (cost->rank_order[1], 2);
  ck_assert_uint_eq (cost->rank_order[2], 0);
  bn_cost_free (cost);
  bn_catalogue_free (catalogue);
  bn_platform_free (platform);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cost");
  TCase *tc = tcase_create ("formulas");

  tcase_add_test (tc, messages_cost_latency_then_ramp_then_rate);
  tcase_add_test (tc, pcie_costs_rate_and_latency_and_nothing_for_nothing);
  tcase_add_test (tc, halves_are_rounded_up_and_nothing_wraps);
  tcase_add_test (tc, ranks_and_bounds_of_the_four_workflows);
  tcase_add_test (tc, mixed_gpus_share_a_mean_rank_and_keep_their_own_runtimes);
  tcase_add_test (tc, a_predecessor_of_equal_rank_still_comes_first);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
