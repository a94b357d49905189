/* model.c: the backend that takes as long as sim/cost says.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Without contention every operation completes after its formula. With `fifo`
 * contention each PCIe lane (one a device, shared by loads, write-backs and
 * intermediate results) and each direction of a server's network card serves one
 * transfer at a time, in order of asking; a transfer between workers takes the
 * sender's lane, then both network directions, then the receiver's lane, asking
 * for each when it has left the one before. What the ingress hands on of a
 * client's data takes the ingress's outgoing and the receiver's incoming direction;
 * the client's own message to the ingress takes neither.
 *
 * With measured times (measured.h) it models a machine that really executes tasks:
 * copies take what copies took there, executions and copies slow each other down
 * (sharing.h), a load may have to make itself a hole (layout.h), the first run of a model
 * after its load takes a time of its own, and the run hears of an end a little later. Links have no
 * lines then: where copies wait for each other was measured with them.
 */
#include <glib.h>

#include "backend.h"
#include "layout.h"
#include "pace.h"
#include "panic.h"
#include "sharing.h"

typedef struct Model
{
  const BnPlatform *platform;
  const BnCost *cost;
  BnSink *sink;
  bool fifo;
  const BnMeasured *measured;  /* or NULL; the next three are for it only */
  BnLayout *layout;
  BnSharing *sharing;
  uint8_t *cold;               /* [worker * n_models + model]: loaded, and not run since */
  BnTime *lane_free_ns;  /* [n_workers] */
  BnTime *out_free_ns;   /* [n_servers] */
  BnTime *in_free_ns;    /* [n_servers] */
} Model;

/* scratch[0] of a transfer under contention: the stage it is in. */
enum
{
  STAGE_SENDER_LANE,
  STAGE_NETWORK,
  STAGE_RECEIVER_LANE
};

static void *
model_open (const BnBackendSetup *setup, GError **error G_GNUC_UNUSED)
{
  Model *model = g_new0 (Model, 1);

  model->platform = setup->platform;
  model->cost = setup->cost;
  model->sink = setup->sink;
  model->fifo = setup->contention_fifo;
  model->measured = setup->settings->measured;
  if (model->measured)
    {
      model->layout = bn_layout_new (setup->platform, setup->catalogue);
      model->sharing = bn_sharing_new (setup->sink, model->measured);
      model->cold = g_new0 (uint8_t, (gsize) setup->platform->n_workers * setup->catalogue->n_models + 1);
    }
  model->lane_free_ns = g_new0 (BnTime, setup->platform->n_workers);
  model->out_free_ns = g_new0 (BnTime, setup->platform->n_servers);
  model->in_free_ns = g_new0 (BnTime, setup->platform->n_servers);
  return model;
}

static void
model_close (void *state, bool abandon G_GNUC_UNUSED)
{
  Model *model = state;

  if (model->sharing)
    bn_sharing_free (model->sharing);
  bn_layout_free (model->layout);
  g_free (model->cold);
  g_free (model->lane_free_ns);
  g_free (model->out_free_ns);
  g_free (model->in_free_ns);
  g_free (model);
}

/* Takes a resource for `duration` from now or from when it is free.
 * Returns: the end. */
static BnTime
take (BnTime *free_ns, BnTime now, BnDuration duration)
{
  *free_ns = bn_time_add (bn_time_max (*free_ns, now), duration);
  return *free_ns;
}

/* The same for two resources at once. */
static BnTime
take_both (BnTime *a_free_ns, BnTime *b_free_ns, BnTime now, BnDuration duration)
{
  *a_free_ns = *b_free_ns = bn_time_add (bn_time_max (now, bn_time_max (*a_free_ns, *b_free_ns)), duration);
  return *a_free_ns;
}

static void
use_lane (Model *model, BnOp *op, BnDuration duration)
{
  BnTime now = model->sink->now (model->sink);

  model->sink->complete_at (model->sink, op,
                            model->fifo ? take (&model->lane_free_ns[op->worker], now, duration)
                                        : bn_time_add (now, duration));
}

