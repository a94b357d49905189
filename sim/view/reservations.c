/* reservations.c: each observer's list, and the sum of what the lists publish.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * `total_ns` is what all published lists add up to as others see them now; while
 * a view is open the observer's own items are in it as they really are.
 */
#include "reservations.h"

#include <glib.h>

#include "event_queue.h"
#include "panic.h"

struct BnReservation
{
  BnReservation *prev, *next;  /* in the owner's list */
  int32_t owner;
  uint32_t worker;
  BnDuration amount_ns;
  BnTime told_ns;       /* others see it from here on (published)          */
  BnTime ends_ns;       /* the owner has seen it settled                   */
  BnTime told_end_ns;   /* others see its end (published)                  */
};

struct BnReservations
{
  uint32_t n_workers;
  BnSpread spread;
  BnReserveMode mode;
  BnReservation **lists;       /* [n_workers + 1]: of each owner, central last */
  BnReservation *free_items;
  BnDuration *total_ns;        /* [n_workers] */
  BnEventQueue *news;          /* published changes of total_ns still under way */
  int32_t open_observer;
  BnTime open_ns;
  const BnReservation *left_out;
};

enum
{
  NEWS_BEGIN,
  NEWS_END
};

static uint32_t
list_of (const BnReservations *r, int32_t owner)
{
  return owner == BN_NONE ? r->n_workers : (uint32_t) owner;
}

BnReservations *
bn_reservations_new (uint32_t n_workers, BnSpread spread, BnReserveMode mode)
{
  BnReservations *r = g_new0 (BnReservations, 1);

  BN_ASSERT (mode != BN_RESERVE_OFF);
  r->n_workers = n_workers;
  r->spread = spread;
  r->mode = mode;
  r->lists = g_new0 (BnReservation *, (gsize) n_workers + 1);
  r->total_ns = g_new0 (BnDuration, n_workers);
  r->news = bn_event_queue_new ();
  return r;
}

void
bn_reservations_free (BnReservations *r)
{
  if (!r)
    return;
  for (uint32_t i = 0; i <= r->n_workers; i++)
    for (BnReservation *item = r->lists[i], *next; item; item = next)
      {
        next = item->next;
        g_free (item);
      }
  for (BnReservation *item = r->free_items, *next; item; item = next)
    {
      next = item->next;
      g_free (item);
    }
  g_free (r->lists);
  g_free (r->total_ns);
  bn_event_queue_free (r->news);
  g_free (r);
}

/* A row that a worker's own list is part of; the central scheduler's list goes
 * out as worker 0's would. */
static BnTime
others_see_at (const BnReservations *r, int32_t owner, BnTime t)
{
  return bn_spread_visible_at (&r->spread, owner == BN_NONE ? 0 : (uint32_t) owner, r->n_workers, t);
}

static void
take_in_news (BnReservations *r, BnTime now)
{
  BnEvent event;

  while (bn_event_queue_next_time (r->news) <= now && bn_event_queue_pop (r->news, &event))
    {
      const BnReservation *item = event.object;
      r->total_ns[item->worker] += event.kind == NEWS_BEGIN ? item->amount_ns : -item->amount_ns;
    }
}

BnReservation *
bn_reservations_add (BnReservations *r, int32_t owner, uint32_t w, BnDuration amount_ns, BnTime now)
{
  BnReservation *item = r->free_items;
  BnReservation **list = &r->lists[list_of (r, owner)];

  if (item)
    r->free_items = item->next;
  else
    item = g_new (BnReservation, 1);
  *item = (BnReservation){ .next = *list, .owner = owner, .worker = w, .amount_ns = amount_ns,
                           .told_ns = BN_TIME_NEVER, .ends_ns = BN_TIME_NEVER, .told_end_ns = BN_TIME_NEVER };
  if (*list)
    (*list)->prev = item;
  *list = item;
  if (r->mode == BN_RESERVE_PUBLISHED)
    {
      take_in_news (r, now);
      item->told_ns = others_see_at (r, owner, now);
      BnEvent event = { item->told_ns, item, 0, NEWS_BEGIN };
      bn_event_queue_schedule (r->news, &event, BN_RANK_NORMAL);
    }
  return item;
}

void
bn_reservations_settle (BnReservations *r, BnReservation *item, BnTime now)
{
  BN_ASSERT (item->ends_ns == BN_TIME_NEVER);
  item->ends_ns = item->owner == (int32_t) item->worker
                    ? now
                    : bn_spread_visible_at (&r->spread, item->worker, r->n_workers, now);
  item->told_end_ns = item->ends_ns;
  if (r->mode == BN_RESERVE_PUBLISHED)
    {
      take_in_news (r, now);
      item->told_end_ns = others_see_at (r, item->owner, item->ends_ns);
      BnEvent event = { item->told_end_ns, item, 0, NEWS_END };
      bn_event_queue_schedule (r->news, &event, BN_RANK_NORMAL);
    }
}

static void
remove_item (BnReservations *r, BnReservation *item)
{
  if (item->prev)
    item->prev->next = item->next;
  else
    r->lists[list_of (r, item->owner)] = item->next;
  if (item->next)
    item->next->prev = item->prev;
  item->prev = NULL;
  item->next = r->free_items;
  r->free_items = item;
}

/* What the owner knows of the item minus what the published sum holds of it. */
static BnDuration
difference (const BnReservation *item, BnTime now)
{
  bool known = now < item->ends_ns;
  bool told = item->told_ns <= now && now < item->told_end_ns;

  return ((BnDuration) known - (BnDuration) told) * item->amount_ns;
}

/* What the observer counts of the reservation that is left out. */
static BnDuration
left_out_amount (const BnReservations *r)
{
  const BnReservation *item = r->left_out;

  if (!item)
    return 0;
  bool counted = item->owner == r->open_observer ? r->open_ns < item->ends_ns
                                                 : item->told_ns <= r->open_ns && r->open_ns < item->told_end_ns;
  return counted ? item->amount_ns : 0;
}

const BnDuration *
bn_reservations_open (BnReservations *r, int32_t observer, BnTime now, const BnReservation *leave_out)
{
  r->open_observer = observer;
  r->open_ns = now;
  r->left_out = leave_out;
  take_in_news (r, now);
  for (BnReservation *item = r->lists[list_of (r, observer)], *next; item; item = next)
    {
      next = item->next;
      if (item->told_end_ns <= now)
        remove_item (r, item);
      else
        r->total_ns[item->worker] += difference (item, now);
    }
  if (leave_out)
    r->total_ns[leave_out->worker] -= left_out_amount (r);
  return r->total_ns;
}

void
bn_reservations_close (BnReservations *r)
{
  for (BnReservation *item = r->lists[list_of (r, r->open_observer)]; item; item = item->next)
    r->total_ns[item->worker] -= difference (item, r->open_ns);
  if (r->left_out)
    r->total_ns[r->left_out->worker] += left_out_amount (r);
}
