/* small_world.h: the cluster and workflows that several tests of the run work out
 * by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TEST_SMALL_WORLD_H
#define BN_TEST_SMALL_WORLD_H

#include "world.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

enum
{
  MODEL_A, /* 10 MB */
  MODEL_B, /* 20 MB */
  MODEL_C  /* 30 MB */
};

/* Workflows: one-a, one-b, one-c: a task of 5 ms on that model. chain: 10 ms
 * without a model, then 20 ms on A. bare: a task of 1 ms without a model.
 * diamond: 1 ms -> (2 ms, 3 ms) -> 4 ms, no models. */
static inline BnCatalogue *
small_catalogue (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  static const char *const names[] = { "one-a", "one-b", "one-c" };
  static const uint32_t zero[] = { 0 }, both[] = { 1, 2 };

  bn_catalogue_builder_add_model (b, "A", 10 * MB);
  bn_catalogue_builder_add_model (b, "B", 20 * MB);
  bn_catalogue_builder_add_model (b, "C", 30 * MB);
  for (int32_t m = MODEL_A; m <= MODEL_C; m++)
    {
      bn_catalogue_builder_add_workflow (b, names[m]);
      bn_catalogue_builder_add_task (b, m, 1000, 0, 5 * MS, NULL, 0);
    }
  bn_catalogue_builder_add_workflow (b, "chain");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 10 * MS, NULL, 0);
  bn_catalogue_builder_add_task (b, MODEL_A, 1000, 0, 20 * MS, zero, 1);
  bn_catalogue_builder_add_workflow (b, "bare");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 1 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "diamond");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 1 * MS, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 2 * MS, zero, 1);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 3 * MS, zero, 1);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 4 * MS, both, 2);
  return bn_catalogue_builder_finish (b, NULL);
}

static inline World *
small_world (uint32_t count, int64_t memory_bytes, uint32_t slots)
{
  BnServerGroup group = world_group (count, memory_bytes);

  group.gpu.slots = slots;
  return world_new (small_catalogue (), &group, 1);
}

#endif
