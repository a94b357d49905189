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
  BnLoadRow row;
} Version;

typedef struct CacheVersion
{
  BnTime time_ns;
  uint64_t models[2];
} CacheVersion;

/* Tasks 0 to 63, each in the queue or not. */
typedef struct QueueVersion
{
  BnTime time_ns;
  uint64_t tasks;
} QueueVersion;

typedef struct Naive
{
  GArray *loads[N_WORKERS];
  GArray *queues[N_WORKERS];
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

static QueueVersion
queue_at (const Naive *naive, uint32_t w, BnTime until_ns)
{
  QueueVersion found = { 0 };

  for (guint i = 0; i < naive->queues[w]->len; i++)
    if (g_array_index (naive->queues[w], QueueVersion, i).time_ns <= until_ns)
      found = g_array_index (naive->queues[w], QueueVersion, i);
  return found;
}

static uint64_t
tasks_of (const BnQueueRow *row)
{
  uint64_t tasks = 0;

  for (uint32_t i = 0; i < row->n_tasks; i++)
    {
      ck_assert_int_eq (row->tasks[i].job_id, row->tasks[i].task + 1000);
      ck_assert_uint_eq (tasks >> row->tasks[i].task & 1, 0);
      tasks |= UINT64_C (1) << row->tasks[i].task;
    }
  return tasks;
}

/* A histogram of a runtime of task + 1 each, in class task % 8. */
static void
assert_classes (const BnQueueRow *row, uint64_t tasks)
{
  BnDuration sums[BN_QUEUE_CLASSES] = { 0 };

  for (uint32_t t = 0; t < 64; t++)
    if (tasks >> t & 1)
      sums[t % BN_QUEUE_CLASSES] += t + 1;
  for (uint32_t i = 0; i < BN_QUEUE_CLASSES; i++)
    ck_assert_int_eq (row->class_ns[i], sums[i]);
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
  uint32_t holders[N_MODELS] = { 0 };

  ck_assert_int_eq (view->observer, observer);
  for (uint32_t w = 0; w < N_WORKERS; w++)
    {
      Version load = load_at (naive, w, seen_until (&config->load_spread, observer, w, now));
      CacheVersion cache = cache_at (naive, w, seen_until (&config->cache_spread, observer, w, now));
      int64_t bytes = 0;
      QueueVersion queue = queue_at (naive, w, seen_until (&config->load_spread, observer, w, now));
      if (config->detail == BN_ROW_TASKS)
        ck_assert_uint_eq (tasks_of (&view->queues[w]), queue.tasks);
      if (config->detail == BN_ROW_CLASSES)
        assert_classes (&view->queues[w], queue.tasks);
      ck_assert_int_eq (view->backlog_ns[w], load.row.backlog_ns);
      ck_assert_int_eq (view->slot_free_ns[w], load.row.slot_free_ns);
      ck_assert_int_eq (view->queued_ns[w], load.row.queued_ns);
      ck_assert_int_eq (view->busy_until_ns[w], load.row.busy_until_ns);
      ck_assert_int_eq (bn_view_free_at (view, w, now),
                        bn_time_max (load.row.busy_until_ns, now) + load.row.queued_ns);
      for (uint32_t m = 0; m < N_MODELS; m++)
        {
          bool holds = is_cached (&cache, m);
          ck_assert_msg (bn_view_holds (view, w, m) == holds, "worker %u model %u at %ld for %d", w, m, (long) now,
                         observer);
          bytes += holds ? config->model_bytes[m] : 0;
          holders[m] += holds;
        }
      ck_assert_int_eq (view->cached_bytes[w], bytes);
    }
  bn_published_close (table);
  for (uint32_t m = 0; m < N_MODELS; m++)
    ck_assert_uint_eq (bn_published_holders (table, observer, m, now), holders[m]);
}

START_TEST (what_is_seen_is_the_last_version_that_could_be_known)
{
  int64_t model_bytes[N_MODELS];
  BnRng rng;
  bn_rng_init (&rng, (uint64_t) _i, "published");
  for (uint32_t m = 0; m < N_MODELS; m++)
    model_bytes[m] = 1 + m;
  static const BnDuration periods[] = { 0, 1, 7, 10, 50 };
  BnDuration load_ns = periods[bn_rng_below (&rng, 5)], cache_ns = periods[bn_rng_below (&rng, 5)];
  BnPublishedConfig config = {
    .n_workers = N_WORKERS,
    .n_models = N_MODELS,
    .model_bytes = model_bytes,
    .load_spread = { (BnSpreadMode) (_i % 2), load_ns },
    .cache_spread = { (BnSpreadMode) (_i / 2 % 2), cache_ns },
    .track_loads = true,
    .track_caches = true,
    .detail = (BnRowDetail) (_i % 3),
    .several_slots = _i / 3 % 2,
  };
  BnPublished *table = bn_published_new (&config);
  Naive naive;
  for (uint32_t w = 0; w < N_WORKERS; w++)
    {
      naive.loads[w] = g_array_new (FALSE, FALSE, sizeof (Version));
      naive.caches[w] = g_array_new (FALSE, FALSE, sizeof (CacheVersion));
      naive.queues[w] = g_array_new (FALSE, FALSE, sizeof (QueueVersion));
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
              BnDuration queued = (BnDuration) bn_rng_below (&rng, 100), more = config.several_slots ? 3 : 0;
              BnTime busy = (BnTime) bn_rng_below (&rng, 2000);
              Version v = { now, { queued, queued + more, busy, busy + more } };
              bn_published_set_load (table, w, now, &v.row);
              g_array_append_val (naive.loads[w], v);
            }
          else if (config.detail != BN_ROW_SUM && bn_rng_below (&rng, 2))
            {
              uint32_t t = (uint32_t) bn_rng_below (&rng, 64);
              QueueVersion v = queue_at (&naive, w, now);
              BnQueuedTask task = { .job_id = t + 1000, .task = t, .estimate_ns = t + 1 };
              bool enters = !(v.tasks >> t & 1);
              v.time_ns = now;
              v.tasks ^= UINT64_C (1) << t;
              (enters ? bn_published_enqueued : bn_published_dequeued) (table, w, now, &task, t % BN_QUEUE_CLASSES);
              g_array_append_val (naive.queues[w], v);
              /* some come and go at one instant */
              if (enters && bn_rng_below (&rng, 2))
                {
                  v.tasks ^= UINT64_C (1) << t;
                  bn_published_dequeued (table, w, now, &task, t % BN_QUEUE_CLASSES);
                  g_array_append_val (naive.queues[w], v);
                }
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
      g_array_unref (naive.queues[w]);
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
    bn_published_set_load (table, i % 3, i, &(BnLoadRow){ i, i, i, i });
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

START_TEST (the_longest_queue_is_the_longest_that_the_observer_sees)
{
  BnPublishedConfig config = { .n_workers = 4, .load_spread = { BN_SPREAD_DELAY, 10 }, .track_loads = true };
  BnPublished *table = bn_published_new (&config);

  ck_assert_int_eq (bn_published_longest_queue (table, 0, 0), BN_NONE);
  bn_published_set_load (table, 2, 1, &(BnLoadRow){ 7, 7, 0, 0 });
  bn_published_set_load (table, 1, 2, &(BnLoadRow){ 7, 7, 0, 0 });
  bn_published_set_load (table, 3, 3, &(BnLoadRow){ 9, 9, 0, 0 });
  ck_assert_int_eq (bn_published_longest_queue (table, 0, 10), BN_NONE);
  ck_assert_int_eq (bn_published_longest_queue (table, 0, 11), 2);
  ck_assert_int_eq (bn_published_longest_queue (table, 0, 12), 1);
  ck_assert_int_eq (bn_published_longest_queue (table, 1, 12), 2);
  ck_assert_int_eq (bn_published_longest_queue (table, 0, 13), 3);
  ck_assert_int_eq (bn_published_longest_queue (table, 3, 13), 1);
  bn_published_free (table);
}
END_TEST

START_TEST (a_row_weighs_what_it_carries)
{
  /* 16 + 16 for loads + 2 bytes of 9 models; a queued task 16, a reserved one 24 */
  int64_t model_bytes[9] = { 0 };
  BnPublishedConfig config = { .n_workers = 2, .n_models = 9, .model_bytes = model_bytes, .track_loads = true,
                               .track_caches = true, .detail = BN_ROW_TASKS, .reserve = BN_RESERVE_PUBLISHED };
  BnPublished *table = bn_published_new (&config);
  BnQueuedTask task = { .job_id = 1 };

  bn_published_set_load (table, 0, 1, &(BnLoadRow){ 0 });
  ck_assert_int_eq (bn_published_bytes (table), 34);
  bn_published_enqueued (table, 0, 2, &task, 0);
  bn_reservations_add (bn_published_reservations (table), 1, 0, &task, 5, 2, 2);
  bn_published_open (table, 1, 2, NULL);
  bn_published_close (table);
  bn_published_set_load (table, 0, 3, &(BnLoadRow){ 0 });
  ck_assert_int_eq (bn_published_bytes (table), 34 + 34 + 16 + 24);
  bn_published_set_load (table, 1, 3, &(BnLoadRow){ 0 });
  ck_assert_int_eq (bn_published_bytes (table), 34 + 34 + 16 + 24 + 34);
  ck_assert_int_eq (bn_published_updates (table), 3);
  bn_published_free (table);
}
END_TEST

START_TEST (old_rows_weigh_what_their_queues_were_whenever_somebody_looks)
{
  /* 32 each; the first tells of two tasks, the second of one, the third of none */
  BnPublishedConfig config = { .n_workers = 1, .track_loads = true, .detail = BN_ROW_TASKS,
                               .load_spread = { BN_SPREAD_DELAY, 10 } };
  BnPublished *table = bn_published_new (&config);
  BnQueuedTask task[2] = { { .job_id = 1 }, { .job_id = 2 } };

  for (uint32_t i = 0; i < 2; i++)
    bn_published_enqueued (table, 0, 1, &task[i], 0);
  bn_published_set_load (table, 0, 1, &(BnLoadRow){ 0 });
  for (uint32_t i = 0; i < 2; i++)
    {
      bn_published_dequeued (table, 0, 2 + i, &task[i], 0);
      bn_published_set_load (table, 0, 2 + i, &(BnLoadRow){ 0 });
    }
  bn_published_open (table, BN_NONE, 100, NULL);
  bn_published_close (table);
  ck_assert_int_eq (bn_published_updates (table), 3);
  ck_assert_int_eq (bn_published_bytes (table), 3 * 32 + 2 * 16 + 16);
  bn_published_free (table);
}
END_TEST

/* ---- reservations ---- */

typedef struct Reserved
{
  BnReservations *r;
  BnView view;
} Reserved;

/* What the observer counts for worker w, summed up and one by one. */
static BnDuration
seen_on (Reserved *all, int32_t observer, BnTime now, uint32_t w, const BnReservation *leave_out)
{
  BnDuration sum = 0;

  all->view.observer = observer;
  all->view.left_out = leave_out;
  bn_reservations_open (all->r, &all->view, now);
  for (const BnReservation *item = all->view.reserved[w]; item; item = item->next_here)
    {
      if (item->next_here)
        ck_assert_int_le (item->task.enqueue_ns, item->next_here->task.enqueue_ns);
      if (bn_view_knows (&all->view, item, now))
        sum += item->amount_ns;
    }
  ck_assert_int_eq (all->view.reserved_ns[w], sum);
  bn_reservations_close (all->r);
  return sum;
}

static BnReservation *
reserve (Reserved *all, int32_t owner, uint32_t w, BnDuration amount_ns, BnTime told_ns, BnTime now)
{
  BnQueuedTask task = { .enqueue_ns = now + amount_ns % 7 };
  return bn_reservations_add (all->r, owner, w, &task, amount_ns, told_ns, now);
}

static const BnSpread ten_late = { BN_SPREAD_DELAY, 10 };

START_TEST (an_own_reservation_ends_when_its_owner_sees_the_task_queued)
{
  Reserved all = { .r = bn_reservations_new (3, ten_late, BN_RESERVE_OWN) };
  BnReservation *item = reserve (&all, 0, 2, 500, 102, 100);
  ck_assert_int_eq (seen_on (&all, 0, 100, 2, NULL), 500);
  ck_assert_int_eq (seen_on (&all, 1, 100, 2, NULL), 0);
  ck_assert_int_eq (seen_on (&all, 2, 119, 2, NULL), 0);
  bn_reservations_settle (all.r, item, 120);
  ck_assert_int_eq (seen_on (&all, 0, 129, 2, NULL), 500);
  ck_assert_int_eq (seen_on (&all, 0, 130, 2, NULL), 0);
  /* its own row is fresh */
  item = reserve (&all, 0, 0, 70, 200, 200);
  ck_assert_int_eq (seen_on (&all, 0, 209, 0, NULL), 70);
  bn_reservations_settle (all.r, item, 210);
  ck_assert_int_eq (seen_on (&all, 0, 210, 0, NULL), 0);
  bn_reservations_free (all.r);
}
END_TEST

START_TEST (the_task_being_decided_about_does_not_stand_in_its_own_way)
{
  for (int published = 0; published <= 1; published++)
    {
      Reserved all = { .r = bn_reservations_new (3, ten_late, published ? BN_RESERVE_PUBLISHED : BN_RESERVE_OWN) };
      BnReservation *mine = reserve (&all, 0, 2, 500, 102, 100);
      reserve (&all, 0, 2, 30, 102, 100);
      ck_assert_int_eq (seen_on (&all, 0, 105, 2, mine), 30);
      ck_assert_int_eq (seen_on (&all, 0, 105, 2, NULL), 530);
      /* the worker itself has got the message */
      ck_assert_int_eq (seen_on (&all, 2, 105, 2, NULL), published ? 530 : 0);
      ck_assert_int_eq (seen_on (&all, 2, 105, 2, mine), published ? 30 : 0);
      /* another observer has not been told, and then has */
      ck_assert_int_eq (seen_on (&all, 1, 111, 2, mine), 0);
      ck_assert_int_eq (seen_on (&all, 1, 112, 2, mine), published ? 30 : 0);
      ck_assert_int_eq (seen_on (&all, 1, 112, 2, NULL), published ? 530 : 0);
      ck_assert_int_eq (seen_on (&all, 2, 112, 2, mine), published ? 30 : 0);
      bn_reservations_free (all.r);
    }
}
END_TEST

START_TEST (a_published_reservation_is_told_by_the_row_of_its_worker)
{
  Reserved all = { .r = bn_reservations_new (3, ten_late, BN_RESERVE_PUBLISHED) };
  BnReservation *item = reserve (&all, 0, 2, 500, 102, 100);
  static const struct
  {
    int32_t observer;
    BnTime now;
    BnDuration seen;
  } before[] = { { 0, 100, 500 }, { 2, 101, 0 }, { 2, 102, 500 }, { 1, 111, 0 }, { 1, 112, 500 }, { 0, 112, 500 } };
  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    ck_assert_int_eq (seen_on (&all, before[i].observer, before[i].now, 2, NULL), before[i].seen);
  ck_assert_uint_eq (bn_reservations_in_row (all.r, 2), 1);
  bn_reservations_settle (all.r, item, 120);
  /* it is in the queue, and the row that shows it there shows it reserved no more */
  static const struct
  {
    int32_t observer;
    BnTime now;
    BnDuration seen;
  } after[] = { { 2, 120, 0 }, { 0, 129, 500 }, { 1, 129, 500 }, { 0, 130, 0 }, { 1, 130, 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (after); i++)
    ck_assert_int_eq (seen_on (&all, after[i].observer, after[i].now, 2, NULL), after[i].seen);
  ck_assert_uint_eq (bn_reservations_in_row (all.r, 2), 0);
  bn_reservations_free (all.r);
}
END_TEST

START_TEST (what_is_moved_before_its_message_came_ends_with_the_message)
{
  Reserved all = { .r = bn_reservations_new (3, ten_late, BN_RESERVE_PUBLISHED) };
  BnReservation *item = reserve (&all, 0, 2, 500, 105, 100);
  bn_reservations_settle (all.r, item, 101);
  ck_assert_int_eq (seen_on (&all, 2, 105, 2, NULL), 0);
  ck_assert_int_eq (seen_on (&all, 0, 114, 2, NULL), 500);
  ck_assert_int_eq (seen_on (&all, 0, 115, 2, NULL), 0);
  ck_assert_int_eq (seen_on (&all, 1, 115, 2, NULL), 0);
  bn_reservations_free (all.r);
}
END_TEST

/* Against the definition, for random reservations that come, are told and end. */
START_TEST (any_reservations_are_counted_as_they_are_known)
{
  typedef struct
  {
    BnReservation *item;
    int32_t owner;
    uint32_t w;
    BnDuration amount_ns;
    BnTime added_ns, told_ns, ends_ns;
  } Mine;
  BnRng rng;
  bn_rng_init (&rng, (uint64_t) _i, "reservations");
  bool published = _i % 2;
  BnSpread spread = { (BnSpreadMode) (_i / 2 % 2), _i % 5 == 0 ? 0 : 10 };
  Reserved all = { .r = bn_reservations_new (4, spread, published ? BN_RESERVE_PUBLISHED : BN_RESERVE_OWN) };
  GArray *mine = g_array_new (FALSE, FALSE, sizeof (Mine));
  BnTime now = 0;

  for (int step = 0; step < 600; step++)
    {
      now += (BnTime) bn_rng_below (&rng, 4);
      uint32_t w = (uint32_t) bn_rng_below (&rng, 4);
      int32_t owner = (int32_t) bn_rng_below (&rng, 5) - 1;
      Mine m = { NULL, owner, w, 1 + (BnDuration) bn_rng_below (&rng, 99), now,
                 now + ((int32_t) w == owner ? 0 : 2), BN_TIME_NEVER };
      m.item = reserve (&all, owner, w, m.amount_ns, m.told_ns, now);
      g_array_append_val (mine, m);
      Mine *old = &g_array_index (mine, Mine, bn_rng_below (&rng, mine->len));
      if (old->ends_ns == BN_TIME_NEVER && bn_rng_below (&rng, 3) > 0)
        {
          bn_reservations_settle (all.r, old->item, now);
          old->ends_ns = published ? MAX (now, old->told_ns) : now;
        }
      int32_t observer = (int32_t) bn_rng_below (&rng, 5) - 1;
      uint32_t at = (uint32_t) bn_rng_below (&rng, 4);
      BnDuration sum = 0;
      for (guint i = 0; i < mine->len; i++)
        {
          const Mine *r = &g_array_index (mine, Mine, i);
          bool own_row = (int32_t) r->w == observer, own = r->owner == observer;
          BnTime begin = own ? r->added_ns
                         : !published ? BN_TIME_NEVER
                         : own_row ? r->told_ns : bn_spread_visible_at (&spread, r->w, 4, r->told_ns);
          BnTime end = r->ends_ns == BN_TIME_NEVER || own_row ? r->ends_ns
                                                              : bn_spread_visible_at (&spread, r->w, 4, r->ends_ns);
          if (r->w == at && begin <= now && now < end)
            sum += r->amount_ns;
        }
      ck_assert_int_eq (seen_on (&all, observer, now, at, NULL), sum);
    }
  g_array_unref (mine);
  bn_reservations_free (all.r);
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
  tcase_add_test (tc, the_longest_queue_is_the_longest_that_the_observer_sees);
  tcase_add_test (tc, a_row_weighs_what_it_carries);
  tcase_add_test (tc, old_rows_weigh_what_their_queues_were_whenever_somebody_looks);
  tcase_add_test (tc, ten_thousand_workers_and_a_thousand_models_fit);
  tcase_add_test (reservations, an_own_reservation_ends_when_its_owner_sees_the_task_queued);
  tcase_add_test (reservations, the_task_being_decided_about_does_not_stand_in_its_own_way);
  tcase_add_test (reservations, a_published_reservation_is_told_by_the_row_of_its_worker);
  tcase_add_test (reservations, what_is_moved_before_its_message_came_ends_with_the_message);
  tcase_add_loop_test (reservations, any_reservations_are_counted_as_they_are_known, 0, 20);
  suite_add_tcase (suite, tc);
  suite_add_tcase (suite, reservations);
  return run_suite (suite);
}
