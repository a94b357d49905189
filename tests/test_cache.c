/* test_cache.c: what is in one worker's memory, and what leaves it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * lone_worker.h says how caches and queues are written.
 */
#include <check.h>
#include <ctype.h>
#include <signal.h>
#include <string.h>

#include "lone_worker.h"
#include "rng.h"
#include "suite.h"

/* ---- cache ---- */

typedef struct NaiveEntry
{
  uint32_t model;
  int64_t bytes;
  uint32_t n_pins;
  bool loading;
} NaiveEntry;

typedef struct NaiveCache
{
  NaiveEntry entries[N_MODELS];
  uint32_t n;
  int64_t leaving_bytes;
} NaiveCache;

static int
naive_find (const NaiveCache *naive, uint32_t model)
{
  for (uint32_t i = 0; i < naive->n; i++)
    if (naive->entries[i].model == model)
      return (int) i;
  return -1;
}

static int64_t
naive_free (const NaiveCache *naive, int64_t capacity)
{
  for (uint32_t i = 0; i < naive->n; i++)
    capacity -= naive->entries[i].bytes;
  return capacity - naive->leaving_bytes;
}

static void
naive_take_out (NaiveCache *naive, int i)
{
  for (naive->n--; (uint32_t) i < naive->n; i++)
    naive->entries[i] = naive->entries[i + 1];
}

static bool
same_caches (const BnCache *cache, const NaiveCache *naive, int64_t capacity)
{
  bool same = cache->n_entries == naive->n && bn_cache_free_bytes (cache) == naive_free (naive, capacity);

  bn_cache_verify (cache, N_MODELS);
  for (uint32_t i = 0; i < naive->n && same; i++)
    {
      const BnCacheEntry *entry = &cache->entries[i];
      same = entry->model == naive->entries[i].model && entry->bytes == naive->entries[i].bytes
             && entry->n_pins == naive->entries[i].n_pins && bn_cache_find (cache, entry->model) == entry;
    }
  for (uint32_t m = 0; m < N_MODELS && same; m++)
    {
      int i = naive_find (naive, m);
      same = (bn_cache_find (cache, m) != NULL) == (i >= 0)
             && bn_cache_resident (cache, m) == (i >= 0 && !naive->entries[i].loading);
    }
  return same;
}

/* One random step that is legal now, on both. Returns: whether there was one. */
static bool
random_step (BnRng *rng, BnCache *cache, NaiveCache *naive, int64_t capacity)
{
  uint32_t model = (uint32_t) bn_rng_below (rng, N_MODELS);
  int i = naive_find (naive, model);
  NaiveEntry *entry = i < 0 ? NULL : &naive->entries[i];
  int64_t bytes = (int64_t) bn_rng_below (rng, 40);

  switch (bn_rng_below (rng, 7))
    {
    case 0:
    case 1:
      if (entry || bytes > naive_free (naive, capacity))
        return false;
      bn_cache_add (cache, model, bytes);
      naive->entries[naive->n++] = (NaiveEntry){ model, bytes, 0, true };
      return true;
    case 2:
      if (!entry || !entry->loading)
        return false;
      bn_cache_find (cache, model)->state = BN_ENTRY_RESIDENT;
      entry->loading = false;
      return true;
    case 3:
      if (!entry)
        return false;
      bn_cache_find (cache, model)->n_pins++;
      entry->n_pins++;
      return true;
    case 4:
      if (!entry || entry->n_pins == 0)
        return false;
      bn_cache_find (cache, model)->n_pins--;
      entry->n_pins--;
      return true;
    case 5:
      if (!entry || entry->n_pins > 0)
        return false;
      /* only what is resident may leave: a load ends first */
      bn_cache_find (cache, model)->state = BN_ENTRY_RESIDENT;
      bn_cache_remove (cache, model);
      naive_take_out (naive, i);
      return true;
    default:
      if (naive->leaving_bytes > 0)
        bytes = -naive->leaving_bytes;
      else if (bytes > naive_free (naive, capacity))
        return false;
      cache->leaving_bytes += bytes;
      naive->leaving_bytes += bytes;
      return true;
    }
}

