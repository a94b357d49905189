/* nn.h: what a model computes: layers, weights, one task's arithmetic.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A net is a model's layers at its stated size, as a list of primitive operations
 * on two flat arrays of float: the weights (exactly the model's bytes, any rest of
 * less than a float unused) and a workspace. Backends interpret the list: the CPU with
 * BLAS, CUDA with one kernel an operation, the reference with plain loops. So they
 * compute the same thing by construction, and what differs is rounding.
 *
 * One task: the inputs are gathered into the state and a copy of it, the operations
 * are executed `passes` times, each pass from state and copy to state, and the state is
 * scattered to the output. Every float of every input and every weight matters to the
 * output; nothing else does. State and output stay of the order of 1, whatever the sizes.
 *
 * The copy is what makes any number of passes sound. A pass mixes it in again, so inputs
 * are never forgotten; and as the copy is the larger part of what a pass starts from, the
 * difference between two roundings shrinks from pass to pass instead of growing, so results
 * can be compared after thousands of passes.
 *
 * The layer types are the usual ones (multilayer perceptron; 3x3 convolutions with
 * residual connections, He et al. 2016; LSTM, Hochreiter and Schmidhuber 1997;
 * transformer blocks with pre-norm, Vaswani et al. 2017), 2 to 8 of them; widths and depths
 * are ours, chosen so that a model of any size has a few matrices worth multiplying.
 * All of them work on BN_NN_ROWS rows at once (tokens, sequences, points of an image):
 * 32 operations a weight and pass, so that cores compute more than they wait for memory,
 * while a pass stays short against the runtimes that models have.
 *
 * The arithmetic of elements is in arith.h, which CUDA compiles, too.
 *
 * Knows nothing of threads, devices, jobs' lives or time.
 */
#ifndef BN_NN_H
#define BN_NN_H

#include "workflow.h"

#define BN_NN_ROWS 16

/* rows x cols matrices are row-major and dense. x, y, z are offsets into the
 * workspace and w, v into the weights, in floats; -1: absent. */
typedef enum
{
  /* y[rows x cols] = x[rows x inner] * w[inner x cols]  (+ z[rows x cols] unless absent; y
     may be z, but not x) */
  BN_NN_MATMUL,
  /* y = act (x + w), w of one row; y may be x; w may be absent */
  BN_NN_BIAS_ACT,
  /* each row of y = (row of x - mean) / sqrt (variance + 1e-5) * w + v; w, v of one row
     or absent (1 and 0); y may be x */
  BN_NN_NORM,
  /* y = x * scale + z; y may be x or z */
  BN_NN_ADD,
  /* multi-head attention without mask: x is rows x 3 cols, a row being query, key and value;
     `inner` heads; y is rows x cols. softmax (q k^T / sqrt (cols / heads)) v */
  BN_NN_ATTENTION,
  /* x is an image of inner x inner points with `cols` channels (points x channels);
     y[point] = the 3 x 3 neighbourhood's channels, zero outside: rows = inner * inner,
     y is rows x 9 cols */
  BN_NN_PATCHES,
  /* x is rows x 4 cols, gates i, f, g, o before their activation, w their bias; z is the cell
     state, rows x cols, updated in place: c = sigmoid (f) c + sigmoid (i) tanh (g); y = sigmoid (o) tanh (c) */
  BN_NN_LSTM_CELL,
  /* y[i mod (rows * cols)] += w[i] * scale for i < inner: weights that no matrix has room for,
     added in rising i */
  BN_NN_FOLD
} BnNnOpKind;

typedef enum
{
  BN_NN_LINEAR,
  BN_NN_RELU,
  BN_NN_TANH,
  BN_NN_GELU      /* the tanh form */
} BnNnActivation;

typedef struct BnNnOp
{
  BnNnOpKind kind;
  BnNnActivation activation;
  uint32_t rows, cols, inner;
  float scale;
  int64_t x, y, z, w, v;
} BnNnOp;

/* How a stretch of weights is drawn: uniform in mean +- half_range. */
typedef struct BnNnInit
{
  int64_t at, n_floats;
  float mean, half_range;
} BnNnInit;

typedef struct BnNet
{
  BnLayers layers;
  int64_t n_weights;         /* floats: size_bytes / 4                               */
  int64_t state_floats;      /* the state is the first floats of the workspace, the copy
                                of what was gathered the next                        */
  int64_t workspace_floats;
  double flops;              /* of one pass: multiplications and additions of products, and
                                BN_NN_FLOPS_PER_ELEMENT for each element that any other
                                operation writes, which is about what it costs        */
  uint32_t n_ops;
  const BnNnOp *ops;
  uint32_t n_inits;          /* cover all n_weights, without overlap                 */
  const BnNnInit *inits;
} BnNet;

