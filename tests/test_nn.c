/* test_nn.c: what models compute.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "arith.h"
#include "nn.h"
#include "suite.h"

static const int64_t sizes[] = { 1, 100, 5000, 20001, 100000, 2000003 };
static const uint32_t some_passes[] = { 1, 20 };

enum
{
  N_LAYERS = BN_LAYERS_TRANSFORMER + 1
};

/* A net with weights, one input and a workspace. */
typedef struct Bed
{
  BnNet *net;
  float *weights, *workspace;
  BnNnBuffer input;
} Bed;

static Bed
bed_new (int layers, int64_t size_bytes, int64_t input_bytes)
{
  BnModel model = { .name = "m", .size_bytes = size_bytes, .layers = (BnLayers) layers };
  Bed bed = { .net = bn_net_new (&model) };

  bed.weights = g_new (float, bed.net->n_weights + 1);
  bed.workspace = g_new (float, bed.net->workspace_floats);
  bed.input = (BnNnBuffer) { g_new (float, bn_nn_buffer_floats (input_bytes)), input_bytes };
  bn_net_fill_weights (bed.net, 7, bed.weights);
  bn_nn_client_input (1, 2, 3, &bed.input);
  return bed;
}

static void
bed_free (Bed *bed)
{
  bn_net_free (bed->net);
  g_free (bed->weights);
  g_free (bed->workspace);
  g_free (bed->input.data);
}

/* The task's digest; *rms is its output's root mean square, unless NULL. */
static void
bed_compute (Bed *bed, BnNnMatmul matmul, uint32_t passes, int64_t output_bytes, double digest[2], double *rms)
{
  int64_t n = bn_nn_buffer_floats (output_bytes);
  BnNnBuffer output = { g_new (float, n), output_bytes };
  double squares = 0;

  bn_nn_gather (bed->net, &bed->input, 1, bed->workspace);
  bn_nn_execute (bed->net, matmul, bed->weights, passes, bed->workspace);
  bn_nn_scatter (bed->net, bed->workspace, &output);
  bn_nn_digest (&output, digest);
  for (int64_t i = 0; i < n; i++)
    squares += (double) output.data[i] * output.data[i];
  if (rms)
    *rms = sqrt (squares / (double) n);
  g_free (output.data);
}

/* ---- shapes ---- */

/* The weights that an operation reads: w, then v. Both are used by norms only. */
static int64_t
n_weights_read (const BnNnOp *op)
{
  switch (op->kind)
    {
    case BN_NN_MATMUL:
      return (int64_t) op->inner * op->cols;
    case BN_NN_BIAS_ACT:
      return op->w < 0 ? 0 : op->cols;
    case BN_NN_NORM:
      return op->w < 0 ? 0 : 2 * (int64_t) op->cols;
    case BN_NN_LSTM_CELL:
      return 4 * (int64_t) op->cols;
    case BN_NN_FOLD:
      return op->inner;
    default:
      return 0;
    }
}

START_TEST (every_weight_is_drawn_once_and_read_by_one_operation)
{
  static const int64_t large[] = { 77777777, INT64_C (6000000000) };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes) + G_N_ELEMENTS (large); s++)
    {
      int64_t size = s < G_N_ELEMENTS (sizes) ? sizes[s] : large[s - G_N_ELEMENTS (sizes)];
      BnModel model = { .size_bytes = size, .layers = (BnLayers) _i };
      BnNet *net = bn_net_new (&model);
      int64_t read = 0, drawn = 0;

      ck_assert_int_eq (net->n_weights, size / 4);
      for (uint32_t i = 0; i < net->n_inits; i++)
        {
          ck_assert_int_eq (net->inits[i].at, drawn);
          drawn += net->inits[i].n_floats;
        }
      ck_assert_int_eq (drawn, net->n_weights);
      for (uint32_t i = 0; i < net->n_ops; i++)
        {
          if (n_weights_read (&net->ops[i]) > 0)
            ck_assert_int_eq (net->ops[i].w, read);
          if (net->ops[i].v >= 0)
            ck_assert_int_eq (net->ops[i].v, read + net->ops[i].cols);
          read += n_weights_read (&net->ops[i]);
          ck_assert_int_lt (net->ops[i].y, net->workspace_floats);
        }
      ck_assert_int_eq (read, net->n_weights);
      ck_assert_int_le (2 * net->state_floats, net->workspace_floats);
      bn_net_free (net);
    }
}
END_TEST