START_TEST (cache_agrees_with_a_plain_list_after_each_of_thousands_of_steps)
{
  int64_t capacities[] = { 0, 39, 100, 1000 };
  BnRng rng;

  bn_rng_init (&rng, 1, "cache");
  for (guint c = 0; c < G_N_ELEMENTS (capacities); c++)
    {
      BnCache cache;
      NaiveCache naive = { 0 };
      int done = 0, most = 0;
      bn_cache_init (&cache, N_MODELS, capacities[c]);
      ck_assert (same_caches (&cache, &naive, capacities[c]));
      for (int step = 0; step < 20000; step++)
        {
          done += random_step (&rng, &cache, &naive, capacities[c]);
          most = MAX (most, (int) naive.n);
          if (!same_caches (&cache, &naive, capacities[c]))
            ck_abort_msg ("the caches differ after step %d with room for %ld", step, (long) capacities[c]);
        }
      /* the steps that count really happened */
      ck_assert_int_gt (done, c == 0 ? 1000 : 5000);
      ck_assert_int_ge (most, c == 3 ? N_MODELS : 1);
      bn_cache_clear (&cache);
    }
}
END_TEST

/* Each of these breaks a promise, so the program must stop. */
static void
break_add_twice (LoneWorker *w)
{
  bn_cache_add (&w->worker.cache, 0, 1);
}

static void
break_add_too_much (LoneWorker *w)
{
  bn_cache_add (&w->worker.cache, 3, 71);
}

static void
break_remove_pinned (LoneWorker *w)
{
  bn_cache_remove (&w->worker.cache, 1);
}

static void
break_remove_loading (LoneWorker *w)
{
  bn_cache_remove (&w->worker.cache, 2);
}

static void
break_remove_absent (LoneWorker *w)
{
  bn_cache_remove (&w->worker.cache, 3);
}

static void
break_byte_count (LoneWorker *w)
{
  w->worker.cache.used_bytes--;
  bn_cache_verify (&w->worker.cache, N_MODELS);
}

static void
break_capacity (LoneWorker *w)
{
  w->worker.cache.leaving_bytes = 71;
  bn_cache_verify (&w->worker.cache, N_MODELS);
}

static void
break_position (LoneWorker *w)
{
  w->worker.cache.position[0] = 1;
  bn_cache_verify (&w->worker.cache, N_MODELS);
}

static void
break_pin_count (LoneWorker *w)
{
  w->worker.cache.entries[1].n_pins = 0;
  bn_cache_verify (&w->worker.cache, N_MODELS);
  w->worker.cache.entries[0].n_pins = 1;
  bn_worker_verify (&w->worker, N_MODELS);
}

static void
break_queue_sum (LoneWorker *w)
{
  w->worker.cache.entries[1].n_pins = 0;
  lone_worker_set_queue (w, "AB");
  bn_worker_verify (&w->worker, N_MODELS);
  w->worker.queued_ns++;
  bn_worker_verify (&w->worker, N_MODELS);
}

static void (*const breaks[]) (LoneWorker *)
  = { break_add_twice,        break_add_too_much, break_remove_pinned, break_remove_loading, break_remove_absent,
      break_byte_count,       break_capacity,     break_position,      break_pin_count,      break_queue_sum };

START_TEST (a_broken_promise_of_cache_or_queue_stops_the_program)
{
  LoneWorker *w = lone_worker_new (1, 100);

  lone_worker_set_cache (w, "AB*c");
  bn_cache_verify (&w->worker.cache, N_MODELS);
  breaks[_i] (w);
  lone_worker_free (w);
}
END_TEST

/* ---- evictions ---- */

static const BnEviction *
eviction_named (const char *name)
{
  for (uint32_t i = 0; i < bn_n_evictions; i++)
    if (strcmp (bn_evictions[i].name, name) == 0)
      return &bn_evictions[i];
  ck_abort_msg ("no eviction %s", name);
  return NULL;
}

