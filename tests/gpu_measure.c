/* gpu_measure.c: what the GPU of this machine does: copies, launches, products, passes of every layer
 * type. Prints a table; tests/gpu/run shows it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each figure is the median of several repetitions on the wall clock of the thread that submits
 * and waits, after one that is not counted. With BN_GPU_SMALL=1, sizes are what the fake driver can
 * bear, and the figures mean nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host_memory.h"
#include "kernel_comparison.h"

enum
{
  N_REPETITIONS = 9,
  MIB = 1 << 20
};

typedef struct Measure
{
  OpenGpu open;
  BnCudaBlas *blas;
  bool is_small;
} Measure;

/* Something to be submitted. */
typedef void (*Submit) (Measure *m, void *what);

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Seconds from submitting until it is done. */
static double
median_s (Measure *m, Submit submit, void *what)
{
  double seconds[N_REPETITIONS];

  for (int i = -1; i < N_REPETITIONS; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      submit (m, what);
      gpu_require (&m->open, bn_cuda_lane_finish (&m->open.lane, BN_CU_OK));
      if (i >= 0)
        seconds[i] = (double) (g_get_monotonic_time () - start_us) / 1e6;
    }
  qsort (seconds, N_REPETITIONS, sizeof *seconds, compare_doubles);
  return MAX (seconds[N_REPETITIONS / 2], 1e-9);
}

/* ---- copies ---- */

typedef struct Copy
{
  void *host;
  BnCudaBlock *device;
  int64_t bytes;
  bool is_out;
} Copy;

static void
submit_copy (Measure *m, void *what)
{
  const BnCudaDriver *driver = m->open.driver;
  const Copy *copy = what;
  BnCuResult result;

  if (copy->is_out)
    result = driver->memcpy_dtoh_async (copy->host, copy->device->at, (size_t) copy->bytes, m->open.lane.stream);
  else
    result = driver->memcpy_htod_async (copy->device->at, copy->host, (size_t) copy->bytes, m->open.lane.stream);
  gpu_require (&m->open, result);
}

static void
measure_copies (Measure *m, bool is_pinned)
{
  int64_t most_bytes = (m->is_small ? 1 : 256) * (int64_t) MIB;
  Copy copy = { .host = bn_host_alloc (most_bytes), .device = gpu_put (&m->open, NULL, most_bytes / 4) };
  const char *kind = is_pinned ? "pinned" : "pageable";

  if (!copy.host)
    g_error ("no host memory to copy");
  if (is_pinned && !bn_cuda_pin (m->open.driver, copy.host, most_bytes))
    {
      printf ("copies, pinned                 not measured: the driver does not pin\n");
      bn_host_free (copy.host, most_bytes);
      bn_cuda_block_give (copy.device);
      return;
    }
  for (copy.bytes = 4096; copy.bytes <= most_bytes; copy.bytes *= 16)
    {
      copy.is_out = false;
      double in_s = median_s (m, submit_copy, &copy);
      copy.is_out = true;
      double out_s = median_s (m, submit_copy, &copy);
      printf ("copy %8" PRId64 " kB, %-8s   in %8.3f GB/s %10.1f us   out %8.3f GB/s %10.1f us\n", copy.bytes / 1000,
              kind, (double) copy.bytes / in_s / 1e9, in_s * 1e6, (double) copy.bytes / out_s / 1e9, out_s * 1e6);
    }
  if (is_pinned)
    bn_cuda_unpin (m->open.driver, copy.host);
  bn_host_free (copy.host, most_bytes);
  bn_cuda_block_give (copy.device);
}

/* ---- launches ---- */

static void
submit_nets (Measure *m, void *what)
{
  char *reason = NULL;

  if (bn_cuda_launch_net (&m->open.lane, NULL, what, 0, 1, &reason) != BN_OP_OK)
    g_error ("%s", reason);
}