START_TEST (nearly_all_of_a_model_is_matrices)
{
  for (int64_t size = 1000000; size < 7000000000; size *= 3)
    {
      BnModel model = { .size_bytes = size, .layers = (BnLayers) _i };
      BnNet *net = bn_net_new (&model);
      int64_t in_matrices = 0;

      for (uint32_t i = 0; i < net->n_ops; i++)
        if (net->ops[i].kind == BN_NN_MATMUL)
          in_matrices += n_weights_read (&net->ops[i]);
      ck_assert_int_ge (in_matrices, net->n_weights / 100 * 95);
      ck_assert (net->flops >= 2.0 * BN_NN_ROWS * (double) in_matrices);
      bn_net_free (net);
    }
}
END_TEST

START_TEST (passes_come_to_the_stated_work)
{
  BnModel model = { .size_bytes = 1000000, .layers = BN_LAYERS_MLP };
  BnNet *net = bn_net_new (&model);

  ck_assert_uint_eq (bn_net_passes (net, 0), 1);
  ck_assert_uint_eq (bn_net_passes (net, 1), 1);
  double passes = BN_NN_NOMINAL_FLOPS_PER_S / net->flops;
  ck_assert (fabs (bn_net_passes (net, BN_NS_PER_S) - passes) <= 0.5);
  ck_assert_uint_eq (bn_net_passes (net, INT64_MAX), UINT32_MAX);
  bn_net_free (net);
}
END_TEST

/* ---- data ---- */

START_TEST (a_buffer_holds_whole_floats_and_at_least_sixteen)
{
  ck_assert_int_eq (bn_nn_buffer_floats (0), 16);
  ck_assert_int_eq (bn_nn_buffer_floats (67), 16);
  ck_assert_int_eq (bn_nn_buffer_floats (68), 17);
  ck_assert_int_eq (bn_nn_buffer_floats (INT64_C (6000000000)), 1500000000);
}
END_TEST

/* The first outputs of SplitMix64 from state 0, as its authors' program prints them. */
START_TEST (counters_draw_what_the_generator_would)
{
  ck_assert_uint_eq (bn_nn_word (0, 0), 0xe220a8397b1dcdafu);
  ck_assert_uint_eq (bn_nn_word (0, 1), 0x6e789e6aa1b965f4u);
  ck_assert_uint_eq (bn_nn_word (0, 2), 0x06c45d188009454fu);
  ck_assert (bn_nn_uniform (0) == -1.0f);
  ck_assert (bn_nn_uniform (0x80000000u) == 0.0f);
  ck_assert (bn_nn_uniform (0xffffffffu) < 1.0f);
}
END_TEST

START_TEST (weights_depend_on_seed_and_place_only)
{
  static const BnNnInit inits[] = { { 0, 3, 1.0f, 0.5f }, { 3, 4, 0.0f, 2.0f }, { 7, 1, 0.0f, 1.0f } };
  BnNet net = { .n_weights = 8, .n_inits = 3, .inits = inits };
  float weights[8], others[8];

  bn_net_fill_weights (&net, 5, weights);
  for (uint32_t i = 0; i < 3; i++)
    for (int64_t k = inits[i].at; k < inits[i].at + inits[i].n_floats; k++)
      ck_assert (weights[k] == inits[i].mean + inits[i].half_range * bn_nn_uniform_at (bn_nn_weights_key (5), k));
  bn_net_fill_weights (&net, 6, others);
  for (int i = 0; i < 8; i++)
    ck_assert (weights[i] != others[i]);
}
END_TEST

START_TEST (clients_send_the_same_again_and_others_something_else)
{
  float a[16], b[16];
  BnNnBuffer x = { a, 64 }, y = { b, 64 };

  bn_nn_client_input (1, 2, 3, &x);
  bn_nn_client_input (1, 2, 3, &y);
  ck_assert_mem_eq (a, b, sizeof a);
  for (int other = 0; other < 3; other++)
    {
      bn_nn_client_input (1 + (other == 0), 2 + (other == 1), 3 + (other == 2), &y);
      for (int i = 0; i < 16; i++)
        ck_assert (a[i] != b[i]);
    }
}
END_TEST

