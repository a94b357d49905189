/* data.c: weights, inputs and outputs: how they are made, gathered, scattered and told apart.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "arith.h"
#include "nn.h"
#include "panic.h"

int64_t
bn_nn_buffer_floats (int64_t bytes)
{
  int64_t n = bytes / (int64_t) sizeof (float);

  return n < BN_NN_MIN_FLOATS ? BN_NN_MIN_FLOATS : n;
}

/* ret[0 .. n-1] = mean + half_range * numbers at .. at + n-1 of the stream; two numbers a word
 * where words lie within. */
static void
fill (uint64_t key, int64_t at, int64_t n, float mean, float half_range, float *ret)
{
  int64_t i = 0;

  if (n > 0 && (at & 1))
    ret[i++] = mean + half_range * bn_nn_uniform_at (key, at);
  for (; i + 1 < n; i += 2)
    {
      uint64_t word = bn_nn_word (key, (uint64_t) (at + i) >> 1);
      ret[i] = mean + half_range * bn_nn_uniform ((uint32_t) word);
      ret[i + 1] = mean + half_range * bn_nn_uniform ((uint32_t) (word >> 32));
    }
  if (i < n)
    ret[i] = mean + half_range * bn_nn_uniform_at (key, at + i);
}

void
bn_net_fill_weights (const BnNet *net, uint64_t seed, float *weights)
{
  uint64_t key = bn_nn_weights_key (seed);

  for (uint32_t i = 0; i < net->n_inits; i++)
    {
      const BnNnInit *init = &net->inits[i];
      fill (key, init->at, init->n_floats, init->mean, init->half_range, weights + init->at);
    }
}

void
bn_nn_client_input (uint64_t run_seed, int64_t job_id, uint32_t task, BnNnBuffer *ret)
{
  fill (bn_nn_client_key (run_seed, job_id, task), 0, bn_nn_buffer_floats (ret->bytes), 0.0f, BN_NN_SQRT_3,
        ret->data);
}

/* How many of 0 .. n-1 are r modulo m, for r < m <= n. */
static int64_t
n_congruent (int64_t n, int64_t m, int64_t r)
{
  return (n - r - 1) / m + 1;
}

/* sums[at mod m] += x[0] * sign (at), and so on with the places that follow. */
static void
add_signed (const float *x, int64_t n, int64_t at, int64_t m, float *sums)
{
  for (int64_t i = 0; i < n;)
    {
      int64_t r = (at + i) % m;
      int64_t stretch = m - r < n - i ? m - r : n - i;
#pragma omp simd
      for (int64_t k = 0; k < stretch; k++)
        sums[r + k] += x[i + k] * bn_nn_sign (at + i + k);
      i += stretch;
    }
}

/* m sums of n signed terms altogether become what gather and scatter say: they are divided by the
 * root of how many terms they have, or, where there are fewer terms than places, repeated. */
static void
finish_sums (int64_t n, int64_t m, float *sums)
{
  for (int64_t r = 0; r < m && n > m; r++)
    sums[r] *= 1.0f / sqrtf ((float) n_congruent (n, m, r));
  if (n >= m)
    return;
  for (int64_t i = 0; i < n; i++)
    sums[i] *= bn_nn_sign (i);
  for (int64_t at = n; at < m; at += n)
    {
      int64_t stretch = m - at < n ? m - at : n;
#pragma omp simd
      for (int64_t k = 0; k < stretch; k++)
        sums[at + k] = sums[k] * bn_nn_repeat_sign (at + k);
    }
  for (int64_t i = 0; i < n; i++)
    sums[i] *= bn_nn_repeat_sign (i);
}

void
bn_nn_gather (const BnNet *net, const BnNnBuffer *inputs, uint32_t n_inputs, float *workspace)
{
  size_t state_bytes = (size_t) net->state_floats * sizeof *workspace;
  int64_t n = 0;

  BN_ASSERT (n_inputs > 0);
  memset (workspace, 0, state_bytes);
  for (uint32_t i = 0; i < n_inputs; i++)
    {
      int64_t n_floats = bn_nn_buffer_floats (inputs[i].bytes);
      add_signed (inputs[i].data, n_floats, n, net->state_floats, workspace);
      n += n_floats;
    }
  finish_sums (n, net->state_floats, workspace);
  memcpy (workspace + net->state_floats, workspace, state_bytes);
}

void
bn_nn_scatter (const BnNet *net, const float *workspace, BnNnBuffer *output)
{
  int64_t n = bn_nn_buffer_floats (output->bytes);

  memset (output->data, 0, (size_t) n * sizeof *output->data);
  add_signed (workspace, net->state_floats, 0, n, output->data);
  finish_sums (net->state_floats, n, output->data);
}

void
bn_nn_digest (const BnNnBuffer *buffer, double digest[2])
{
  int64_t n = bn_nn_buffer_floats (buffer->bytes);
  double sum = 0.0, sum_of_absolutes = 0.0;

  for (int64_t i = 0; i < n; i++)
    {
      uint64_t word = bn_nn_word (BN_NN_DIGEST_KEY, (uint64_t) i);
      double x = buffer->data[i];
      sum += x * bn_nn_uniform ((uint32_t) word);
      sum_of_absolutes += fabs (x) * bn_nn_uniform ((uint32_t) (word >> 32));
    }
  digest[0] = sum / sqrt ((double) n);
  digest[1] = sum_of_absolutes / sqrt ((double) n);
}

/* Written so that what is not a number equals nothing. */
bool
bn_nn_same_digest (const double a[2], const double b[2], double tolerance)
{
  return fabs (a[0] - b[0]) <= tolerance && fabs (a[1] - b[1]) <= tolerance;
}
