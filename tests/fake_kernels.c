/* fake_kernels.c: backends/cuda/kernels.cu, executed on the CPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A kernel without barriers is called for one thread after the other. With barriers, each
 * thread of a block is a fiber that goes on until the barrier; then the next one does, in
 * the opposite order from barrier to barrier, so that a barrier that is missing shows.
 * A block that misuses barriers leaves its fibers unusable, and its device is lost.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "fake_cuda_private.h"

typedef struct Index
{
  uint32_t x, y;
} Index;

static _Thread_local Index blockIdx, threadIdx, gridDim, blockDim;

static void fake_barrier (void);

#define BN_KERNEL static
#define __shared__ static _Thread_local
#define __syncthreads fake_barrier
#include "kernels.cu"
#undef __shared__
#undef __syncthreads

static struct CUfunc_st functions[] = {
#define FUNCTION(number, name)                                                                                      \
  { "bn_kernel_" #name, bn_kernel_##name,                                                                           \
    BN_KERNEL_##number == BN_KERNEL_MATMUL || BN_KERNEL_##number == BN_KERNEL_NORM                                  \
      || BN_KERNEL_##number == BN_KERNEL_ATTENTION },
  BN_KERNELS (FUNCTION)
#undef FUNCTION
};

CUfunction
fake_kernel_find (const char *name)
{
  for (size_t i = 0; i < BN_N_KERNELS; i++)
    if (strcmp (functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

/* ---- threads of a block that has barriers ---- */

#define MAX_THREADS 1024
#define STACK_BYTES (64 << 10)

typedef enum
{
  ENDED,      /* or has not begun */
  AT_BARRIER
} ThreadState;

/* A flow of control with a stack of its own. */
#ifdef __x86_64__
typedef struct Fiber
{
  void *stack_pointer;
} Fiber;
#else
typedef struct Fiber
{
  ucontext_t context;
} Fiber;
#endif

/* The fibers of one stream's thread, which serve block after block. */
typedef struct Block
{
  FakeKernel kernel;
  const BnKernelArgs *args;
  Fiber scheduler, fibers[MAX_THREADS];
  ThreadState states[MAX_THREADS];
  uint32_t at;               /* the fiber that goes on */
  char *stacks;
} Block;

/* Of this stream's thread, freed with it. */
static _Thread_local Block *block;
static pthread_key_t block_key;
static pthread_once_t block_once = PTHREAD_ONCE_INIT;

static void fiber_main (void);

#ifdef __x86_64__

/* swapcontext asks the kernel twice each time, and there are some 10,000 switches in a launch. Saves what
 * the System V ABI says a function keeps, but for the floating-point modes, which nobody changes. */
void fake_switch (void **save, void *load);
__asm__ (".pushsection .text\n"
         ".type fake_switch, @function\n"
         "fake_switch:\n"
         "  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
         "  mov %rsp, (%rdi)\n"
         "  mov %rsi, %rsp\n"
         "  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"
         "  ret\n"
         ".size fake_switch, . - fake_switch\n"
         ".popsection");

static void
switch_fibers (Fiber *from, Fiber *to)
{
  fake_switch (&from->stack_pointer, to->stack_pointer);
}

/* A stack as fake_switch leaves one, that returns to fiber_main; which never returns. */
static void
make_fiber (Fiber *fiber, char *stack)
{
  void **top = (void **) (void *) (stack + STACK_BYTES);
  void (*begin) (void) = fiber_main;

  memset (top - 8, 0, 8 * sizeof *top);
  memcpy (top - 2, &begin, sizeof begin);
  fiber->stack_pointer = top - 8;
}

#else

static void
switch_fibers (Fiber *from, Fiber *to)
{
  swapcontext (&from->context, &to->context);
}

static void
make_fiber (Fiber *fiber, char *stack)
{
  getcontext (&fiber->context);
  fiber->context.uc_stack.ss_sp = stack;
  fiber->context.uc_stack.ss_size = STACK_BYTES;
  makecontext (&fiber->context, fiber_main, 0);
}

#endif

static void
fake_barrier (void)
{
  if (!block || !block->kernel)
    abort (); /* the table above says that this kernel has none */
  block->states[block->at] = AT_BARRIER;
  switch_fibers (&block->fibers[block->at], &block->scheduler);
}

static void
fiber_main (void)
{
  for (;;)
    {
      block->kernel (*block->args);
      block->states[block->at] = ENDED;
      switch_fibers (&block->fibers[block->at], &block->scheduler);
    }
}

static void
free_block (void *data)
{
  Block *ours = data;

  free (ours->stacks);
  free (ours);
}

static void
make_key (void)
{
  if (pthread_key_create (&block_key, free_block) != 0)
    abort ();
}

static void
make_block (void)
{
  pthread_once (&block_once, make_key);
  block = calloc (1, sizeof *block);
  block->stacks = malloc ((size_t) MAX_THREADS * STACK_BYTES);
  pthread_setspecific (block_key, block);
  for (size_t i = 0; i < MAX_THREADS; i++)
    make_fiber (&block->fibers[i], block->stacks + i * STACK_BYTES);
}

/* Every thread that has not ended to its next barrier or its end. Returns: how many have ended. */
static uint32_t
advance (uint32_t n, bool is_first, bool is_backward)
{
  uint32_t n_ended = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      block->at = is_backward ? n - 1 - i : i;
      if (!is_first && block->states[block->at] == ENDED)
        continue;
      threadIdx.x = block->at;
      switch_fibers (&block->scheduler, &block->fibers[block->at]);
      n_ended += block->states[block->at] == ENDED;
    }
  return n_ended;
}

/* Returns: whether all threads have met at every barrier. */
static bool
execute_block (uint32_t n)
{
  bool is_backward = false;
  uint32_t n_ended = advance (n, true, is_backward);

  while (n_ended == 0)
    {
      is_backward = !is_backward;
      n_ended = advance (n, false, is_backward);
    }
  return n_ended == n;
}

static const char *
execute_with_barriers (CUfunction function, const BnKernelArgs *args)
{
  if (!block)
    make_block ();
  block->kernel = function->kernel;
  block->args = args;
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
      if (!execute_block (blockDim.x))
        return "a barrier that not all threads reach";
  block->kernel = NULL;
  return NULL;
}

const char *
fake_kernel_execute (CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads, const BnKernelArgs *args)
{
  gridDim = (Index){ grid_x, grid_y };
  blockDim = (Index){ threads, 1 };
  if (function->has_barriers)
    return execute_with_barriers (function, args);
  for (blockIdx.y = 0; blockIdx.y < grid_y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < grid_x; blockIdx.x++)
      for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
        function->kernel (*args);
  return NULL;
}