/* By the definition, for two inputs of 16 and 24 floats and states that are smaller, as large and larger. */
START_TEST (gathering_sums_up_or_repeats)
{
  static const int64_t states[] = { 1, 7, 20, 40, 41, 100 };
  float all[40], workspace[200];
  BnNnBuffer inputs[] = { { all, 64 }, { all + 16, 96 } };

  for (int i = 0; i < 40; i++)
    all[i] = (float) (i * i % 17) - 8;
  for (size_t s = 0; s < G_N_ELEMENTS (states); s++)
    {
      BnNet net = { .state_floats = states[s] };
      bn_nn_gather (&net, inputs, 2, workspace);
      for (int64_t r = 0; r < states[s]; r++)
        {
          double sum = 0;
          int n = 0;
          for (int64_t i = r; i < 40; i += states[s], n++)
            sum += all[i] * bn_nn_sign (i);
          double expected = states[s] <= 40 ? sum / sqrt (n) : all[r % 40] * bn_nn_repeat_sign (r);
          ck_assert_double_eq_tol (workspace[r], expected, 1e-5);
          ck_assert (workspace[states[s] + r] == workspace[r]);
        }
    }
}
END_TEST

START_TEST (scattering_sums_up_or_repeats)
{
  static const int64_t states[] = { 5, 16, 50 };
  float workspace[50], out[16];
  BnNnBuffer output = { out, 64 };

  for (int i = 0; i < 50; i++)
    workspace[i] = (float) (i * i % 13) - 6;
  for (size_t s = 0; s < G_N_ELEMENTS (states); s++)
    {
      BnNet net = { .state_floats = states[s] };
      bn_nn_scatter (&net, workspace, &output);
      for (int64_t i = 0; i < 16; i++)
        {
          double sum = 0;
          int n = 0;
          for (int64_t r = i; r < states[s]; r += 16, n++)
            sum += workspace[r] * bn_nn_sign (r);
          double expected = states[s] >= 16 ? sum / sqrt (n) : workspace[i % states[s]] * bn_nn_repeat_sign (i);
          ck_assert_double_eq_tol (out[i], expected, 1e-5);
        }
    }
}
END_TEST

START_TEST (digests_tell_outputs_apart)
{
  float data[100];
  BnNnBuffer buffer = { data, sizeof data };
  double a[2], b[2];

  bn_nn_client_input (1, 1, 1, &buffer);
  bn_nn_digest (&buffer, a);
  ck_assert (bn_nn_same_digest (a, a, 0));
  float first = data[0];
  data[0] = data[1];
  data[1] = first;
  bn_nn_digest (&buffer, b);
  ck_assert (!bn_nn_same_digest (a, b, BN_NN_TOLERANCE));
  bn_nn_client_input (1, 1, 1, &buffer);
  data[50] = -data[50];
  bn_nn_digest (&buffer, b);
  ck_assert (!bn_nn_same_digest (a, b, BN_NN_TOLERANCE));
  data[50] = NAN;
  bn_nn_digest (&buffer, b);
  ck_assert (!bn_nn_same_digest (b, b, BN_NN_TOLERANCE));
}
END_TEST

/* ---- operations, worked by hand ---- */

/* Executes one operation, alone. */
static void
execute (BnNnOp op, BnNnMatmul matmul, const float *weights, float *workspace)
{
  BnNet net = { .n_ops = 1, .ops = &op };

  bn_nn_execute (&net, matmul, weights, 1, workspace);
}

static void
same (const float *a, const float *expected, int n)
{
  for (int i = 0; i < n; i++)
    ck_assert_double_eq_tol (a[i], expected[i], 1e-5);
}

START_TEST (matmul_multiplies_and_adds)
{
  /* [1 2; 3 4; 5 6] * [7 8 9; 10 11 12] */
  static const float w[] = { 7, 8, 9, 10, 11, 12 };
  static const float product[] = { 27, 30, 33, 61, 68, 75, 95, 106, 117 };
  BnNnOp op = { .kind = BN_NN_MATMUL, .rows = 3, .cols = 3, .inner = 2, .x = 0, .y = 6, .z = -1, .w = 0, .v = -1 };
  float twice[9];

  for (BnNnMatmul how = BN_NN_PLAIN; how <= BN_NN_BLAS; how++)
    {
      float space[24] = { 1, 2, 3, 4, 5, 6 };
      op.y = 6;
      op.z = -1;
      execute (op, how, w, space);
      same (space + 6, product, 9);
      for (int i = 0; i < 9; i++)
        twice[i] = 2 * product[i];
      op.z = 6;
      op.y = 15;
      execute (op, how, w, space);
      same (space + 15, twice, 9);
      op.y = 6;
      execute (op, how, w, space);
      same (space + 6, twice, 9);
    }
}
END_TEST