/* ---- with measured times ---- */

static uint8_t *
coldness (const Model *model, const BnOp *op)
{
  return &model->cold[(gsize) op->worker * model->cost->n_models + (uint32_t) op->model];
}

static void
complete_after (Model *model, BnOp *op, BnDuration duration)
{
  BnTime now = model->sink->now (model->sink);

  model->sink->complete_at (model->sink, op, bn_time_add (now, bn_time_add (duration, model->measured->wake_ns)));
}

/* At least, where copies are paced. */
static BnDuration
paced (const Model *model, const BnOp *op, BnDuration duration)
{
  return model->measured->paced ? MAX (duration, bn_pace_ns (model->cost, op)) : duration;
}

/* With what must be moved for it, as fast as it is copied itself. */
static BnDuration
measured_load_ns (Model *model, const BnOp *op)
{
  const BnMeasuredCopy *load = &model->measured->load;
  BnMeasuredCopy move = { 0, load->bytes_per_s };
  int64_t moved_bytes = bn_layout_put (model->layout, op->worker, (uint32_t) op->model);

  return bn_time_add (bn_measured_copy (load, op->bytes), bn_measured_copy (&move, moved_bytes));
}

static void
start_measured_run (Model *model, BnOp *op, BnDuration true_runtime_ns)
{
  const BnWorkflow *wf = op->task->job->workflow;
  BnDuration work_ns = true_runtime_ns;

  if (op->model != BN_NONE)
    {
      BnDuration more_ns = model->measured->cold_ns[wf->first_task + bn_task_number (op->task)];
      if (*coldness (model, op))
        work_ns = more_ns < 0 ? MAX (work_ns + more_ns, 0) : bn_time_add (work_ns, more_ns);
      *coldness (model, op) = false;
    }
  bn_sharing_begin (model->sharing, op, work_ns);
}

/* ---- operations ---- */

static void
model_start_load (void *state, BnOp *op)
{
  Model *model = state;

  if (model->measured)
    {
      *coldness (model, op) = true;
      op->scratch[0] = paced (model, op, 0);
      bn_sharing_begin (model->sharing, op, measured_load_ns (model, op));
      return;
    }
  use_lane (model, op, bn_cost_load (model->cost, (uint32_t) op->model, op->worker));
}

static void
model_start_evict (void *state, BnOp *op)
{
  Model *model = state;
  uint32_t type = model->platform->workers[op->worker].type;

  if (model->measured)
    {
      bn_layout_take_out (model->layout, op->worker, (uint32_t) op->model);
      op->scratch[0] = paced (model, op, 0);
      bn_sharing_begin (model->sharing, op, bn_measured_copy (&model->measured->evict, op->bytes));
      return;
    }
  use_lane (model, op, model->cost->evict_ns[(uint64_t) type * model->cost->n_models + (uint32_t) op->model]);
}

static BnDuration
pcie_part (const Model *model, const BnOp *op, uint32_t worker)
{
  uint32_t type = model->platform->workers[worker].type;
  uint64_t task = op->task->job->workflow->first_task + (uint32_t) op->pred;

  return model->cost->output_pcie_ns[(uint64_t) type * model->cost->n_tasks + task];
}

/* One stage of a transfer has its resource until the returned time. */
static BnTime
enter_stage (Model *model, BnOp *op, BnTime now)
{
  uint32_t to = model->platform->workers[op->worker].server;

  if (op->pred == BN_NONE)
    {
      int32_t at = op->from_worker == BN_NONE ? op->task->job->ingress : op->from_worker;
      uint32_t ingress = model->platform->workers[at].server;
      BnDuration way = bn_cost_input (model->cost, op->task->job->workflow, bn_task_number (op->task));
      return take_both (&model->out_free_ns[ingress], &model->in_free_ns[to], now, way);
    }
  uint32_t from = model->platform->workers[op->from_worker].server;
  switch (op->scratch[0])
    {
    case STAGE_SENDER_LANE:
      return take (&model->lane_free_ns[op->from_worker], now, pcie_part (model, op, (uint32_t) op->from_worker));
    case STAGE_RECEIVER_LANE:
      return take (&model->lane_free_ns[op->worker], now, pcie_part (model, op, op->worker));
    default:
      {
        uint64_t task = op->task->job->workflow->first_task + (uint32_t) op->pred;
        return take_both (&model->out_free_ns[from], &model->in_free_ns[to], now, model->cost->output_net_ns[task]);
      }
    }
}

