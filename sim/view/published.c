/* published.c: the published rows, the changes under way to them, the fresh rows.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * "fresh" arrays hold the truth, the arrays of the view hold what is published.
 * With a period of 0 a change goes to both at once and nothing is ever laid over.
 */
#include "published.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

/* At most this many row changes can be looked up by version; a power of two. */
#define CHANGE_LOG 4096

typedef struct LoadChange
{
  BnTime time_ns;
  BnLoadRow row;
  uint32_t worker;
} LoadChange;

typedef struct CacheChange
{
  BnTime time_ns;
  uint32_t worker;
  uint32_t model;
  bool cached;
} CacheChange;

/* Ticks of `interval` mode, swept in order of time: (round, worker). */
typedef struct Sweep
{
  BnTime *dirty_since_ns;  /* [n_workers], BN_TIME_NEVER: nothing to publish */
  uint32_t worker;
  int64_t round;
} Sweep;

struct BnPublished
{
  BnPublishedConfig config;
  BnView view;
  BnReservations *reservations;
  BnQueueRows *queues;                           /* or NULL: sums only */

  BnLoadRow *fresh_loads;                        /* true      */
  BnDuration *queued_ns, *backlog_ns;            /* published; with one slot each the second */
  BnTime *busy_until_ns, *slot_free_ns;          /* of each is the first                     */
  uint64_t *holders;                             /* by model, then worker */
  uint64_t *fresh_rows;                          /* by worker, then model */
  uint64_t *published_rows;                      /* the same, as published */
  int64_t *cached_bytes, *fresh_cached_bytes;
  uint32_t row_words;
  uint32_t *changes;

  /* delay mode: changes that others do not see yet, oldest first */
  LoadChange *load_ring;
  uint32_t load_head, load_length, load_capacity;
  CacheChange *cache_ring;
  uint32_t cache_head, cache_length, cache_capacity;

  Sweep load_sweep, cache_sweep;                 /* interval mode */

  int64_t n_updates, n_bytes;
  int64_t row_bytes;                             /* of a row without lists */
  int32_t longest;                               /* of bn_published_longest_queue */
  uint64_t longest_version;                      /* the version it is of, or UINT64_MAX */
  bool is_open;
  BnLoadRow saved_load;                          /* published row of the open observer */
  int64_t saved_cached_bytes;
};

static inline bool
bit_get (const uint64_t *words, uint32_t i)
{
  return words[i / 64] >> (i % 64) & 1;
}

static inline void
bit_put (uint64_t *words, uint32_t i, bool on)
{
  uint64_t mask = UINT64_C (1) << (i % 64);
  words[i / 64] = on ? words[i / 64] | mask : words[i / 64] & ~mask;
}

static void
sweep_init (Sweep *sweep, uint32_t n_workers)
{
  sweep->dirty_since_ns = g_new (BnTime, n_workers);
  for (uint32_t w = 0; w < n_workers; w++)
    sweep->dirty_since_ns[w] = BN_TIME_NEVER;
}

BnPublished *
bn_published_new (const BnPublishedConfig *config)
{
  BnPublished *t = g_new0 (BnPublished, 1);
  gsize w = config->n_workers, m = config->n_models;

  t->config = *config;
  t->config.model_bytes = g_memdup2 (config->model_bytes, m * sizeof (int64_t));
  t->fresh_loads = g_new0 (BnLoadRow, w);
  t->queued_ns = g_new0 (BnDuration, w);
  t->backlog_ns = config->several_slots ? g_new0 (BnDuration, w) : t->queued_ns;
  t->busy_until_ns = g_new0 (BnTime, w);
  t->slot_free_ns = config->several_slots ? g_new0 (BnTime, w) : t->busy_until_ns;
  t->row_words = (config->n_models + 63) / 64;
  t->fresh_rows = g_new0 (uint64_t, w * t->row_words + 1);
  t->published_rows = g_new0 (uint64_t, w * t->row_words + 1);
  t->cached_bytes = g_new0 (int64_t, w);
  t->fresh_cached_bytes = g_new0 (int64_t, w);
  t->changes = g_new0 (uint32_t, CHANGE_LOG);
  t->load_capacity = t->cache_capacity = 256;
  t->load_ring = g_new (LoadChange, t->load_capacity);
  t->cache_ring = g_new (CacheChange, t->cache_capacity);
  sweep_init (&t->load_sweep, config->n_workers);
  sweep_init (&t->cache_sweep, config->n_workers);
  if (config->reserve != BN_RESERVE_OFF)
    t->reservations = bn_reservations_new (config->n_workers, config->load_spread, config->reserve);
  if (config->detail != BN_ROW_SUM)
    t->queues = bn_queue_rows_new (config->n_workers, config->load_spread, config->detail);
  t->row_bytes = 16 + (config->track_loads ? config->several_slots ? 32 : 16 : 0)
                 + (config->track_caches ? (config->n_models + 7) / 8 : 0)
                 + (config->detail == BN_ROW_CLASSES ? 8 * BN_QUEUE_CLASSES : 0);
  t->longest_version = UINT64_MAX;

  t->view.struct_size = sizeof t->view;
  t->view.n_workers = config->n_workers;
  t->view.n_models = config->n_models;
  t->view.holder_words = (config->n_workers + 63) / 64;
  t->holders = g_new0 (uint64_t, m * t->view.holder_words + 1);
  t->view.queued_ns = t->queued_ns;
  t->view.busy_until_ns = t->busy_until_ns;
  t->view.backlog_ns = t->backlog_ns;
  t->view.slot_free_ns = t->slot_free_ns;
  t->view.load_age_ns = config->load_spread.period_ns;
  t->view.queues = t->queues ? bn_queue_rows_published (t->queues) : NULL;
  t->view.holders = t->holders;
  t->view.cached_bytes = t->cached_bytes;
  t->view.changes = t->changes;
  t->view.change_mask = CHANGE_LOG - 1;
  return t;
}

