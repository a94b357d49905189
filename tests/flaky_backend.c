/* flaky_backend.c: a real backend with random faults, for soaks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flaky_backend.h"

#include "rng.h"

typedef struct Flaky
{
  void *inner;
  BnSink *sink;
  BnRng rng;
  uint32_t n_ops;
} Flaky;

static struct
{
  const FlakyScript *script;
  uint32_t n_failures;
} shared;

void
flaky_backend_set (const FlakyScript *script)
{
  shared.script = script;
  shared.n_failures = 0;
}

uint32_t
flaky_backend_failures (void)
{
  return shared.n_failures;
}

static void *
flaky_open (const BnBackendSetup *setup, GError **error)
{
  void *inner = shared.script->inner->open (setup, error);

  if (!inner)
    return NULL;
  Flaky *f = g_new0 (Flaky, 1);
  f->inner = inner;
  f->sink = setup->sink;
  bn_rng_init (&f->rng, shared.script->seed, "flaky");
  return f;
}

static void
flaky_close (void *state, bool abandon)
{
  Flaky *f = state;

  shared.script->inner->close (f->inner, abandon);
  g_free (f);
}

/* Whether a fault meets the operation, which is over then. What is under way when the
 * device is lost still comes to its end. */
static bool
is_met (Flaky *f, BnOp *op)
{
  const FlakyScript *s = shared.script;
  BnOpStatus status = BN_OP_OK;
  double draw = bn_rng_uniform (&f->rng);

  f->n_ops++;
  if (s->lose_after > 0 && f->n_ops > s->lose_after && op->worker == 0)
    status = BN_OP_DEVICE_LOST;
  else if (op->kind == BN_OP_LOAD && draw < s->p_no_memory)
    status = BN_OP_OUT_OF_MEMORY;
  else if (draw > 1 - s->p_failed)
    status = BN_OP_FAILED;
  if (status == BN_OP_OK)
    return false;
  shared.n_failures++;
  op->reason = g_strdup ("as the soak wants it");
  f->sink->complete (f->sink, op, status);
  return true;
}

static void
flaky_start_load (void *state, BnOp *op)
{
  Flaky *f = state;

  if (!is_met (f, op))
    shared.script->inner->start_load (f->inner, op);
}

static void
flaky_start_evict (void *state, BnOp *op)
{
  Flaky *f = state;

  if (!is_met (f, op))
    shared.script->inner->start_evict (f->inner, op);
}

static void
flaky_start_transfer (void *state, BnOp *op)
{
  Flaky *f = state;

  if (!is_met (f, op))
    shared.script->inner->start_transfer (f->inner, op);
}

static void
flaky_start_run (void *state, BnOp *op)
{
  Flaky *f = state;

  if (!is_met (f, op))
    shared.script->inner->start_run (f->inner, op);
}

static void
flaky_drop (void *state, uint32_t worker, uint32_t model)
{
  Flaky *f = state;

  if (shared.script->inner->drop)
    shared.script->inner->drop (f->inner, worker, model);
}

static void
flaky_job_over (void *state, const BnJob *job)
{
  Flaky *f = state;

  if (shared.script->inner->job_over)
    shared.script->inner->job_over (f->inner, job);
}

const BnBackend flaky_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "flaky",
  .summary = "a real backend with random faults",
  .capabilities = BN_BACKEND_WRITEBACK | BN_BACKEND_COMPUTES,
  .open = flaky_open,
  .close = flaky_close,
  .start_load = flaky_start_load,
  .start_evict = flaky_start_evict,
  .start_transfer = flaky_start_transfer,
  .start_run = flaky_start_run,
  .drop = flaky_drop,
  .job_over = flaky_job_over,
};