START_TEST (activations_are_what_they_are_called)
{
  for (float x = -12; x <= 12; x += 0.01f)
    {
      ck_assert_double_eq_tol (bn_nn_tanh (x), tanh (x), 1e-4);
      ck_assert_double_eq_tol (bn_nn_sigmoid (x), 1 / (1 + exp (-x)), 1e-4);
      ck_assert_double_eq_tol (bn_nn_gelu (x), x * 0.5 * (1 + erf (x / sqrt (2))), 1e-3);
      ck_assert (bn_nn_relu (x) == (x > 0 ? x : 0));
    }
  static const float bias[] = { 1, -1 };
  float space[] = { 1, 0.5f, -3, 2 };
  execute ((BnNnOp) { .kind = BN_NN_BIAS_ACT, .activation = BN_NN_RELU, .rows = 2, .cols = 2, .x = 0, .y = 0, .z = -1,
                      .w = 0, .v = -1 },
           BN_NN_PLAIN, bias, space);
  same (space, (float[]) { 2, 0, 0, 1 }, 4);
}
END_TEST

START_TEST (norm_centres_and_scales_each_row)
{
  /* mean 3, variance 4; mean -1, variance 1 */
  float space[] = { 1, 5, 1, 5, -2, 0, 0, -2 };
  static const float w[] = { 2, 2, 2, 2, 10, 10, 10, 10 };
  BnNnOp op = { .kind = BN_NN_NORM, .rows = 2, .cols = 4, .x = 0, .y = 0, .z = -1, .w = -1, .v = -1 };

  execute (op, BN_NN_PLAIN, NULL, space);
  same (space, (float[]) { -1, 1, -1, 1, -1, 1, 1, -1 }, 8);
  op.w = 0;
  op.v = 4;
  execute (op, BN_NN_PLAIN, w, space);
  same (space, (float[]) { 8, 12, 8, 12, 8, 12, 12, 8 }, 8);
}
END_TEST

START_TEST (add_scales_the_first)
{
  float space[] = { 1, 2, 3, 4, 0, 0 };

  execute ((BnNnOp) { .kind = BN_NN_ADD, .rows = 1, .cols = 2, .scale = 0.5f, .x = 0, .z = 2, .y = 4, .w = -1,
                      .v = -1 },
           BN_NN_PLAIN, NULL, space);
  same (space + 4, (float[]) { 3.5f, 5 }, 2);
}
END_TEST

/* Two heads of one number. The first head's keys are equal, so its values are averaged; the second
 * one's query and keys pick the second row by e^20 to 1. */
START_TEST (attention_averages_values_by_keys)
{
  float space[12 + 4] = { /* q */ 3, 10, /* k */ 1, 0, /* v */ 4, 7,
                          /* q */ 5, 10, /* k */ 1, 2, /* v */ 6, 9 };

  execute ((BnNnOp) { .kind = BN_NN_ATTENTION, .rows = 2, .cols = 2, .inner = 2, .x = 0, .y = 12, .z = -1, .w = -1,
                      .v = -1 },
           BN_NN_PLAIN, NULL, space);
  same (space + 12, (float[]) { 5, 9, 5, 9 }, 4);
}
END_TEST

START_TEST (patches_are_neighbourhoods_with_zeros_outside)
{
  float space[4 + 36] = { 1, 2, 3, 4 };
  static const float expected[] = { 0, 0, 0, 0, 1, 2, 0, 3, 4, 0, 0, 0, 1, 2, 0, 3, 4, 0,
                                    0, 1, 2, 0, 3, 4, 0, 0, 0, 1, 2, 0, 3, 4, 0, 0, 0, 0 };

  execute ((BnNnOp) { .kind = BN_NN_PATCHES, .rows = 4, .cols = 1, .inner = 2, .x = 0, .y = 4, .z = -1, .w = -1,
                      .v = -1 },
           BN_NN_PLAIN, NULL, space);
  same (space + 4, expected, 36);
}
END_TEST