/* `used` gives each entry's last use, in order. Returns: the letters of the
 * victims that make room for `bytes`, "-" where none are needed, "!" where they
 * cannot make room. */
static const char *
victims_of (const char *eviction, const char *cache, const char *queue, const char *used, int64_t bytes)
{
  static char letters[N_MODELS + 1];
  uint32_t victims[N_MODELS];
  uint8_t chosen[N_MODELS];
  int64_t memory_bytes = 0;

  for (const char *c = cache; *c; c++)
    memory_bytes += *c == '*' ? 0 : MODEL_BYTES;
  LoneWorker *w = lone_worker_new (1, memory_bytes);
  lone_worker_set_cache (w, cache);
  lone_worker_set_queue (w, queue);
  for (uint32_t i = 0; used[i]; i++)
    w->worker.cache.entries[i].last_used_ns = used[i] - '0';
  memset (chosen, 0xff, sizeof chosen);
  int32_t n = bn_worker_choose_victims (&w->worker, eviction_named (eviction), bytes, NULL, chosen, victims);
  bn_cache_verify (&w->worker.cache, N_MODELS);
  if (n <= 0)
    strcpy (letters, n == 0 ? "-" : "!");
  for (int32_t i = 0; i < n; i++)
    {
      letters[i] = (char) ('A' + victims[i]);
      letters[i + 1] = '\0';
    }
  lone_worker_free (w);
  return letters;
}

START_TEST (fifo_evicts_the_oldest_load_whatever_is_used_or_queued)
{
  ck_assert_str_eq (victims_of ("fifo", "CABD", "", "1234", 10), "C");
  ck_assert_str_eq (victims_of ("fifo", "CABD", "CC", "9876", 10), "C");
  ck_assert_str_eq (victims_of ("fifo", "CABD", "", "", 25), "CAB");
}
END_TEST

START_TEST (lru_evicts_the_longest_unused_and_of_equals_the_oldest_load)
{
  ck_assert_str_eq (victims_of ("lru", "CABD", "", "4312", 10), "B");
  ck_assert_str_eq (victims_of ("lru", "CABD", "B", "4312", 10), "B");
  ck_assert_str_eq (victims_of ("lru", "CABD", "", "4312", 40), "BDAC");
  ck_assert_str_eq (victims_of ("lru", "CABD", "", "4333", 20), "AB");
}
END_TEST

START_TEST (lookahead_evicts_the_model_no_queued_task_needs_and_of_these_the_oldest_load)
{
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "CA", "", 10), "B");
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "CA", "", 20), "BD");
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "", "4312", 20), "CA");
}
END_TEST

START_TEST (lookahead_evicts_the_farthest_next_use_where_all_are_needed)
{
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "ABDC", "", 10), "C");
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "DCBA", "", 10), "A");
  /* the first use counts, not the last; tasks without a model and reservations
     take a place and need nothing */
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "DAC-?BDAC", "", 10), "B");
  /* one that nobody needs goes before all others, then again the farthest */
  ck_assert_str_eq (victims_of ("lookahead", "CABD", "DCB", "", 30), "ABC");
}
END_TEST

START_TEST (no_policy_evicts_what_is_pinned_loading_or_chosen_already)
{
  for (uint32_t i = 0; i < bn_n_evictions; i++)
    {
      const char *name = bn_evictions[i].name;
      ck_assert_str_eq (victims_of (name, "A*bCD", "", "", 10), "C");
      ck_assert_str_eq (victims_of (name, "A*bCD", "", "", 20), "CD");
      ck_assert_str_eq (victims_of (name, "A*bCD", "D", "1111", 20), "CD");
      ck_assert_str_eq (victims_of (name, "A*bCD", "", "", 21), "!");
      ck_assert_str_eq (victims_of (name, "A*b", "A", "", 10), "!");
      ck_assert_str_eq (victims_of (name, "ABC", "", "", 0), "-");
      ck_assert_str_eq (victims_of (name, "", "", "", 1), "!");
    }
}
END_TEST