void
bn_published_free (BnPublished *t)
{
  if (!t)
    return;
  bn_reservations_free (t->reservations);
  bn_queue_rows_free (t->queues);
  g_free ((int64_t *) t->config.model_bytes);
  if (t->config.several_slots)
    {
      g_free (t->backlog_ns);
      g_free (t->slot_free_ns);
    }
  g_free (t->fresh_loads);
  g_free (t->queued_ns);
  g_free (t->busy_until_ns);
  g_free (t->fresh_rows);
  g_free (t->published_rows);
  g_free (t->cached_bytes);
  g_free (t->fresh_cached_bytes);
  g_free (t->changes);
  g_free (t->load_ring);
  g_free (t->cache_ring);
  g_free (t->load_sweep.dirty_since_ns);
  g_free (t->cache_sweep.dirty_since_ns);
  g_free (t->holders);
  g_free (t);
}

static inline void
count_change (BnPublished *t, uint32_t w)
{
  t->n_updates++;
  t->n_bytes += t->row_bytes;
  if (t->config.detail == BN_ROW_TASKS)
    t->n_bytes += 16 * (int64_t) t->view.queues[w].n_tasks;
  if (t->config.reserve == BN_RESERVE_PUBLISHED)
    t->n_bytes += 24 * (int64_t) bn_reservations_in_row (t->reservations, w);
  t->changes[++t->view.version & (CHANGE_LOG - 1)] = w;
}

static inline void
put_load (BnPublished *t, uint32_t w, const BnLoadRow *row)
{
  t->queued_ns[w] = row->queued_ns;
  t->busy_until_ns[w] = row->busy_until_ns;
  if (t->config.several_slots)
    {
      t->backlog_ns[w] = row->backlog_ns;
      t->slot_free_ns[w] = row->slot_free_ns;
    }
}

static inline void
publish_load (BnPublished *t, uint32_t w, const BnLoadRow *row)
{
  put_load (t, w, row);
  count_change (t, w);
}

/* interval mode: the row of w goes out as it is. */
static void
publish_row (BnPublished *t, uint32_t w)
{
  if (t->queues)
    bn_queue_rows_publish (t->queues, w);
  publish_load (t, w, &t->fresh_loads[w]);
}

static void
publish_cached (BnPublished *t, uint32_t w, uint32_t model, bool cached)
{
  bit_put (t->published_rows + (gsize) w * t->row_words, model, cached);
  bit_put (t->holders + (gsize) model * t->view.holder_words, w, cached);
  t->cached_bytes[w] += cached ? t->config.model_bytes[model] : -t->config.model_bytes[model];
  count_change (t, w);
}

/* Publishes every model in which the fresh and the published row of w differ. */
static void
publish_cache_row (BnPublished *t, uint32_t w)
{
  const uint64_t *fresh = t->fresh_rows + (gsize) w * t->row_words;
  const uint64_t *old = t->published_rows + (gsize) w * t->row_words;

  for (uint32_t k = 0; k < t->row_words; k++)
    for (uint64_t diff = fresh[k] ^ old[k]; diff; diff &= diff - 1)
      {
        uint32_t model = 64 * k + (uint32_t) __builtin_ctzll (diff);
        publish_cached (t, w, model, bit_get (fresh, model));
      }
}