/* Gates i and o wide open, f half: c = 2 / 2 + tanh (0.5), h = tanh (c). */
START_TEST (lstm_cell_forgets_and_adds)
{
  static const float bias[] = { 0, 0, 0.5f, 0 };
  float space[] = { 20, 0, 0, 20, /* c */ 2, /* h */ 0 };

  execute ((BnNnOp) { .kind = BN_NN_LSTM_CELL, .rows = 1, .cols = 1, .x = 0, .z = 4, .y = 5, .w = 0, .v = -1 },
           BN_NN_PLAIN, bias, space);
  ck_assert_double_eq_tol (space[4], 1 + tanh (0.5), 1e-3);
  ck_assert_double_eq_tol (space[5], tanh (1 + tanh (0.5)), 1e-3);
}
END_TEST

START_TEST (fold_adds_weights_around)
{
  static const float w[] = { 1, 2, 3, 4, 5, 6, 7 };
  float space[] = { 10, 20, 30 };

  execute ((BnNnOp) { .kind = BN_NN_FOLD, .rows = 1, .cols = 3, .inner = 7, .scale = 0.5f, .x = -1, .y = 0, .z = -1,
                      .w = 0, .v = -1 },
           BN_NN_PLAIN, w, space);
  same (space, (float[]) { 16, 23.5f, 34.5f }, 3);
}
END_TEST

/* ---- whole nets ---- */

START_TEST (plain_loops_and_the_library_agree)
{
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t p = 0; p < G_N_ELEMENTS (some_passes); p++)
      {
        Bed bed = bed_new (_i, sizes[s], 2000);
        double plain[2], blas[2];
        bed_compute (&bed, BN_NN_PLAIN, some_passes[p], 2000, plain, NULL);
        bed_compute (&bed, BN_NN_BLAS, some_passes[p], 2000, blas, NULL);
        ck_assert_msg (bn_nn_same_digest (plain, blas, BN_NN_TOLERANCE), "%" G_GINT64_FORMAT " bytes, %u passes",
                       sizes[s], some_passes[p]);
        bed_free (&bed);
      }
}
END_TEST

static void
reverse (float *x, int64_t n)
{
  for (int64_t i = 0; i < n / 2; i++)
    {
      float saved = x[i];
      x[i] = x[n - 1 - i];
      x[n - 1 - i] = saved;
    }
}

START_TEST (four_kilobytes_of_weights_in_another_order_are_seen)
{
  for (size_t s = 1; s < G_N_ELEMENTS (sizes); s++)
    for (size_t p = 0; p < G_N_ELEMENTS (some_passes); p++)
      {
        Bed bed = bed_new (_i, sizes[s], 2000);
        int64_t n = MIN (1000, bed.net->n_weights / 4);
        double right[2], wrong[2];
        bed_compute (&bed, BN_NN_BLAS, some_passes[p], 2000, right, NULL);
        for (int third = 0; third < 4; third++)
          {
            int64_t at = (bed.net->n_weights - n) * third / 3;
            reverse (bed.weights + at, n);
            bed_compute (&bed, BN_NN_BLAS, some_passes[p], 2000, wrong, NULL);
            reverse (bed.weights + at, n);
            ck_assert_msg (!bn_nn_same_digest (right, wrong, 10 * BN_NN_TOLERANCE),
                           "%" G_GINT64_FORMAT " bytes, %u passes, at %" G_GINT64_FORMAT, sizes[s], some_passes[p],
                           at);
          }
        bed_free (&bed);
      }
}
END_TEST

START_TEST (one_weight_of_a_small_net_is_seen)
{
  for (int third = 0; third < 4; third++)
    {
      Bed bed = bed_new (_i, 20001, 2000);
      float *weight = bed.weights + (bed.net->n_weights - 1) * third / 3;
      double right[2], wrong[2];
      bed_compute (&bed, BN_NN_BLAS, 1, 2000, right, NULL);
      *weight += 0.5f;
      bed_compute (&bed, BN_NN_BLAS, 1, 2000, wrong, NULL);
      ck_assert (!bn_nn_same_digest (right, wrong, 10 * BN_NN_TOLERANCE));
      bed_free (&bed);
    }
}
END_TEST

START_TEST (one_float_of_an_input_is_seen_after_any_number_of_passes)
{
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t p = 0; p < G_N_ELEMENTS (some_passes); p++)
      {
        Bed bed = bed_new (_i, sizes[s], 2000);
        double right[2], wrong[2];
        bed_compute (&bed, BN_NN_BLAS, some_passes[p], 2000, right, NULL);
        for (int third = 0; third < 4; third++)
          {
            float *x = &bed.input.data[third * 499 / 3], saved = *x;
            *x = *x > 0 ? *x - 2 : *x + 2;
            bed_compute (&bed, BN_NN_BLAS, some_passes[p], 2000, wrong, NULL);
            *x = saved;
            ck_assert_msg (!bn_nn_same_digest (right, wrong, 10 * BN_NN_TOLERANCE),
                           "%" G_GINT64_FORMAT " bytes, %u passes, third %d", sizes[s], some_passes[p], third);
          }
        bed_free (&bed);
      }
}
END_TEST