/* The same with hints. */
static const char *
hinted_victims (const char *eviction, const char *cache, const char *queue, const BnEvictionHints *hints,
                int64_t bytes)
{
  static char letters[N_MODELS + 1];
  uint32_t victims[N_MODELS];
  uint8_t chosen[N_MODELS];
  LoneWorker *w = lone_worker_new (1, MODEL_BYTES * (int64_t) strlen (cache));

  lone_worker_set_cache (w, cache);
  lone_worker_set_queue (w, queue);
  int32_t n = bn_worker_choose_victims (&w->worker, eviction_named (eviction), bytes, hints, chosen, victims);
  strcpy (letters, n == BN_NONE ? "!" : "");
  for (int32_t i = 0; i < n; i++)
    {
      letters[i] = (char) ('A' + victims[i]);
      letters[i + 1] = '\0';
    }
  lone_worker_free (w);
  return letters;
}

START_TEST (value_evicts_the_least_worth_and_of_equals_the_oldest_load)
{
  static const double values[N_MODELS] = { 3, 2, 1, 1, 0 };
  static const BnEvictionHints hints = { .values = values };

  ck_assert_str_eq (hinted_victims ("value", "ABDC", "", &hints, 10), "D");
  ck_assert_str_eq (hinted_victims ("value", "ABDC", "", &hints, 40), "DCBA");
  /* what is needed stays longer, whatever it is worth: here D, then by value */
  ck_assert_str_eq (hinted_victims ("value", "ABDC", "D", &hints, 30), "CBA");
}
END_TEST

START_TEST (value_evicts_of_what_is_needed_the_farthest_in_the_queue_s_own_order)
{
  /* by entry C is used last, by key A; of equal keys the later entry is */
  static const BnNextUse uses[N_MODELS] = { { 5, 0 }, { -1, 1 }, { 2, 2 }, { 2, 3 } };
  static const BnEvictionHints hints = { .next_uses = uses };

  ck_assert_str_eq (hinted_victims ("value", "CAB", "ABC", &hints, 30), "ACB");
  ck_assert_str_eq (hinted_victims ("value", "CAB", "ABC", NULL, 30), "CBA");
  ck_assert_str_eq (hinted_victims ("value", "CD", "ABCD", &hints, 20), "DC");
}
END_TEST

START_TEST (every_policy_leaves_alone_what_is_spared_and_takes_last_what_is_if_possible)
{
  static const uint8_t spared[N_MODELS] = { BN_SPARE_ALWAYS, BN_SPARE_IF_POSSIBLE, BN_SPARE_NOT };
  static const BnEvictionHints hints = { .spared = spared };

  for (uint32_t i = 0; i < bn_n_evictions; i++)
    {
      const char *name = bn_evictions[i].name;
      ck_assert_str_eq (hinted_victims (name, "ABC", "", &hints, 10), "C");
      ck_assert_str_eq (hinted_victims (name, "ABC", "CB", &hints, 20), "CB");
      ck_assert_str_eq (hinted_victims (name, "ABC", "", &hints, 30), "!");
    }
}
END_TEST

START_TEST (room_counts_what_is_free_and_not_what_still_leaves)
{
  LoneWorker *w = lone_worker_new (1, 50);
  uint32_t victims[N_MODELS];
  uint8_t chosen[N_MODELS];

  lone_worker_set_cache (w, "ABC");
  /* 20 of 50 are free */
  ck_assert_int_eq (bn_worker_choose_victims (&w->worker, eviction_named ("fifo"), 20, NULL, chosen, victims), 0);
  ck_assert_int_eq (bn_worker_choose_victims (&w->worker, eviction_named ("fifo"), 21, NULL, chosen, victims), 1);
  w->worker.cache.leaving_bytes = 15;
  ck_assert_int_eq (bn_worker_choose_victims (&w->worker, eviction_named ("fifo"), 5, NULL, chosen, victims), 0);
  ck_assert_int_eq (bn_worker_choose_victims (&w->worker, eviction_named ("fifo"), 20, NULL, chosen, victims), 2);
  ck_assert_int_eq (bn_worker_choose_victims (&w->worker, eviction_named ("fifo"), 36, NULL, chosen, victims),
                    BN_NONE);
  lone_worker_free (w);
}
END_TEST