static void
model_step (void *state, BnOp *op)
{
  Model *model = state;
  BnTime now = model->sink->now (model->sink);

  if (model->measured)
    {
      bn_sharing_end (model->sharing, op);
      complete_after (model, op, MAX (bn_time_add (op->start_ns, op->scratch[0]) - now, 0));
      return;
    }
  const BnWorkerInfo *workers = model->platform->workers;
  bool same_server = op->from_worker != BN_NONE && workers[op->from_worker].server == workers[op->worker].server;

  op->scratch[0] = op->scratch[0] == STAGE_SENDER_LANE && !same_server ? STAGE_NETWORK : STAGE_RECEIVER_LANE;
  BnTime end = enter_stage (model, op, now);
  if (op->scratch[0] == STAGE_RECEIVER_LANE)
    model->sink->complete_at (model->sink, op, end);
  else
    model->sink->step_at (model->sink, op, end);
}

static void
model_start_transfer (void *state, BnOp *op)
{
  Model *model = state;
  const BnWorkflow *wf = op->task->job->workflow;
  BnTime now = model->sink->now (model->sink);

  if (model->measured)
    {
      complete_after (model, op, paced (model, op, bn_measured_copy (&model->measured->transfer, op->bytes)));
      return;
    }
  if (model->fifo)
    {
      op->scratch[0] = STAGE_SENDER_LANE;
      BnTime end = enter_stage (model, op, now);
      if (op->pred == BN_NONE)
        model->sink->complete_at (model->sink, op, end);
      else
        model->sink->step_at (model->sink, op, end);
      return;
    }
  BnDuration duration;
  if (op->pred == BN_NONE)
    duration = bn_cost_input (model->cost, wf, bn_task_number (op->task));
  else
    duration = bn_cost_g2g (model->cost, wf, (uint32_t) op->pred, (uint32_t) op->from_worker, op->worker);
  model->sink->complete_at (model->sink, op, bn_time_add (now, duration));
}

static void
model_start_run (void *state, BnOp *op)
{
  Model *model = state;
  const BnWorkflow *wf = op->task->job->workflow;
  BnDuration profile = bn_cost_runtime (model->cost, wf, bn_task_number (op->task), op->worker);

  if (model->measured && model->measured->runtime_ns)
    profile = model->measured->runtime_ns[wf->first_task + bn_task_number (op->task)];
  BN_ASSERT (op->n_tasks == 1);
  if (model->measured)
    {
      start_measured_run (model, op, bn_cost_true_runtime (profile, op->task->factor));
      return;
    }
  model->sink->complete_at (model->sink, op,
                            bn_time_add (model->sink->now (model->sink),
                                         bn_cost_true_runtime (profile, op->task->factor)));
}

static void
model_drop (void *state, uint32_t worker, uint32_t dropped)
{
  Model *model = state;

  if (model->measured)
    bn_layout_take_out (model->layout, worker, dropped);
}

const BnBackend bn_model_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "model",
  .summary = "a virtual clock: every operation takes as long as the cost model says",
  .capabilities = BN_BACKEND_VIRTUAL_TIME | BN_BACKEND_WRITEBACK,
  .open = model_open,
  .close = model_close,
  .start_load = model_start_load,
  .start_evict = model_start_evict,
  .start_transfer = model_start_transfer,
  .start_run = model_start_run,
  .step = model_step,
  .drop = model_drop,
};
