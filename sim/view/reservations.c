/* reservations.c: lists by owner and by worker, and the sums that rows publish.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * `total_ns` is what all rows together tell others; while a view is open it holds
 * what its observer knows.
 */
#include "reservations.h"

#include <glib.h>

#include "event_queue.h"
#include "panic.h"

struct BnReservations
{
  uint32_t n_workers;
  BnSpread spread;
  BnReserveMode mode;
  BnReservation **owned;       /* [n_workers + 1]: of each owner, central last */
  BnReservation **here;        /* [n_workers]: of each worker, soonest first   */
  BnReservation **here_last;   /* [n_workers]: the latest                      */
  uint32_t *n_in_row;          /* [n_workers]                                  */
  BnReservation *free_items;   /* through next_owned                           */
  BnDuration *total_ns;        /* [n_workers] */
  BnEventQueue *news;          /* what rows have yet to tell */
  const BnView *open;
  BnTime open_ns;
};

enum
{
  NEWS_BEGIN,
  NEWS_END
};

static BnReservation **
list_of (const BnReservations *r, int32_t owner)
{
  return &r->owned[owner == BN_NONE ? r->n_workers : (uint32_t) owner];
}

BnReservations *
bn_reservations_new (uint32_t n_workers, BnSpread spread, BnReserveMode mode)
{
  BnReservations *r = g_new0 (BnReservations, 1);

  BN_ASSERT (mode != BN_RESERVE_OFF);
  r->n_workers = n_workers;
  r->spread = spread;
  r->mode = mode;
  r->owned = g_new0 (BnReservation *, (gsize) n_workers + 1);
  r->here = g_new0 (BnReservation *, n_workers);
  r->here_last = g_new0 (BnReservation *, n_workers);
  r->n_in_row = g_new0 (uint32_t, n_workers);
  r->total_ns = g_new0 (BnDuration, n_workers);
  r->news = bn_event_queue_new ();
  return r;
}

static void
free_list (BnReservation *first)
{
  for (BnReservation *item = first, *next; item; item = next)
    {
      next = item->next_owned;
      g_free (item);
    }
}

void
bn_reservations_free (BnReservations *r)
{
  if (!r)
    return;
  for (uint32_t i = 0; i <= r->n_workers; i++)
    free_list (r->owned[i]);
  free_list (r->free_items);
  g_free (r->owned);
  g_free (r->here);
  g_free (r->here_last);
  g_free (r->n_in_row);
  g_free (r->total_ns);
  bn_event_queue_free (r->news);
  g_free (r);
}

static void
link_item (BnReservations *r, BnReservation *item)
{
  BnReservation **owned = list_of (r, item->owner), *before = r->here_last[item->worker];

  item->next_owned = *owned;
  if (*owned)
    (*owned)->prev_owned = item;
  *owned = item;
  /* from the end: what is reserved last is mostly expected last */
  while (before && before->task.enqueue_ns > item->task.enqueue_ns)
    before = before->prev_here;
  BnReservation **here = before ? &before->next_here : &r->here[item->worker];
  item->prev_here = before;
  item->next_here = *here;
  if (*here)
    (*here)->prev_here = item;
  else
    r->here_last[item->worker] = item;
  *here = item;
}

static void
remove_item (BnReservations *r, BnReservation *item)
{
  if (item->prev_owned)
    item->prev_owned->next_owned = item->next_owned;
  else
    *list_of (r, item->owner) = item->next_owned;
  if (item->next_owned)
    item->next_owned->prev_owned = item->prev_owned;
  if (item->prev_here)
    item->prev_here->next_here = item->next_here;
  else
    r->here[item->worker] = item->next_here;
  if (item->next_here)
    item->next_here->prev_here = item->prev_here;
  else
    r->here_last[item->worker] = item->prev_here;
  item->next_owned = r->free_items;
  r->free_items = item;
}