/* interval mode: w changes at `now`; what it was before has been published if a
 * tick lies between its last change and now. */
static bool
sweep_touch (Sweep *sweep, const BnSpread *spread, uint32_t w, uint32_t n, BnTime now)
{
  BnTime since = sweep->dirty_since_ns[w];
  bool due = since != BN_TIME_NEVER && bn_spread_last_tick (spread, w, n, now - 1) >= since;

  if (due || since == BN_TIME_NEVER)
    sweep->dirty_since_ns[w] = now;
  return due;
}

/* The next worker whose tick has come by `now`, or BN_NONE. After a long pause
 * one round over all workers is enough. */
static int32_t
sweep_next (Sweep *sweep, const BnSpread *spread, uint32_t n, BnTime now)
{
  for (;;)
    {
      BnTime tick = bn_time_add (bn_muldiv_round (spread->period_ns, sweep->worker, n),
                                 bn_muldiv_round (spread->period_ns, sweep->round, 1));
      if (tick > now)
        return BN_NONE;
      uint32_t w = sweep->worker;
      int64_t late = (now - tick) / spread->period_ns;
      if (late > 1)
        sweep->round += late - 1;
      if (++sweep->worker == n)
        {
          sweep->worker = 0;
          sweep->round++;
        }
      if (sweep->dirty_since_ns[w] != BN_TIME_NEVER
          && bn_spread_last_tick (spread, w, n, now) >= sweep->dirty_since_ns[w])
        {
          sweep->dirty_since_ns[w] = BN_TIME_NEVER;
          return (int32_t) w;
        }
    }
}

static void
load_ring_grow (BnPublished *t)
{
  LoadChange *ring = g_new (LoadChange, (gsize) t->load_capacity * 2);

  for (uint32_t i = 0; i < t->load_length; i++)
    ring[i] = t->load_ring[(t->load_head + i) & (t->load_capacity - 1)];
  g_free (t->load_ring);
  t->load_ring = ring;
  t->load_head = 0;
  t->load_capacity *= 2;
}

static void
cache_ring_grow (BnPublished *t)
{
  CacheChange *ring = g_new (CacheChange, (gsize) t->cache_capacity * 2);

  for (uint32_t i = 0; i < t->cache_length; i++)
    ring[i] = t->cache_ring[(t->cache_head + i) & (t->cache_capacity - 1)];
  g_free (t->cache_ring);
  t->cache_ring = ring;
  t->cache_head = 0;
  t->cache_capacity *= 2;
}

void
bn_published_set_load (BnPublished *t, uint32_t w, BnTime now, const BnLoadRow *row)
{
  const BnSpread *spread = &t->config.load_spread;

  BN_ASSERT (!t->is_open);
  if (!t->config.track_loads)
    return;
  if (spread->period_ns == 0)
    publish_load (t, w, row);
  else if (spread->mode == BN_SPREAD_DELAY)
    {
      LoadChange *last = &t->load_ring[(t->load_head + t->load_length - 1) & (t->load_capacity - 1)];
      /* only the last version of an instant is ever seen */
      if (t->load_length > 0 && last->worker == w && last->time_ns == now)
        last->row = *row;
      else
        {
          if (t->load_length == t->load_capacity)
            load_ring_grow (t);
          t->load_ring[(t->load_head + t->load_length++) & (t->load_capacity - 1)]
            = (LoadChange){ now, *row, w };
        }
    }
  else if (sweep_touch (&t->load_sweep, spread, w, t->config.n_workers, now))
    publish_row (t, w);
  t->fresh_loads[w] = *row;
}

/* interval mode: what was due before a change of the queue of w goes out first. */
static void
before_queue_change (BnPublished *t, uint32_t w, BnTime now)
{
  const BnSpread *spread = &t->config.load_spread;

  BN_ASSERT (!t->is_open);
  if (spread->period_ns > 0 && spread->mode == BN_SPREAD_INTERVAL
      && sweep_touch (&t->load_sweep, spread, w, t->config.n_workers, now))
    publish_row (t, w);
}

void
bn_published_enqueued (BnPublished *t, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class)
{
  if (!t->queues)
    return;
  before_queue_change (t, w, now);
  bn_queue_rows_add (t->queues, w, now, task, class);
}

