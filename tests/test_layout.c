/* test_layout.c: a load that finds no hole moves what is in its way, and the model of a measured machine
 * takes the time for it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>

#include "layout.h"
#include "small_world.h"
#include "suite.h"

enum
{
  SMALL,  /* 10 MB */
  MIDDLE, /* 20 MB */
  LARGE   /* 25 MB */
};

static BnCatalogue *
three_models (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  static const char *const names[] = { "small", "middle", "large" };
  static const int64_t sizes[] = { 10 * MB, 20 * MB, 25 * MB };

  for (int32_t m = SMALL; m <= LARGE; m++)
    {
      bn_catalogue_builder_add_model (b, names[m], sizes[m]);
      bn_catalogue_builder_add_workflow (b, names[m]);
      bn_catalogue_builder_add_task (b, m, 1000, 0, MS, NULL, 0);
    }
  return bn_catalogue_builder_finish (b, NULL);
}

START_TEST (what_is_in_the_way_of_the_only_hole_is_moved_once)
{
  BnServerGroup group = world_group (2, 50 * MB);
  World *w = world_new (three_models (), &group, 1);
  BnLayout *layout = bn_layout_new (w->platform, w->catalogue);

  ck_assert_int_eq (bn_layout_put (layout, 0, SMALL), 0);
  ck_assert_int_eq (bn_layout_put (layout, 0, MIDDLE), 0);
  bn_layout_take_out (layout, 0, SMALL);
  /* holes of 10 MB below and 20 MB above the middle one */
  ck_assert_int_eq (bn_layout_put (layout, 0, LARGE), 20 * MB);
  bn_layout_take_out (layout, 0, LARGE);
  ck_assert_int_eq (bn_layout_put (layout, 0, LARGE), 0);
  bn_layout_take_out (layout, 0, SMALL);
  /* the other worker has a memory of its own */
  ck_assert_int_eq (bn_layout_put (layout, 1, LARGE), 0);
  bn_layout_free (layout);
  world_free (w);
}
END_TEST

START_TEST (the_load_takes_as_much_longer)
{
  static const BnDuration no_time[3];
  BnServerGroup group = world_group (1, 50 * MB);
  World *w = world_new (three_models (), &group, 1);
  /* a load of 1 ms a MB; evictions at once */
  BnMeasured measured = { .load = { 0, 1000 * MB }, .n_speeds = 1, .speeds = { 1 }, .run_beside_load = 1, .run_beside_evict = 1,
                       .load_beside_run = 1, .evict_beside_run = 1, .n_tasks = 3,
                          .runtime_ns = no_time, .cold_ns = no_time };

  w->config.backend_settings.measured = &measured;
  world_schedule (w, "round-robin[evict=lru]");
  /* the large one takes the place of the small one, and the middle one is moved down for it */
  world_jobs (w, "0,small,0\n100000000,middle,0\n200000000,large,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 100002000 100002000 0 20000000 120002000 120002000 miss;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 200002000 200002000 0 45000000 245002000 245002000 miss;");
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout");
  TCase *t = tcase_create ("layout");

  tcase_add_test (t, what_is_in_the_way_of_the_only_hole_is_moved_once);
  tcase_add_test (t, the_load_takes_as_much_longer);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