static void
measure_launches (Measure *m)
{
  static const uint32_t counts[] = { 1, 1000 };
  BnNnOp ops[1000];
  double seconds[2];

  for (uint32_t i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = (BnNnOp){ .kind = BN_NN_ADD, .rows = 1, .cols = 1, .scale = 1.0f, .x = 0, .y = 0, .z = 1, .w = -1,
                       .v = -1 };
  m->open.lane.workspace = gpu_put (&m->open, (float[]){ 0.0f, 0.0f }, 2);
  for (int i = 0; i < 2; i++)
    {
      BnNet net = { .ops = ops, .n_ops = counts[i] };
      seconds[i] = median_s (m, submit_nets, &net);
    }
  printf ("one launch and its event       %10.1f us\n", seconds[0] * 1e6);
  printf ("each more launch               %10.2f us\n", (seconds[1] - seconds[0]) / 999 * 1e6);
  bn_cuda_block_give (m->open.lane.workspace);
  m->open.lane.workspace = NULL;
}

/* ---- products and passes ---- */

typedef struct Work
{
  const BnNet *net;
  CUdeviceptr weights;
  const BnCudaBlas *blas;
} Work;

static void
submit_work (Measure *m, void *what)
{
  const Work *work = what;
  char *reason = NULL;

  if (bn_cuda_launch_net (&m->open.lane, work->blas, work->net, work->weights, 1, &reason) != BN_OP_OK)
    g_error ("%s", reason);
}

/* One pass with each of the two ways to multiply. */
static void
measure_net (Measure *m, const BnNet *net, const char *name)
{
  BnCudaBlock *weights = gpu_put (&m->open, NULL, net->n_weights);
  Work work = { net, weights->at, NULL };

  m->open.lane.workspace = gpu_put (&m->open, NULL, net->workspace_floats);
  double own_s = median_s (m, submit_work, &work);
  printf ("%-30s own kernels %10.1f us %10.1f GFLOP/s", name, own_s * 1e6, net->flops / own_s / 1e9);
  work.blas = m->blas;
  if (m->blas)
    {
      double blas_s = median_s (m, submit_work, &work);
      printf ("   cuBLAS %10.1f us %10.1f GFLOP/s", blas_s * 1e6, net->flops / blas_s / 1e9);
    }
  printf ("\n");
  bn_cuda_block_give (m->open.lane.workspace);
  bn_cuda_block_give (weights);
  m->open.lane.workspace = NULL;
}

static void
measure_products (Measure *m)
{
  for (uint32_t size = 64; size <= (m->is_small ? 128u : 4096u); size *= m->is_small ? 2 : 4)
    {
      BnNnOp op = { .kind = BN_NN_MATMUL, .rows = BN_NN_ROWS, .cols = size, .inner = size, .x = 0,
                    .y = (int64_t) BN_NN_ROWS * size, .z = -1, .w = 0, .v = -1 };
      BnNet net = { .n_weights = (int64_t) size * size, .workspace_floats = (int64_t) 2 * BN_NN_ROWS * size,
                    .flops = 2.0 * BN_NN_ROWS * size * size, .n_ops = 1, .ops = &op };
      g_autofree char *name = g_strdup_printf ("product %d x %u x %u", BN_NN_ROWS, size, size);
      measure_net (m, &net, name);
    }
}

static void
measure_passes (Measure *m)
{
  static const char *const names[] = { "burn", "mlp", "conv", "lstm", "transformer" };

  for (int64_t mb = 5; mb <= (m->is_small ? 5 : 500); mb *= 10)
    for (uint32_t layers = 0; layers < G_N_ELEMENTS (names); layers++)
      {
        BnModel model = { .size_bytes = m->is_small ? 100000 : mb * 1000000, .layers = (BnLayers) layers };
        BnNet *net = bn_net_new (&model);
        g_autofree char *name = g_strdup_printf ("pass of %s, %" PRId64 " kB", names[layers], model.size_bytes / 1000);
        measure_net (m, net, name);
        bn_net_free (net);
      }
}

int
main (void)
{
  Measure m = { .is_small = g_strcmp0 (g_getenv ("BN_GPU_SMALL"), "1") == 0 };
  GError *error = NULL;

  setvbuf (stdout, NULL, _IOLBF, 0);
  gpu_open (&m.open);
  m.blas = bn_cuda_blas_open (&error);
  if (error)
    g_error ("%s", error->message);
  if (m.blas && bn_cuda_blas_new_handle (m.blas, m.open.lane.stream, &m.open.lane.blas) != 0)
    g_error ("%s does not start", bn_cuda_blas_name (m.blas));
  printf ("%s, driver for CUDA %d.%d, cuBLAS: %s\n", m.open.gpu->name, m.open.driver->version / 1000,
          m.open.driver->version % 1000 / 10, m.blas ? bn_cuda_blas_name (m.blas) : "none");
  measure_copies (&m, true);
  measure_copies (&m, false);
  measure_launches (&m);
  measure_products (&m);
  measure_passes (&m);
  if (m.blas)
    bn_cuda_blas_free_handle (m.blas, m.open.lane.blas);
  bn_cuda_blas_close (m.blas);
  gpu_close (&m.open);
  return EXIT_SUCCESS;
}