void
bn_published_dequeued (BnPublished *t, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class)
{
  if (!t->queues)
    return;
  before_queue_change (t, w, now);
  bn_queue_rows_remove (t->queues, w, now, task, class);
}

void
bn_published_set_cached (BnPublished *t, uint32_t w, uint32_t model, bool cached, BnTime now)
{
  const BnSpread *spread = &t->config.cache_spread;
  uint64_t *fresh = t->fresh_rows + (gsize) w * t->row_words;

  BN_ASSERT (!t->is_open);
  if (!t->config.track_caches)
    return;
  BN_ASSERT (bit_get (fresh, model) != cached);
  if (spread->period_ns > 0 && spread->mode == BN_SPREAD_DELAY)
    {
      if (t->cache_length == t->cache_capacity)
        cache_ring_grow (t);
      t->cache_ring[(t->cache_head + t->cache_length++) & (t->cache_capacity - 1)]
        = (CacheChange){ now, w, model, cached };
    }
  else if (spread->period_ns > 0 && sweep_touch (&t->cache_sweep, spread, w, t->config.n_workers, now))
    publish_cache_row (t, w);
  bit_put (fresh, model, cached);
  t->fresh_cached_bytes[w] += cached ? t->config.model_bytes[model] : -t->config.model_bytes[model];
  if (spread->period_ns == 0)
    publish_cached (t, w, model, cached);
}

void
bn_published_preload (BnPublished *t, uint32_t w, uint32_t model)
{
  if (!t->config.track_caches)
    return;
  bit_put (t->fresh_rows + (gsize) w * t->row_words, model, true);
  t->fresh_cached_bytes[w] += t->config.model_bytes[model];
  publish_cached (t, w, model, true);
}

/* Makes visible what others can see by now. */
static void
catch_up (BnPublished *t, BnTime now)
{
  const BnSpread *load = &t->config.load_spread, *cache = &t->config.cache_spread;
  int32_t w;

  if (load->mode == BN_SPREAD_DELAY)
    while (t->load_length > 0 && t->load_ring[t->load_head].time_ns <= now - load->period_ns)
      {
        const LoadChange *c = &t->load_ring[t->load_head];
        if (t->queues) /* not further: each row weighs what its queue then was */
          bn_queue_rows_catch_up (t->queues, c->time_ns + load->period_ns);
        publish_load (t, c->worker, &c->row);
        t->load_head = (t->load_head + 1) & (t->load_capacity - 1);
        t->load_length--;
      }
  else if (load->period_ns > 0 && t->config.track_loads)
    while ((w = sweep_next (&t->load_sweep, load, t->config.n_workers, now)) != BN_NONE)
      publish_row (t, (uint32_t) w);
  if (t->queues && load->mode == BN_SPREAD_DELAY)
    bn_queue_rows_catch_up (t->queues, now);
  if (cache->mode == BN_SPREAD_DELAY)
    while (t->cache_length > 0 && t->cache_ring[t->cache_head].time_ns <= now - cache->period_ns)
      {
        const CacheChange *c = &t->cache_ring[t->cache_head];
        publish_cached (t, c->worker, c->model, c->cached);
        t->cache_head = (t->cache_head + 1) & (t->cache_capacity - 1);
        t->cache_length--;
      }
  else if (cache->period_ns > 0 && t->config.track_caches)
    while ((w = sweep_next (&t->cache_sweep, cache, t->config.n_workers, now)) != BN_NONE)
      publish_cache_row (t, (uint32_t) w);
}

/* Swaps the cache columns of w between its published and its fresh row. */
static void
overlay_cache (BnPublished *t, uint32_t w, const uint64_t *to, const uint64_t *from)
{
  for (uint32_t k = 0; k < t->row_words; k++)
    for (uint64_t diff = to[k] ^ from[k]; diff; diff &= diff - 1)
      {
        uint32_t model = 64 * k + (uint32_t) __builtin_ctzll (diff);
        bit_put (t->holders + (gsize) model * t->view.holder_words, w, bit_get (to, model));
      }
}

