/* free_at.c: what a task would wait for at a worker.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "free_at.h"

/* What the model of catalogue task `task` would cost at w by w's row; 0 unless the
 * order's key reads it. */
static BnDuration
load_read (const BnFreeAt *f, const BnView *view, uint32_t w, uint32_t task)
{
  int32_t model = f->order->reads_load ? f->cost->task_model[task] : BN_NONE;

  return model == BN_NONE || bn_view_holds (view, w, (uint32_t) model) ? 0
                                                                       : bn_cost_load (f->cost, (uint32_t) model, w);
}

static double
key_at (const BnFreeAt *f, const BnView *view, uint32_t w, BnTime now, const BnQueuedTask *task)
{
  return f->order->key (task, now, load_read (f, view, w, task->task), f->cost, f->settings);
}

BnNewcomer
bn_newcomer (const BnFreeAt *f, const BnJob *job, uint32_t task, BnTime now)
{
  BnNewcomer newcomer = { .task = { .job_id = job->id, .create_ns = job->create_ns, .enqueue_ns = now,
                                    .task = job->workflow->first_task + task,
                                    .priority = job->tasks[task].priority } };

  if (f->mode != BN_FT_QUEUE && f->order->key)
    newcomer.key = f->order->key (&newcomer.task, now, 0, f->cost, f->settings);
  return newcomer;
}

/* The runtimes queued at w that go before the newcomer. */
static BnDuration
ahead_of (const BnFreeAt *f, const BnView *view, uint32_t w, BnTime now, double key)
{
  const BnQueueRow *row = &view->queues[w];
  BnDuration sum = 0;

  if (!f->order->key)
    return view->backlog_ns[w];
  if (f->mode == BN_FT_CLASSES)
    {
      uint32_t class = bn_queue_class (f->classes, key);
      for (uint32_t i = 0; i < class; i++)
        sum += row->class_ns[i];
      return sum + row->class_ns[class] / 2;
    }
  for (uint32_t i = 0; i < row->n_tasks; i++)
    if (key_at (f, view, w, now, &row->tasks[i]) <= key)
      sum += row->tasks[i].estimate_ns;
  return sum;
}

/* When w has done what goes before the newcomer of what its row shows. */
static BnTime
row_free_at (const BnFreeAt *f, const BnView *view, uint32_t w, BnTime now, double key)
{
  const BnPlatform *platform = f->cost->platform;
  BnDuration late_ns = f->overrun > 0 ? (BnDuration) (f->overrun * (double) bn_view_overrun (view, w, now)) : 0;
  BnTime t = bn_time_max (view->slot_free_ns[w], now) + late_ns;

  if (f->mode == BN_FT_QUEUE)
    return bn_view_row_free_at (view, w, now) + late_ns;
  if (view->backlog_ns[w] == 0)
    return t;
  BnDuration ahead = ahead_of (f, view, w, now, key);
  BnDuration others = (BnDuration) (f->behind * (double) (view->backlog_ns[w] - ahead));
  return t + (ahead + others) / platform->types[platform->workers[w].type].slots;
}

BnTime
bn_free_at (const BnFreeAt *f, const BnView *view, uint32_t w, BnTime now, BnTime at_ns, const BnNewcomer *newcomer)
{
  bool by_key = f->mode != BN_FT_QUEUE && f->order->key;
  double key = by_key && f->order->reads_load ? key_at (f, view, w, now, &newcomer->task) : newcomer->key;
  BnTime t = row_free_at (f, view, w, now, key);

  if (!view->reserved)
    return t;
  for (const BnReservation *r = view->reserved[w]; r; r = r->next_here)
    {
      if (!bn_view_knows (view, r, now) || (by_key && key_at (f, view, w, now, &r->task) > key))
        continue;
      /* by entry only who queues before it goes before it */
      if (r->task.enqueue_ns > (by_key ? bn_time_max (at_ns, t) : at_ns))
        break;
      t = bn_time_max (t, r->task.enqueue_ns) + r->amount_ns;
    }
  return t;
}