/* The candidate of farthest next use, never being the farthest; the oldest first. */
static char
naive_lookahead (const char *cache, const char *queue)
{
  char best = '!';
  size_t farthest = 0;

  for (const char *c = cache; *c; c++)
    {
      const char *use = strchr (queue, *c);
      size_t place = use ? (size_t) (use - queue) + 1 : SIZE_MAX;
      if (!isupper (*c) || c[1] == '*' || place <= farthest)
        continue;
      best = *c;
      farthest = place;
    }
  return best;
}

START_TEST (lookahead_agrees_with_a_plain_reading_of_its_rule_on_random_cases)
{
  BnRng rng;
  int decided = 0;

  bn_rng_init (&rng, 2, "lookahead");
  for (int i = 0; i < 2000; i++)
    {
      char letters[] = "ABCDEFGH", cache[2 * N_MODELS + 1] = "", queue[N_QUEUED + 1] = "";
      char *end = cache;
      uint32_t n = (uint32_t) bn_rng_below (&rng, N_MODELS + 1);
      for (uint32_t k = 0; k < n; k++)
        {
          uint32_t j = k + (uint32_t) bn_rng_below (&rng, N_MODELS - k);
          char letter = letters[j];
          letters[j] = letters[k];
          letters[k] = letter;
          uint64_t kind = bn_rng_below (&rng, 6);
          *end++ = kind == 0 ? (char) tolower (letter) : letter;
          if (kind == 1)
            *end++ = '*';
        }
      n = (uint32_t) bn_rng_below (&rng, N_QUEUED + 1);
      for (uint32_t k = 0; k < n; k++)
        queue[k] = "ABCDEFGH-?"[bn_rng_below (&rng, 10)];
      char expected[] = { naive_lookahead (cache, queue), '\0' };
      ck_assert_msg (strcmp (victims_of ("lookahead", cache, queue, "", 1), expected) == 0,
                     "cache %s, queue %s: not %s", cache, queue, expected);
      decided += expected[0] != '!';
    }
  ck_assert_int_gt (decided, 1000);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cache");
  TCase *tc = tcase_create ("one worker's memory");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, cache_agrees_with_a_plain_list_after_each_of_thousands_of_steps);
  tcase_add_loop_test_raise_signal (tc, a_broken_promise_of_cache_or_queue_stops_the_program, SIGABRT, 0,
                                    G_N_ELEMENTS (breaks));
  tcase_add_test (tc, fifo_evicts_the_oldest_load_whatever_is_used_or_queued);
  tcase_add_test (tc, lru_evicts_the_longest_unused_and_of_equals_the_oldest_load);
  tcase_add_test (tc, lookahead_evicts_the_model_no_queued_task_needs_and_of_these_the_oldest_load);
  tcase_add_test (tc, lookahead_evicts_the_farthest_next_use_where_all_are_needed);
  tcase_add_test (tc, no_policy_evicts_what_is_pinned_loading_or_chosen_already);
  tcase_add_test (tc, value_evicts_the_least_worth_and_of_equals_the_oldest_load);
  tcase_add_test (tc, value_evicts_of_what_is_needed_the_farthest_in_the_queue_s_own_order);
  tcase_add_test (tc, every_policy_leaves_alone_what_is_spared_and_takes_last_what_is_if_possible);
  tcase_add_test (tc, room_counts_what_is_free_and_not_what_still_leaves);
  tcase_add_test (tc, lookahead_agrees_with_a_plain_reading_of_its_rule_on_random_cases);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
