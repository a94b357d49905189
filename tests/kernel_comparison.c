/* kernel_comparison.c: what the kernels compute, against the CPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "kernel_comparison.h"

#include <math.h>

#include "cuda_backend.h"
#include "rng.h"

/* Between floats of the order of 1 that two ways of rounding have made in a few passes. */
#define CLOSE 2e-4

static OpenGpu here;
static int64_t largest;

void
gpu_open (OpenGpu *ret)
{
  char *reason = NULL;
  GError *error = NULL;

  ret->driver = bn_cuda_driver_open (NULL, bn_cuda_image.needs_version, &reason);
  if (!ret->driver)
    g_error ("%s", reason);
  ret->gpu = bn_cuda_gpu_open (ret->driver, 0, &bn_cuda_image, &error);
  if (!ret->gpu || !bn_cuda_lane_init (&ret->lane, ret->gpu, NULL, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
}

void
gpu_close (OpenGpu *gpu)
{
  bn_cuda_lane_clear (&gpu->lane);
  bn_cuda_gpu_close (gpu->gpu);
  bn_cuda_driver_close (gpu->driver);
}

void
gpu_require (const OpenGpu *gpu, BnCuResult result)
{
  if (result != BN_CU_OK)
    g_error ("%s: %s", gpu->gpu->name, bn_cuda_driver_explain (gpu->driver, result));
}

BnCudaBlock *
gpu_put (OpenGpu *g, const float *from, int64_t n_floats)
{
  BnCuResult result;
  BnCudaBlock *block = bn_cuda_gpu_take (g->gpu, MAX (n_floats, 1) * 4, &result);

  if (block && from && n_floats > 0)
    result = g->driver->memcpy_htod_async (block->at, from, (size_t) n_floats * 4, g->lane.stream);
  gpu_require (g, bn_cuda_lane_finish (&g->lane, result));
  return block;
}

void
gpu_get (OpenGpu *g, const BnCudaBlock *block, float *to, int64_t n_floats)
{
  BnCuResult result = g->driver->memcpy_dtoh_async (to, block->at, (size_t) n_floats * 4, g->lane.stream);

  gpu_require (g, bn_cuda_lane_finish (&g->lane, result));
}

static void
are_close (const float *ours, const float *theirs, int64_t n, const char *what)
{
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg (fabsf (ours[i] - theirs[i]) <= CLOSE, "%s: float %d of %d is %g, and %g on the CPU", what, (int) i,
                   (int) n, (double) ours[i], (double) theirs[i]);
}

static BnNnBuffer
random_buffer (BnRng *rng, int64_t bytes)
{
  int64_t n = bn_nn_buffer_floats (bytes);
  BnNnBuffer buffer = { g_new (float, n), bytes };

  for (int64_t i = 0; i < n; i++)
    buffer.data[i] = (float) bn_rng_below (rng, 2001) / 1000.0f - 1.0f;
  return buffer;
}

/* One task on both. */
static void
compare (const BnNet *net, uint64_t seed, uint32_t passes, BnRng *rng, const char *what)
{
  uint32_t n_inputs = 1 + (uint32_t) bn_rng_below (rng, 3);
  BnNnBuffer inputs[3], output = { NULL, (int64_t) bn_rng_below (rng, 60000) };
  int64_t n_output = bn_nn_buffer_floats (output.bytes);
  BnCudaBlock *blocks[3];
  BnCudaInput spans[3];
  g_autofree float *weights = g_new0 (float, net->n_weights + 1);
  g_autofree float *workspace = g_new0 (float, net->workspace_floats);
  g_autofree float *ours = g_new0 (float, MAX (n_output, 2 * net->state_floats));
  char *reason = NULL;

  bn_net_fill_weights (net, seed, weights);
  BnCudaBlock *device_weights = gpu_put (&here, weights, net->n_weights);
  BnCudaBlock *device_output = gpu_put (&here, NULL, n_output);
  here.lane.workspace = gpu_put (&here, workspace, net->workspace_floats);
  for (uint32_t i = 0; i < n_inputs; i++)
    {
      inputs[i] = random_buffer (rng, (int64_t) bn_rng_below (rng, 30000));
      spans[i].n_floats = bn_nn_buffer_floats (inputs[i].bytes);
      blocks[i] = gpu_put (&here, inputs[i].data, spans[i].n_floats);
      spans[i].at = blocks[i]->at;
    }

  bn_nn_gather (net, inputs, n_inputs, workspace);
  ck_assert_int_eq (bn_cuda_launch_gather (&here.lane, net, spans, n_inputs, &reason), BN_OP_OK);
  gpu_get (&here, here.lane.workspace, ours, 2 * net->state_floats);
  are_close (ours, workspace, 2 * net->state_floats, "gathered");

  bn_nn_execute (net, BN_NN_PLAIN, weights, passes, workspace);
  ck_assert_int_eq (bn_cuda_launch_net (&here.lane, NULL, net, device_weights->at, passes, &reason), BN_OP_OK);
  gpu_get (&here, here.lane.workspace, ours, net->state_floats);
  are_close (ours, workspace, net->state_floats, what);

  output.data = g_new0 (float, n_output);
  bn_nn_scatter (net, workspace, &output);
  ck_assert_int_eq (bn_cuda_launch_scatter (&here.lane, net, device_output->at, n_output, &reason), BN_OP_OK);
  gpu_get (&here, device_output, ours, n_output);
  are_close (ours, output.data, n_output, "scattered");

  ck_assert_ptr_null (reason);
  g_free (output.data);
  for (uint32_t i = 0; i < n_inputs; i++)
    {
      g_free (inputs[i].data);
      bn_cuda_block_give (blocks[i]);
    }
  bn_cuda_block_give (device_weights);
  bn_cuda_block_give (device_output);
  bn_cuda_block_give (here.lane.workspace);
  here.lane.workspace = NULL;
}

static void
open_here (void)
{
  gpu_open (&here);
}

static void
close_here (void)
{
  gpu_close (&here);
}

/* _i: the layer type. Sizes from nothing at all to where matrices have several tiles each way. */
START_TEST (layers_of_any_size_compute_what_the_cpu_does)
{
  static const int64_t sizes_bytes[]
    = { 1, 3, 64, 1000, 4099, 20000, 66666, 131072, 300001, 700003, 3000000, 20000017, 60000000 };
  BnRng rng;

  bn_rng_init (&rng, (uint64_t) _i, "kernels");
  for (size_t s = 0; s < G_N_ELEMENTS (sizes_bytes) && sizes_bytes[s] <= largest; s++)
    {
      BnModel model = { .name = "model", .size_bytes = sizes_bytes[s], .layers = (BnLayers) _i };
      BnNet *net = bn_net_new (&model);
      g_autofree char *what = g_strdup_printf ("layers %d of %d bytes", _i, (int) sizes_bytes[s]);
      compare (net, s, 1 + (uint32_t) s % 3, &rng, what);
      bn_net_free (net);
    }
}
END_TEST

START_TEST (a_task_without_a_model_computes_what_the_cpu_does)
{
  BnNet *net = bn_net_new (NULL);
  BnRng rng;

  bn_rng_init (&rng, 1, "kernels");
  for (uint32_t passes = 1; passes < 10; passes++)
    compare (net, 0, passes, &rng, "no model");
  bn_net_free (net);
}
END_TEST

TCase *
kernel_comparison (int64_t largest_bytes, void (*before) (void), void (*after) (void))
{
  TCase *tc = tcase_create ("kernels");

  largest = largest_bytes;
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, before, after);
  tcase_add_checked_fixture (tc, open_here, close_here);
  tcase_add_loop_test (tc, layers_of_any_size_compute_what_the_cpu_does, BN_LAYERS_BURN, BN_LAYERS_TRANSFORMER + 1);
  tcase_add_test (tc, a_task_without_a_model_computes_what_the_cpu_does);
  return tc;
}
