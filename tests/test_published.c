/* test_published.c: the published table against one that remembers everything.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The naive table keeps every version of every row with its time and looks up,
 * for each question, the last one not later than what the dissemination setting
 * lets the observer see.
 */
#include <check.h>
#include <glib.h>

#include "published.h"
#include "rng.h"
#include "suite.h"

#define N_WORKERS 5
#define N_MODELS 70 /* more than a word */

typedef struct Version
{
  BnTime time_ns;
  BnDuration queued_ns;
  BnTime busy_until_ns;
} Version;

typedef struct CacheVersion
{
  BnTime time_ns;
  uint64_t models[2];
} CacheVersion;

typedef struct Naive
{
  GArray *loads[N_WORKERS];
  GArray *caches[N_WORKERS];
} Naive;

/* The latest instant whose state of row w an observer sees at `now`; -1: none. */
static BnTime
seen_until (const BnSpread *s, int32_t observer, uint32_t w, BnTime now)
{
  if ((int32_t) w == observer || s->period_ns == 0)
    return now;
  if (s->mode == BN_SPREAD_DELAY)
    return now - s->period_ns;
  BnTime tick = -1;
  for (BnTime t = bn_muldiv_round (s->period_ns, w, N_WORKERS); t <= now; t += s->period_ns)
    tick = t;
  return tick;
}

static Version
load_at (const Naive *naive, uint32_t w, BnTime until_ns)
{
  Version found = { 0 };

  for (guint i = 0; i < naive->loads[w]->len; i++)
    if (g_array_index (naive->loads[w], Version, i).time_ns <= until_ns)
      found = g_array_index (naive->loads[w], Version, i);
  return found;
}

static CacheVersion
cache_at (const Naive *naive, uint32_t w, BnTime until_ns)
{
  CacheVersion found = { 0 };

  for (guint i = 0; i < naive->caches[w]->len; i++)
    if (g_array_index (naive->caches[w], CacheVersion, i).time_ns <= until_ns)
      found = g_array_index (naive->caches[w], CacheVersion, i);
  return found;
}

/* Not inlined: gcc 12.2 at -O2 compares two bits that are taken out of words in
 * the same loop wrongly (both 1, found unequal; right with -fno-tree-vrp). */
G_NO_INLINE static bool
is_cached (const CacheVersion *cache, uint32_t model)
{
  return cache->models[model / 64] >> (model % 64) & 1;
}

static void
compare_view (BnPublished *table, const Naive *naive, const BnPublishedConfig *config, int32_t observer, BnTime now)
{
  const BnView *view = bn_published_open (table, observer, now, NULL);

  ck_assert_int_eq (view->observer, observer);
  for (uint32_t w = 0; w < N_WORKERS; w++)
    {
      Version load = load_at (naive, w, seen_until (&config->load_spread, observer, w, now));
      CacheVersion cache = cache_at (naive, w, seen_until (&config->cache_spread, observer, w, now));
      int64_t bytes = 0;
      ck_assert_int_eq (view->queued_ns[w], load.queued_ns);
      ck_assert_int_eq (view->busy_until_ns[w], load.busy_until_ns);
      ck_assert_int_eq (bn_view_free_at (view, w, now), bn_time_max (load.busy_until_ns, now) + load.queued_ns);
      for (uint32_t m = 0; m < N_MODELS; m++)
        {
          bool holds = is_cached (&cache, m);
          ck_assert_msg (bn_view_holds (view, w, m) == holds, "worker %u model %u at %ld for %d", w, m, (long) now,
                         observer);
          bytes += holds ? config->model_bytes[m] : 0;
        }
      ck_assert_int_eq (view->cached_bytes[w], bytes);
    }
  bn_published_close (table);
}