static void
take_in_news (BnReservations *r, BnTime now)
{
  BnEvent event;

  while (bn_event_queue_next_time (r->news) <= now && bn_event_queue_pop (r->news, &event))
    {
      BnReservation *item = event.object;
      bool told = item->visible_ns != BN_TIME_NEVER;
      if (event.kind == NEWS_BEGIN || told)
        {
          r->total_ns[item->worker] += event.kind == NEWS_BEGIN ? item->amount_ns : -item->amount_ns;
          r->n_in_row[item->worker] += event.kind == NEWS_BEGIN ? 1u : -1u;
        }
      if (event.kind == NEWS_END)
        remove_item (r, item);
    }
}

static void
tell (BnReservations *r, BnReservation *item, BnTime visible_ns, uint32_t kind)
{
  BnEvent event = { visible_ns, item, 0, kind };

  bn_event_queue_schedule (r->news, &event, BN_RANK_NORMAL);
}

BnReservation *
bn_reservations_add (BnReservations *r, int32_t owner, uint32_t w, const BnQueuedTask *task, BnDuration amount_ns,
                     BnTime told_ns, BnTime now)
{
  take_in_news (r, now);
  BnReservation *item = r->free_items;

  if (item)
    r->free_items = item->next_owned;
  else
    item = g_new (BnReservation, 1);
  *item = (BnReservation){ .task = *task, .amount_ns = amount_ns, .owner = owner, .worker = w,
                           .told_ns = BN_TIME_NEVER, .visible_ns = BN_TIME_NEVER, .ends_ns = BN_TIME_NEVER };
  link_item (r, item);
  if (r->mode == BN_RESERVE_PUBLISHED)
    {
      item->told_ns = told_ns;
      item->visible_ns = bn_spread_visible_at (&r->spread, w, r->n_workers, told_ns);
      tell (r, item, item->visible_ns, NEWS_BEGIN);
    }
  return item;
}

void
bn_reservations_settle (BnReservations *r, BnReservation *item, BnTime now)
{
  BN_ASSERT (item->ends_ns == BN_TIME_NEVER);
  take_in_news (r, now);
  /* what was moved before its message came ends with the message */
  item->ends_ns = r->mode == BN_RESERVE_PUBLISHED ? bn_time_max (now, item->told_ns) : now;
  tell (r, item, bn_spread_visible_at (&r->spread, item->worker, r->n_workers, item->ends_ns), NEWS_END);
}

/* Adds `sign` times what the observer knows beyond what rows tell everybody. */
static void
lay_over (BnReservations *r, int sign)
{
  const BnView *view = r->open;
  int32_t v = view->observer;

  for (const BnReservation *item = *list_of (r, v); item; item = item->next_owned)
    if ((int32_t) item->worker != v && item->visible_ns > r->open_ns)
      r->total_ns[item->worker] += sign * item->amount_ns;
  if (v != BN_NONE)
    for (const BnReservation *item = r->here[v]; item; item = item->next_here)
      {
        bool counted = item->visible_ns <= r->open_ns;
        bool known = item == view->left_out ? counted : bn_view_knows (view, item, r->open_ns);
        r->total_ns[v] += sign * ((int) known - (int) counted) * item->amount_ns;
      }
  const BnReservation *out = view->left_out;
  if (out)
    {
      bool mine = (int32_t) out->worker == v;
      bool counted = mine ? out->visible_ns <= r->open_ns : out->owner == v || out->visible_ns <= r->open_ns;
      r->total_ns[out->worker] -= sign * (int) counted * out->amount_ns;
    }
}

void
bn_reservations_open (BnReservations *r, BnView *view, BnTime now)
{
  take_in_news (r, now);
  r->open = view;
  r->open_ns = now;
  lay_over (r, 1);
  view->reserved_ns = r->total_ns;
  view->reserved = r->here;
}

void
bn_reservations_close (BnReservations *r)
{
  lay_over (r, -1);
}

uint32_t
bn_reservations_in_row (const BnReservations *r, uint32_t w)
{
  return r->n_in_row[w];
}