START_TEST (outputs_are_of_the_order_of_one)
{
  static const int64_t bytes[] = { 1, 2000, 300000 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t in = 0; in < G_N_ELEMENTS (bytes); in++)
      for (size_t out = 0; out < G_N_ELEMENTS (bytes); out++)
        {
          Bed bed = bed_new (_i, sizes[s], bytes[in]);
          double digest[2], rms;
          bed_compute (&bed, BN_NN_BLAS, 3, bytes[out], digest, &rms);
          ck_assert_msg (rms > 0.2 && rms < 5, "%" G_GINT64_FORMAT " bytes: %g", sizes[s], rms);
          bed_free (&bed);
        }
}
END_TEST

START_TEST (a_task_without_a_model_computes_without_weights)
{
  BnNet *net = bn_net_new (NULL);
  g_autofree float *workspace = g_new (float, net->workspace_floats);
  float in[16], out[16];
  BnNnBuffer input = { in, 64 }, output = { out, 64 };
  double a[2], b[2];

  ck_assert_int_eq (net->n_weights, 0);
  for (int64_t job = 0; job < 2; job++)
    {
      bn_nn_client_input (1, job, 0, &input);
      bn_nn_gather (net, &input, 1, workspace);
      bn_nn_execute (net, BN_NN_BLAS, NULL, 3, workspace);
      bn_nn_scatter (net, workspace, &output);
      bn_nn_digest (&output, job == 0 ? a : b);
    }
  ck_assert (!bn_nn_same_digest (a, b, 100 * BN_NN_TOLERANCE));
  bn_net_free (net);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("nn");
  TCase *shapes = tcase_create ("shapes"), *data = tcase_create ("data"), *ops = tcase_create ("operations");
  TCase *nets = tcase_create ("nets");

  tcase_set_timeout (nets, 120);
  tcase_add_loop_test (shapes, every_weight_is_drawn_once_and_read_by_one_operation, 0, N_LAYERS);
  tcase_add_loop_test (shapes, nearly_all_of_a_model_is_matrices, 0, N_LAYERS);
  tcase_add_test (shapes, passes_come_to_the_stated_work);
  tcase_add_test (data, a_buffer_holds_whole_floats_and_at_least_sixteen);
  tcase_add_test (data, counters_draw_what_the_generator_would);
  tcase_add_test (data, weights_depend_on_seed_and_place_only);
  tcase_add_test (data, clients_send_the_same_again_and_others_something_else);
  tcase_add_test (data, gathering_sums_up_or_repeats);
  tcase_add_test (data, scattering_sums_up_or_repeats);
  tcase_add_test (data, digests_tell_outputs_apart);
  tcase_add_test (ops, matmul_multiplies_and_adds);
  tcase_add_test (ops, activations_are_what_they_are_called);
  tcase_add_test (ops, norm_centres_and_scales_each_row);
  tcase_add_test (ops, add_scales_the_first);
  tcase_add_test (ops, attention_averages_values_by_keys);
  tcase_add_test (ops, patches_are_neighbourhoods_with_zeros_outside);
  tcase_add_test (ops, lstm_cell_forgets_and_adds);
  tcase_add_test (ops, fold_adds_weights_around);
  tcase_add_loop_test (nets, plain_loops_and_the_library_agree, 0, N_LAYERS);
  tcase_add_loop_test (nets, four_kilobytes_of_weights_in_another_order_are_seen, 0, N_LAYERS);
  tcase_add_loop_test (nets, one_weight_of_a_small_net_is_seen, 0, N_LAYERS);
  tcase_add_loop_test (nets, one_float_of_an_input_is_seen_after_any_number_of_passes, 0, N_LAYERS);
  tcase_add_loop_test (nets, outputs_are_of_the_order_of_one, 0, N_LAYERS);
  tcase_add_test (nets, a_task_without_a_model_computes_without_weights);
  suite_add_tcase (suite, shapes);
  suite_add_tcase (suite, data);
  suite_add_tcase (suite, ops);
  suite_add_tcase (suite, nets);
  return run_suite (suite);
}