START_TEST (what_is_seen_is_the_last_version_that_could_be_known)
{
  int64_t model_bytes[N_MODELS];
  BnRng rng;
  bn_rng_init (&rng, (uint64_t) _i, "published");
  for (uint32_t m = 0; m < N_MODELS; m++)
    model_bytes[m] = 1 + m;
  static const BnDuration periods[] = { 0, 1, 7, 10, 50 };
  BnPublishedConfig config = {
    .n_workers = N_WORKERS,
    .n_models = N_MODELS,
    .model_bytes = model_bytes,
    .load_spread = { (BnSpreadMode) (_i % 2), periods[bn_rng_below (&rng, 5)] },
    .cache_spread = { (BnSpreadMode) (_i / 2 % 2), periods[bn_rng_below (&rng, 5)] },
    .track_loads = true,
    .track_caches = true,
  };
  BnPublished *table = bn_published_new (&config);
  Naive naive;
  for (uint32_t w = 0; w < N_WORKERS; w++)
    {
      naive.loads[w] = g_array_new (FALSE, FALSE, sizeof (Version));
      naive.caches[w] = g_array_new (FALSE, FALSE, sizeof (CacheVersion));
    }
  BnTime now = 0;
  uint64_t version = 0;
  /* time moves on before each round: what changes after somebody has looked, at the
     very instant of a tick, is published with the next tick */
  for (int step = 0; step < 1500; step++)
    {
      now += bn_rng_below (&rng, 3) == 0 ? 1 + (BnTime) bn_rng_below (&rng, 120) : 1;
      for (uint64_t changes = bn_rng_below (&rng, 3); changes > 0; changes--)
        {
          uint32_t w = (uint32_t) bn_rng_below (&rng, N_WORKERS);
          if (bn_rng_below (&rng, 2))
            {
              Version v = { now, (BnDuration) bn_rng_below (&rng, 100), (BnTime) bn_rng_below (&rng, 2000) };
              bn_published_set_load (table, w, now, v.queued_ns, v.busy_until_ns);
              g_array_append_val (naive.loads[w], v);
            }
          else
            {
              uint32_t m = (uint32_t) bn_rng_below (&rng, N_MODELS);
              CacheVersion v = cache_at (&naive, w, now);
              v.time_ns = now;
              v.models[m / 64] ^= UINT64_C (1) << (m % 64);
              bn_published_set_cached (table, w, m, v.models[m / 64] >> (m % 64) & 1, now);
              g_array_append_val (naive.caches[w], v);
            }
        }
      if (bn_rng_below (&rng, 3) > 0)
      compare_view (table, &naive, &config, (int32_t) bn_rng_below (&rng, N_WORKERS + 1) - 1, now);
      const BnView *view = bn_published_open (table, BN_NONE, now, NULL);
      ck_assert_uint_ge (view->version, version);
      version = view->version;
      if (version > 0)
        ck_assert_int_lt (bn_view_change (view, version), N_WORKERS);
      bn_published_close (table);
    }
  ck_assert_uint_gt (version, 100);
  for (uint32_t w = 0; w < N_WORKERS; w++)
    {
      g_array_unref (naive.loads[w]);
      g_array_unref (naive.caches[w]);
    }
  bn_published_free (table);
}
END_TEST

START_TEST (changes_can_be_listed_until_they_are_too_old)
{
  int64_t model_bytes[] = { 1 };
  BnPublishedConfig config = { .n_workers = 3, .n_models = 1, .model_bytes = model_bytes, .track_loads = true };
  BnPublished *table = bn_published_new (&config);
  for (uint32_t i = 0; i < 10000; i++)
    bn_published_set_load (table, i % 3, i, i, i);
  const BnView *view = bn_published_open (table, BN_NONE, 10000, NULL);
  ck_assert_uint_eq (view->version, 10000);
  ck_assert_int_eq (bn_view_change (view, 10000), 9999 % 3);
  ck_assert_int_eq (bn_view_change (view, 9000), 8999 % 3);
  ck_assert_int_eq (bn_view_change (view, 1), BN_NONE);
  bn_published_close (table);
  bn_published_free (table);
}
END_TEST

START_TEST (ten_thousand_workers_and_a_thousand_models_fit)
{
  int64_t *model_bytes = g_new0 (int64_t, 1000);
  BnPublishedConfig config = { .n_workers = 10000, .n_models = 1000, .model_bytes = model_bytes,
                               .cache_spread = { BN_SPREAD_DELAY, 10 }, .track_caches = true };
  BnPublished *table = bn_published_new (&config);
  bn_published_set_cached (table, 9999, 999, true, 5);
  const BnView *view = bn_published_open (table, 0, 14, NULL);
  ck_assert (!bn_view_holds (view, 9999, 999));
  bn_published_close (table);
  view = bn_published_open (table, 0, 15, NULL);
  ck_assert (bn_view_holds (view, 9999, 999));
  bn_published_close (table);
  bn_published_free (table);
  g_free (model_bytes);
}
END_TEST

/* ---- reservations ---- */

