/* bench_nn.c: how fast one pass of every layer type is, alone and beside another one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Prints one JSON line a layer type and size: the median time of a pass, its rate, the
 * coefficient of variation over runs, the slowdown when a second thread computes the same on weights
 * of its own, and how fast such a model is copied. Times are the thread's CPU time, so that
 * what else the machine does counts as little as it can.
 */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "host_memory.h"
#include "nn.h"

enum
{
  N_RUNS = 51
};

typedef struct Bench
{
  BnNet *net;
  float *weights, *copy, *workspace;
  double run_s[N_RUNS], copy_s[N_RUNS];
  GThread *thread;
} Bench;

static double
cpu_s (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static double
median (double *x)
{
  bn_bench_sort (x, N_RUNS);
  return x[N_RUNS / 2];
}

static double
variation (const double *x)
{
  double sum = 0, squares = 0;

  for (int i = 0; i < N_RUNS; i++)
    sum += x[i];
  for (int i = 0; i < N_RUNS; i++)
    squares += (x[i] - sum / N_RUNS) * (x[i] - sum / N_RUNS);
  return sqrt (squares / N_RUNS) / (sum / N_RUNS);
}

static void
bench_init (Bench *b, BnLayers layers, int64_t size_bytes)
{
  BnModel model = { .size_bytes = size_bytes, .layers = layers };
  float data[512];
  BnNnBuffer input = { data, sizeof data };

  *b = (Bench) { .net = bn_net_new (&model) };
  b->weights = bn_host_alloc (size_bytes);
  b->copy = bn_host_alloc (size_bytes);
  b->workspace = bn_host_alloc (b->net->workspace_floats * (int64_t) sizeof (float));
  if (!b->weights || !b->copy || !b->workspace)
    g_error ("no memory for models of %" G_GINT64_FORMAT " bytes", size_bytes);
  bn_net_fill_weights (b->net, 1, b->weights);
  bn_nn_client_input (1, 1, 1, &input);
  bn_nn_gather (b->net, &input, 1, b->workspace);
}

static void
bench_clear (Bench *b, int64_t size_bytes)
{
  bn_host_free (b->workspace, b->net->workspace_floats * (int64_t) sizeof (float));
  bn_host_free (b->copy, size_bytes);
  bn_host_free (b->weights, size_bytes);
  bn_net_free (b->net);
}

static gpointer
compute (gpointer data)
{
  Bench *b = data;

  for (int i = 0; i < N_RUNS; i++)
    {
      double began_s = cpu_s ();
      bn_nn_execute (b->net, BN_NN_BLAS, b->weights, 1, b->workspace);
      b->run_s[i] = cpu_s () - began_s;
    }
  return NULL;
}

static void
copy (Bench *b)
{
  for (int i = 0; i < N_RUNS; i++)
    {
      double began_s = cpu_s ();
      memcpy (b->copy, b->weights, (size_t) b->net->n_weights * sizeof (float));
      b->copy_s[i] = cpu_s () - began_s;
    }
}

static void
measure (const char *name, BnLayers layers, int64_t size_bytes)
{
  Bench benches[2];

  for (int i = 0; i < 2; i++)
    bench_init (&benches[i], layers, size_bytes);
  compute (&benches[0]);
  compute (&benches[0]);
  double cv = variation (benches[0].run_s), alone_s = median (benches[0].run_s);
  copy (&benches[0]);
  double copy_s = median (benches[0].copy_s);
  for (int i = 0; i < 2; i++)
    benches[i].thread = g_thread_new ("pass", compute, &benches[i]);
  for (int i = 0; i < 2; i++)
    g_thread_join (benches[i].thread);
  double beside_s = (median (benches[0].run_s) + median (benches[1].run_s)) / 2;
  printf ("{\"bench\": \"pass\", \"layers\": \"%s\", \"mb\": %.0f, \"width\": %u, \"ms_median\": %.3f, "
          "\"gflop_per_s\": %.1f, \"cv\": %.4f, \"beside_another\": %.3f, \"copy_gb_per_s\": %.1f}\n",
          name, (double) size_bytes / 1e6, benches[0].net->ops[0].cols, alone_s * 1e3,
          benches[0].net->flops / alone_s / 1e9, cv, beside_s / alone_s, (double) size_bytes / copy_s / 1e9);
  for (int i = 0; i < 2; i++)
    bench_clear (&benches[i], size_bytes);
}

int
main (void)
{
  static const char *const names[] = { [BN_LAYERS_BURN] = "burn", [BN_LAYERS_MLP] = "mlp", [BN_LAYERS_CONV] = "conv",
                                       [BN_LAYERS_LSTM] = "lstm", [BN_LAYERS_TRANSFORMER] = "transformer" };
  static const int64_t sizes[] = { 1000000, 5000000, 20000000, 50000000, 100000000 };

  bn_nn_set_blas_threads (1);
  for (guint layers = 0; layers < G_N_ELEMENTS (names); layers++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      measure (names[layers], (BnLayers) layers, sizes[s]);
  return 0;
}