/* One input of a task: a buffer of `bytes`, the floats that fill it first. */
typedef struct BnNnBuffer
{
  float *data;
  int64_t bytes;
} BnNnBuffer;

/* Floats of a buffer of so many bytes: bytes / 4, but at least BN_NN_MIN_FLOATS, which a
 * buffer always has room for, so that an output of one byte can still be told from
 * another; what moves is counted as the stated bytes. */
#define BN_NN_MIN_FLOATS 16
int64_t bn_nn_buffer_floats (int64_t bytes);

/* The net of a model, or with NULL of tasks without one (a few operations on a small
 * state, no weights). Any size from 1 byte is accepted. Returns: (transfer full). */
BnNet *bn_net_new (const BnModel *model);
void bn_net_free (BnNet *net);

/* Fills n_weights floats: a function of the model's seed and net->inits only. */
void bn_net_fill_weights (const BnNet *net, uint64_t seed, float *weights);

/* Passes of a task: so many that they take about work_ns at BN_NN_NOMINAL_FLOPS_PER_S,
 * at least one. So the amount of work is fixed by the catalogue and the scale, not by
 * the machine; how long it takes is what calibration measures. */
#define BN_NN_NOMINAL_FLOPS_PER_S 50e9
#define BN_NN_FLOPS_PER_ELEMENT 50
uint32_t bn_net_passes (const BnNet *net, BnDuration work_ns);

/* What the client sends with a job: a function of seed, job and bytes only. */
void bn_nn_client_input (uint64_t run_seed, int64_t job_id, uint32_t task, BnNnBuffer *ret);

/* ---- on the CPU ---- */

/* What multiplies matrices for BN_NN_BLAS: the library and its version, or NULL where
 * the build has none; then BN_NN_BLAS does the same as BN_NN_PLAIN. Static. */
const char *bn_nn_blas_name (void);
/* Threads of one product from now on, >= 1; the process has one such number. More than one
 * thread a product serves one product at a time, whoever asks. */
void bn_nn_set_blas_threads (uint32_t n);
/* Address space that the library takes for buffers when so many threads multiply at once, each with the number of
 * threads that is set: OpenBLAS's BUFFER_SIZE of x86-64 and ARM for each of them, which it keeps. 0 where the
 * build has none. */
int64_t bn_nn_blas_bytes (uint32_t n_callers);

/* How matrices are multiplied; all else is the same code. */
typedef enum
{
  BN_NN_PLAIN,   /* loops, one thread, in a fixed order: the reference */
  BN_NN_BLAS
} BnNnMatmul;

/* inputs -> state and its copy. Logically the inputs lie one after the other, n floats, n > 0. Where
 * n >= state_floats all of them count: state[r] is the sum, in rising i, of input[i] * sign (i) for
 * i mod state_floats == r, times 1 / sqrt of how many there are. Where n is less they are repeated:
 * state[r] = input[r mod n] * repeat_sign (r). For signs see arith.h. */
void bn_nn_gather (const BnNet *net, const BnNnBuffer *inputs, uint32_t n_inputs, float *workspace);
/* All operations, `passes` times. `weights` may be NULL where there are none. */
void bn_nn_execute (const BnNet *net, BnNnMatmul matmul, const float *weights, uint32_t passes, float *workspace);
/* state -> output, in the same way: summed up where the output has fewer floats, repeated where
 * it has more. */
void bn_nn_scatter (const BnNet *net, const float *workspace, BnNnBuffer *output);

/* Two numbers that stand for a buffer: a sum and a sum of absolute values, each with weights from
 * -1 to 1 that differ from place to place, divided by the square root of the number of floats;
 * in double, in order of place. */
void bn_nn_digest (const BnNnBuffer *buffer, double digest[2]);

/* Whether two digests are of the same output; what is not a number is the same as nothing. `tolerance`
 * is absolute, as outputs are of the order of 1. BN_NN_TOLERANCE is for digests of
 * different backends, which round differently but in single precision: they differ by a few 1e-6. One
 * float of an input with the other sign, or 4 kB of weights in another order, changes a digest
 * by some 1e-3 or more. */
#define BN_NN_TOLERANCE 2e-5
bool bn_nn_same_digest (const double a[2], const double b[2], double tolerance);

#endif