START_TEST (an_own_reservation_ends_when_its_owner_sees_the_task_queued)
{
  BnSpread spread = { BN_SPREAD_DELAY, 10 };
  BnReservations *r = bn_reservations_new (3, spread, BN_RESERVE_OWN);
  BnReservation *item = bn_reservations_add (r, 0, 2, 500, 100);
  ck_assert_int_eq (bn_reservations_open (r, 0, 100, NULL)[2], 500);
  bn_reservations_close (r);
  ck_assert_int_eq (bn_reservations_open (r, 1, 100, NULL)[2], 0);
  bn_reservations_close (r);
  bn_reservations_settle (r, item, 120);
  ck_assert_int_eq (bn_reservations_open (r, 0, 129, NULL)[2], 500);
  bn_reservations_close (r);
  ck_assert_int_eq (bn_reservations_open (r, 0, 130, NULL)[2], 0);
  bn_reservations_close (r);
  /* its own row is fresh */
  item = bn_reservations_add (r, 0, 0, 70, 200);
  bn_reservations_settle (r, item, 210);
  ck_assert_int_eq (bn_reservations_open (r, 0, 210, NULL)[0], 0);
  bn_reservations_close (r);
  bn_reservations_free (r);
}
END_TEST

START_TEST (the_task_being_decided_about_does_not_stand_in_its_own_way)
{
  BnSpread spread = { BN_SPREAD_DELAY, 10 };
  for (int published = 0; published <= 1; published++)
    {
      BnReservations *r = bn_reservations_new (3, spread, published ? BN_RESERVE_PUBLISHED : BN_RESERVE_OWN);
      BnReservation *mine = bn_reservations_add (r, 0, 2, 500, 100);
      bn_reservations_add (r, 0, 2, 30, 100);
      ck_assert_int_eq (bn_reservations_open (r, 0, 105, mine)[2], 30);
      bn_reservations_close (r);
      ck_assert_int_eq (bn_reservations_open (r, 0, 105, NULL)[2], 530);
      bn_reservations_close (r);
      /* another observer has not been told, and then has */
      ck_assert_int_eq (bn_reservations_open (r, 1, 109, mine)[2], 0);
      bn_reservations_close (r);
      ck_assert_int_eq (bn_reservations_open (r, 1, 110, mine)[2], published ? 30 : 0);
      bn_reservations_close (r);
      ck_assert_int_eq (bn_reservations_open (r, 1, 110, NULL)[2], published ? 530 : 0);
      bn_reservations_close (r);
      bn_reservations_free (r);
    }
}
END_TEST

START_TEST (a_published_reservation_reaches_others_late_and_its_owner_at_once)
{
  BnSpread spread = { BN_SPREAD_DELAY, 10 };
  BnReservations *r = bn_reservations_new (3, spread, BN_RESERVE_PUBLISHED);
  BnReservation *item = bn_reservations_add (r, 0, 2, 500, 100);
  static const struct
  {
    int32_t observer;
    BnTime now;
    BnDuration seen;
  } before[] = { { 0, 100, 500 }, { 1, 109, 0 }, { 1, 110, 500 }, { 0, 110, 500 } };
  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    {
      ck_assert_int_eq (bn_reservations_open (r, before[i].observer, before[i].now, NULL)[2], before[i].seen);
      bn_reservations_close (r);
    }
  bn_reservations_settle (r, item, 120);
  /* the owner sees it queued at 130, and tells at 140 */
  static const struct
  {
    int32_t observer;
    BnTime now;
    BnDuration seen;
  } after[] = { { 0, 129, 500 }, { 0, 130, 0 }, { 1, 130, 500 }, { 1, 139, 500 }, { 1, 140, 0 }, { 0, 140, 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (after); i++)
    {
      ck_assert_int_eq (bn_reservations_open (r, after[i].observer, after[i].now, NULL)[2], after[i].seen);
      bn_reservations_close (r);
    }
  bn_reservations_free (r);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("published");
  TCase *tc = tcase_create ("rows"), *reservations = tcase_create ("reservations");

  tcase_set_timeout (tc, 60);
  tcase_add_loop_test (tc, what_is_seen_is_the_last_version_that_could_be_known, 0, 24);
  tcase_add_test (tc, changes_can_be_listed_until_they_are_too_old);
  tcase_add_test (tc, ten_thousand_workers_and_a_thousand_models_fit);
  tcase_add_test (reservations, an_own_reservation_ends_when_its_owner_sees_the_task_queued);
  tcase_add_test (reservations, the_task_being_decided_about_does_not_stand_in_its_own_way);
  tcase_add_test (reservations, a_published_reservation_reaches_others_late_and_its_owner_at_once);
  suite_add_tcase (suite, tc);
  suite_add_tcase (suite, reservations);
  return run_suite (suite);
}
