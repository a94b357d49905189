/* cuda_proxy.c: the backend cuda as the program lists it: whatever is asked of it, its module does.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * So it is listed everywhere, and says why where it cannot be used.
 */
#include <gio/gio.h>

#include "module.h"

#ifdef BN_WITH_CUDA
#define BUILT true
#else
#define BUILT false
#endif

typedef struct Proxy
{
  const BnBackend *real;
  void *state;
} Proxy;

static const BnBackend *
find_module (char **reason)
{
  if (BUILT)
    return bn_module_backend ("cuda", reason);
  *reason = g_strdup ("not built: there was no nvcc when this program was configured");
  return NULL;
}

static char *
proxy_unavailable (void)
{
  char *reason = NULL;
  const BnBackend *real = find_module (&reason);

  return real ? real->unavailable () : reason;
}

static uint32_t
proxy_devices (BnBackendDevice *ret, uint32_t n)
{
  g_autofree char *reason = NULL;
  const BnBackend *real = find_module (&reason);

  return real ? real->devices (ret, n) : 0;
}

static void *
proxy_open (const BnBackendSetup *setup, GError **error)
{
  g_autofree char *reason = NULL;
  const BnBackend *real = find_module (&reason);

  if (!real)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, reason);
      return NULL;
    }
  void *state = real->open (setup, error);
  if (!state)
    return NULL;
  Proxy *proxy = g_new (Proxy, 1);
  *proxy = (Proxy){ real, state };
  return proxy;
}

static void
proxy_close (void *state, bool abandon)
{
  Proxy *proxy = state;

  proxy->real->close (proxy->state, abandon);
  g_free (proxy);
}

static char *
proxy_describe (void *state)
{
  Proxy *proxy = state;

  return proxy->real->describe (proxy->state);
}

static void
proxy_start_load (void *state, BnOp *op)
{
  Proxy *proxy = state;

  proxy->real->start_load (proxy->state, op);
}

static void
proxy_start_evict (void *state, BnOp *op)
{
  Proxy *proxy = state;

  proxy->real->start_evict (proxy->state, op);
}

static void
proxy_start_transfer (void *state, BnOp *op)
{
  Proxy *proxy = state;

  proxy->real->start_transfer (proxy->state, op);
}

static void
proxy_start_run (void *state, BnOp *op)
{
  Proxy *proxy = state;

  proxy->real->start_run (proxy->state, op);
}

static void
proxy_drop (void *state, uint32_t worker, uint32_t model)
{
  Proxy *proxy = state;

  proxy->real->drop (proxy->state, worker, model);
}

static void
proxy_job_over (void *state, const BnJob *job)
{
  Proxy *proxy = state;

  proxy->real->job_over (proxy->state, job);
}

static void
proxy_cancel (void *state, BnOp *op)
{
  Proxy *proxy = state;

  proxy->real->cancel (proxy->state, op);
}

const BnBackend bn_cuda_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "cuda",
  .summary = "NVIDIA GPUs: models are loaded into their memory and computed with",
  .capabilities = BN_BACKEND_WRITEBACK | BN_BACKEND_COMPUTES,
  .open = proxy_open,
  .close = proxy_close,
  .describe = proxy_describe,
  .start_load = proxy_start_load,
  .start_evict = proxy_start_evict,
  .start_transfer = proxy_start_transfer,
  .start_run = proxy_start_run,
  .drop = proxy_drop,
  .job_over = proxy_job_over,
  .cancel = proxy_cancel,
  .unavailable = proxy_unavailable,
  .devices = proxy_devices,
};