const BnView *
bn_published_open (BnPublished *t, int32_t observer, BnTime now, const BnReservation *leave_out)
{
  BN_ASSERT (!t->is_open);
  t->is_open = true;
  catch_up (t, now);
  t->view.observer = observer;
  t->view.left_out = leave_out;
  if (t->reservations)
    bn_reservations_open (t->reservations, &t->view, now);
  if (observer == BN_NONE)
    return &t->view;
  uint32_t w = (uint32_t) observer;
  if (t->config.track_loads && t->config.load_spread.period_ns > 0)
    {
      t->saved_load = (BnLoadRow){ t->queued_ns[w], t->backlog_ns[w], t->busy_until_ns[w], t->slot_free_ns[w] };
      put_load (t, w, &t->fresh_loads[w]);
      if (t->queues)
        bn_queue_rows_swap (t->queues, w);
    }
  if (t->config.track_caches && t->config.cache_spread.period_ns > 0)
    {
      overlay_cache (t, w, t->fresh_rows + (gsize) w * t->row_words, t->published_rows + (gsize) w * t->row_words);
      t->saved_cached_bytes = t->cached_bytes[w];
      t->cached_bytes[w] = t->fresh_cached_bytes[w];
    }
  return &t->view;
}

void
bn_published_close (BnPublished *t)
{
  BN_ASSERT (t->is_open);
  t->is_open = false;
  if (t->reservations)
    bn_reservations_close (t->reservations);
  if (t->view.observer == BN_NONE)
    return;
  uint32_t w = (uint32_t) t->view.observer;
  if (t->config.track_loads && t->config.load_spread.period_ns > 0)
    {
      put_load (t, w, &t->saved_load);
      if (t->queues)
        bn_queue_rows_swap (t->queues, w);
    }
  if (t->config.track_caches && t->config.cache_spread.period_ns > 0)
    {
      overlay_cache (t, w, t->published_rows + (gsize) w * t->row_words, t->fresh_rows + (gsize) w * t->row_words);
      t->cached_bytes[w] = t->saved_cached_bytes;
    }
}

BnDuration
bn_published_load_age (const BnPublished *t, int32_t observer, uint32_t w, BnTime now)
{
  const BnSpread *spread = &t->config.load_spread;

  if (spread->period_ns == 0 || (int32_t) w == observer)
    return 0;
  if (spread->mode == BN_SPREAD_DELAY)
    return bn_time_min (spread->period_ns, now);
  BnTime tick = bn_spread_last_tick (spread, w, t->config.n_workers, now);
  return tick < 0 ? now : now - tick;
}

BnTime
bn_published_true_free_at (const BnPublished *t, uint32_t w, BnTime now)
{
  const BnLoadRow *row = &t->fresh_loads[w];

  return bn_time_max (row->busy_until_ns, now) + row->queued_ns;
}

bool
bn_published_true_holds (const BnPublished *t, uint32_t w, uint32_t model)
{
  return bit_get (t->fresh_rows + (gsize) w * t->row_words, model);
}

BnReservations *
bn_published_reservations (BnPublished *t)
{
  return t->reservations;
}

int32_t
bn_published_longest_queue (BnPublished *t, int32_t observer, BnTime now)
{
  BN_ASSERT (!t->is_open && t->config.track_loads);
  catch_up (t, now);
  if (t->longest_version != t->view.version)
    {
      BnDuration most = 0;
      t->longest = BN_NONE;
      t->longest_version = t->view.version;
      for (uint32_t w = 0; w < t->config.n_workers; w++)
        if (t->backlog_ns[w] > most)
          {
            most = t->backlog_ns[w];
            t->longest = (int32_t) w;
          }
    }
  /* what others see of the observer's own queue does not count for it */
  if (t->longest == BN_NONE || t->longest != observer)
    return t->longest;
  int32_t other = BN_NONE;
  for (uint32_t w = 0; w < t->config.n_workers; w++)
    if ((int32_t) w != observer && t->backlog_ns[w] > (other == BN_NONE ? 0 : t->backlog_ns[other]))
      other = (int32_t) w;
  return other;
}

int64_t
bn_published_bytes (const BnPublished *t)
{
  return t->n_bytes;
}

int64_t
bn_published_updates (const BnPublished *t)
{
  return t->n_updates;
}

uint32_t
bn_published_holders (BnPublished *t, int32_t observer, uint32_t model, BnTime now)
{
  const uint64_t *words = t->holders + (gsize) model * t->view.holder_words;
  uint32_t n = 0;

  BN_ASSERT (!t->is_open);
  catch_up (t, now);
  for (uint32_t k = 0; k < t->view.holder_words; k++)
    n += (uint32_t) __builtin_popcountll (words[k]);
  if (observer == BN_NONE)
    return n;
  const uint64_t *row = t->fresh_rows + (gsize) observer * t->row_words;
  return n - bit_get (words, (uint32_t) observer) + bit_get (row, model);
}
