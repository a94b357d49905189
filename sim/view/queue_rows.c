/* queue_rows.c: true rows, published rows and the changes between them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "queue_rows.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

typedef struct Change
{
  BnTime time_ns;
  uint32_t worker;
  uint8_t class;
  bool entered;          /* else left */
  BnQueuedTask task;
} Change;

struct BnQueueRows
{
  uint32_t n_workers;
  BnSpread spread;
  BnRowDetail detail;
  BnQueueRow *fresh;      /* [n_workers] */
  BnQueueRow *published;  /* [n_workers]; `fresh` itself where rows are never old */
  Change *ring;           /* delay mode: what others do not see yet, oldest first */
  uint32_t head, length, capacity;
};

BnQueueRows *
bn_queue_rows_new (uint32_t n_workers, BnSpread spread, BnRowDetail detail)
{
  BnQueueRows *q = g_new0 (BnQueueRows, 1);

  BN_ASSERT (detail != BN_ROW_SUM);
  q->n_workers = n_workers;
  q->spread = spread;
  q->detail = detail;
  q->fresh = g_new0 (BnQueueRow, n_workers);
  q->published = spread.period_ns > 0 ? g_new0 (BnQueueRow, n_workers) : q->fresh;
  q->capacity = 256;
  q->ring = g_new (Change, q->capacity);
  return q;
}

static void
free_rows (BnQueueRow *rows, uint32_t n)
{
  for (uint32_t w = 0; w < n; w++)
    g_free (rows[w].tasks);
  g_free (rows);
}

void
bn_queue_rows_free (BnQueueRows *q)
{
  if (!q)
    return;
  if (q->published != q->fresh)
    free_rows (q->published, q->n_workers);
  free_rows (q->fresh, q->n_workers);
  g_free (q->ring);
  g_free (q);
}

static void
make_room (BnQueueRow *row, uint32_t n)
{
  if (n <= row->capacity_tasks)
    return;
  row->capacity_tasks = MAX (2 * row->capacity_tasks, MAX (n, 8));
  row->tasks = g_renew (BnQueuedTask, row->tasks, row->capacity_tasks);
}

static void
apply (const BnQueueRows *q, BnQueueRow *row, const BnQueuedTask *task, uint32_t class, bool entered)
{
  if (q->detail == BN_ROW_CLASSES)
    row->class_ns[class] += entered ? task->estimate_ns : -task->estimate_ns;
  else if (entered)
    {
      make_room (row, row->n_tasks + 1);
      row->tasks[row->n_tasks++] = *task;
    }
  else
    {
      BN_ASSERT (row->n_tasks > 0);
      uint32_t i = row->n_tasks - 1; /* what came last often leaves first */
      while (row->tasks[i].job_id != task->job_id || row->tasks[i].task != task->task)
        {
          BN_ASSERT (i > 0);
          i--;
        }
      row->tasks[i] = row->tasks[--row->n_tasks];
    }
}

static void
grow_ring (BnQueueRows *q)
{
  Change *ring = g_new (Change, (gsize) q->capacity * 2);

  for (uint32_t i = 0; i < q->length; i++)
    ring[i] = q->ring[(q->head + i) & (q->capacity - 1)];
  g_free (q->ring);
  q->ring = ring;
  q->head = 0;
  q->capacity *= 2;
}

static void
change (BnQueueRows *q, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class, bool entered)
{
  apply (q, &q->fresh[w], task, class, entered);
  if (q->spread.period_ns == 0 || q->spread.mode != BN_SPREAD_DELAY)
    return;
  if (!entered && q->length > 0)
    {
      const Change *last = &q->ring[(q->head + q->length - 1) & (q->capacity - 1)];
      /* only the last version of an instant is ever seen */
      if (last->entered && last->worker == w && last->time_ns == now && last->task.job_id == task->job_id
          && last->task.task == task->task)
        {
          q->length--;
          return;
        }
    }
  if (q->length == q->capacity)
    grow_ring (q);
  q->ring[(q->head + q->length++) & (q->capacity - 1)] = (Change){ now, w, (uint8_t) class, entered, *task };
}

void
bn_queue_rows_add (BnQueueRows *q, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class)
{
  change (q, w, now, task, class, true);
}

void
bn_queue_rows_remove (BnQueueRows *q, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class)
{
  change (q, w, now, task, class, false);
}

void
bn_queue_rows_catch_up (BnQueueRows *q, BnTime now)
{
  while (q->length > 0 && q->ring[q->head].time_ns <= now - q->spread.period_ns)
    {
      const Change *c = &q->ring[q->head];
      apply (q, &q->published[c->worker], &c->task, c->class, c->entered);
      q->head = (q->head + 1) & (q->capacity - 1);
      q->length--;
    }
}

void
bn_queue_rows_publish (BnQueueRows *q, uint32_t w)
{
  const BnQueueRow *from = &q->fresh[w];
  BnQueueRow *to = &q->published[w];

  if (from == to)
    return;
  make_room (to, from->n_tasks);
  to->n_tasks = from->n_tasks;
  if (from->n_tasks > 0)
    memcpy (to->tasks, from->tasks, from->n_tasks * sizeof *from->tasks);
  memcpy (to->class_ns, from->class_ns, sizeof to->class_ns);
}

const BnQueueRow *
bn_queue_rows_published (const BnQueueRows *q)
{
  return q->published;
}

void
bn_queue_rows_swap (BnQueueRows *q, uint32_t w)
{
  if (q->published == q->fresh)
    return;
  BnQueueRow row = q->published[w];
  q->published[w] = q->fresh[w];
  q->fresh[w] = row;
}
