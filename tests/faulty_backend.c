/* faulty_backend.c: the model backend with faults, for tests of what a run does about them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "faulty_backend.h"

typedef struct Faulty
{
  void *model;
  BnSink *sink;
  uint32_t n_workers;
  uint8_t *lost;        /* [n_workers] */
  uint32_t *n_started;  /* [fault]: operations that it counts */
} Faulty;

static struct
{
  const Fault *faults;
  uint32_t n, n_drops, n_jobs_over;
} script;

/* What an operation that is to fail fails with, kept until its time. */
enum
{
  SCRATCH_STATUS = 1
};

void
faulty_backend_set (const Fault *faults, uint32_t n)
{
  script.faults = faults;
  script.n = n;
  script.n_drops = script.n_jobs_over = 0;
}

uint32_t
faulty_backend_drops (void)
{
  return script.n_drops;
}

uint32_t
faulty_backend_jobs_over (void)
{
  return script.n_jobs_over;
}

static void *
faulty_open (const BnBackendSetup *setup, GError **error)
{
  Faulty *f = g_new0 (Faulty, 1);

  f->model = bn_model_backend.open (setup, error);
  f->sink = setup->sink;
  f->n_workers = setup->platform->n_workers;
  f->lost = g_new0 (uint8_t, f->n_workers);
  f->n_started = g_new0 (uint32_t, script.n + 1);
  return f;
}

static void
faulty_close (void *state, bool abandon)
{
  Faulty *f = state;

  bn_model_backend.close (f->model, abandon);
  g_free (f->lost);
  g_free (f->n_started);
  g_free (f);
}

/* Whether the script or a lost device makes it fail. */
static bool
fails (Faulty *f, BnOp *op)
{
  const Fault *fault = NULL;
  BnOpStatus status = BN_OP_DEVICE_LOST;
  BnDuration after_ns = 0;

  for (uint32_t i = 0; i < script.n; i++)
    {
      const Fault *x = &script.faults[i];
      if (x->kind != op->kind || (x->worker != BN_NONE && (uint32_t) x->worker != op->worker))
        continue;
      uint32_t number = ++f->n_started[i];
      if (number >= x->first && number - x->first < x->n)
        fault = x;
    }
  if (!fault && !f->lost[op->worker])
    return false;
  if (!f->lost[op->worker])
    {
      status = fault->status;
      after_ns = fault->after_ns;
    }
  op->scratch[SCRATCH_STATUS] = (int64_t) status;
  op->reason = g_strdup ("as the test wants it");
  f->sink->step_at (f->sink, op, bn_time_add (f->sink->now (f->sink), after_ns));
  return true;
}

static void
faulty_step (void *state, BnOp *op)
{
  Faulty *f = state;
  BnOpStatus status = (BnOpStatus) op->scratch[SCRATCH_STATUS];

  if (op->scratch[SCRATCH_STATUS] == BN_OP_OK)
    {
      bn_model_backend.step (f->model, op);
      return;
    }
  f->lost[op->worker] |= status == BN_OP_DEVICE_LOST;
  f->sink->complete (f->sink, op, status);
}

static void
faulty_start_load (void *state, BnOp *op)
{
  Faulty *f = state;

  if (!fails (f, op))
    bn_model_backend.start_load (f->model, op);
}

static void
faulty_start_evict (void *state, BnOp *op)
{
  Faulty *f = state;

  if (!fails (f, op))
    bn_model_backend.start_evict (f->model, op);
}

static void
faulty_start_transfer (void *state, BnOp *op)
{
  Faulty *f = state;

  if (!fails (f, op))
    bn_model_backend.start_transfer (f->model, op);
}

static void
faulty_start_run (void *state, BnOp *op)
{
  Faulty *f = state;

  if (!fails (f, op))
    bn_model_backend.start_run (f->model, op);
}

static void
faulty_drop (void *state, uint32_t worker, uint32_t model)
{
  (void) state;
  (void) worker;
  (void) model;
  script.n_drops++;
}

static void
faulty_job_over (void *state, const BnJob *job)
{
  (void) state;
  (void) job;
  script.n_jobs_over++;
}

const BnBackend faulty_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "faulty",
  .summary = "the model, with faults",
  .capabilities = BN_BACKEND_VIRTUAL_TIME | BN_BACKEND_WRITEBACK,
  .open = faulty_open,
  .close = faulty_close,
  .start_load = faulty_start_load,
  .start_evict = faulty_start_evict,
  .start_transfer = faulty_start_transfer,
  .start_run = faulty_start_run,
  .step = faulty_step,
  .drop = faulty_drop,
  .job_over = faulty_job_over,
};
