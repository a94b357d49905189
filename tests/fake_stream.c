/* fake_stream.c: the fake driver's streams and events.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_cuda_private.h"

struct CUstream_st
{
  CUcontext context;
  pthread_t thread;
  Command *first, *last;
  bool is_executing, is_closed;
  unsigned int random;       /* of delays */
  struct CUstream_st *next;  /* of all streams */
};

struct CUevent_st
{
  CUcontext context;
  int n_pending;
};

static CUstream streams;

/* With the lock, which is let go meanwhile. */
static void
delay (CUstream stream)
{
  int most_us = fake.settings.delay_us;

  if (most_us <= 0)
    return;
  /* a linear congruence (Numerical Recipes): any will do */
  stream->random = stream->random * 1664525u + 1013904223u;
  useconds_t pause_us = (stream->random >> 8) % ((unsigned int) most_us + 1);
  pthread_mutex_unlock (&fake.lock);
  usleep (pause_us);
  pthread_mutex_lock (&fake.lock);
}

/* Column-major, as cuBLAS has it: c = a b + beta c. */
static void
multiply (const Command *command)
{
  const float *a = command->args.w, *b = command->args.x;
  float *c = command->args.y;

  for (int j = 0; j < command->n; j++)
    for (int i = 0; i < command->m; i++)
      {
        float sum = command->beta == 0.0f ? 0.0f : command->beta * c[(size_t) j * (size_t) command->m + (size_t) i];
        for (int l = 0; l < command->k; l++)
          sum += a[(size_t) l * (size_t) command->m + (size_t) i] * b[(size_t) j * (size_t) command->k + (size_t) l];
        c[(size_t) j * (size_t) command->m + (size_t) i] = sum;
      }
}

/* Without the lock. Returns: NULL, or what was wrong. */
static const char *
execute (const Command *command)
{
  switch (command->kind)
    {
    case COPY_IN:
    case COPY_OUT:
    case COPY_WITHIN:
    case COPY_BETWEEN:
      memcpy (command->to, command->from, command->bytes);
      return NULL;
    case KERNEL:
      return fake_kernel_execute (command->function, command->grid_x, command->grid_y, command->threads,
                                  &command->args);
    case PRODUCT:
      multiply (command);
      return NULL;
    case EVENT:
      return NULL;
    }
  abort ();
}

/* With the lock. */
static void
count (const Command *command)
{
  FakeCudaCounts *c = &fake.counts;

  c->n_copies_in += command->kind == COPY_IN;
  c->n_copies_out += command->kind == COPY_OUT;
  c->n_copies_within += command->kind == COPY_WITHIN;
  c->n_copies_between += command->kind == COPY_BETWEEN;
  c->n_kernels += command->kind == KERNEL;
  c->n_products += command->kind == PRODUCT;
}

/* With the lock, let go while it works. A device that is lost executes nothing any more. */
static void
handle (CUstream stream, const Command *command)
{
  delay (stream);
  if (command->kind == KERNEL && stream->context->error == BN_CU_OK
      && fake_counts_to (&fake.n_executed, fake.settings.fail_kernel))
    stream->context->error = fake.settings.error;
  if (stream->context->error != BN_CU_OK)
    return;
  pthread_mutex_unlock (&fake.lock);
  const char *wrong = execute (command);
  pthread_mutex_lock (&fake.lock);
  count (command);
  if (wrong)
    stream->context->error = fake_misuse (BN_CU_LAUNCH_FAILED, "%s: %s", command->function->name, wrong);
}

static void *
stream_main (void *data)
{
  CUstream stream = data;

  pthread_mutex_lock (&fake.lock);
  for (;;)
    {
      while ((!stream->first || (fake.is_held && stream->context->error == BN_CU_OK)) && !stream->is_closed)
        pthread_cond_wait (&fake.changed, &fake.lock);
      Command *command = stream->first;
      if (!command)
        break;
      stream->first = command->next;
      if (!stream->first)
        stream->last = NULL;
      stream->is_executing = true;
      handle (stream, command);
      stream->is_executing = false;
      if (command->kind == EVENT)
        command->event->n_pending--;
      free (command);
      pthread_cond_broadcast (&fake.changed);
    }
  pthread_mutex_unlock (&fake.lock);
  return NULL;
}

void
fake_submit (CUstream stream, const Command *command)
{
  Command *ours = malloc (sizeof *ours);

  *ours = *command;
  ours->next = NULL;
  if (stream->last)
    stream->last->next = ours;
  else
    stream->first = ours;
  stream->last = ours;
  pthread_cond_broadcast (&fake.changed);
}

CUcontext
fake_stream_context (CUstream stream)
{
  return stream->context;
}

bool
fake_stream_is_known (CUstream stream)
{
  CUstream at = streams;

  while (at && at != stream)
    at = at->next;
  return at != NULL;
}

bool
fake_stream_is_idle (CUstream stream)
{
  return !stream->first && !stream->is_executing;
}

#define DECLARE(name, symbol, parameters) BnCuResult symbol parameters;
BN_CUDA_DRIVER_CALLS (DECLARE)
#undef DECLARE

BnCuResult
cuStreamCreate (CUstream *ret, unsigned int flags)
{
  CUcontext context;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  if (result == BN_CU_OK && flags != BN_CU_STREAM_NON_BLOCKING)
    result = fake_misuse (BN_CU_INVALID_VALUE, "a stream that waits for the default stream");
  if (result == BN_CU_OK)
    {
      CUstream stream = calloc (1, sizeof *stream);
      stream->context = context;
      stream->random = (unsigned int) ++fake.counts.n_streams * 2654435761u;
      stream->next = streams;
      streams = stream;
      if (pthread_create (&stream->thread, NULL, stream_main, stream) != 0)
        abort ();
      *ret = stream;
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuStreamDestroy_v2 (CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  if (!fake_stream_is_known (stream))
    {
      BnCuResult result = fake_misuse (BN_CU_INVALID_HANDLE, "a stream destroyed that is not there");
      pthread_mutex_unlock (&fake.lock);
      return result;
    }
  if (!fake_stream_is_idle (stream))
    fake_misuse (0, "a stream destroyed that works");
  CUstream *place = &streams;
  while (*place != stream)
    place = &(*place)->next;
  *place = stream->next;
  stream->is_closed = true;
  fake.counts.n_streams--;
  pthread_cond_broadcast (&fake.changed);
  pthread_mutex_unlock (&fake.lock);
  pthread_join (stream->thread, NULL);
  free (stream);
  return BN_CU_OK;
}

BnCuResult
cuStreamQuery (CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = BN_CU_OK;
  if (!fake_stream_is_known (stream))
    result = fake_misuse (BN_CU_INVALID_HANDLE, "a stream asked that is not there");
  else if (stream->context->error != BN_CU_OK)
    result = stream->context->error;
  else if (!fake_stream_is_idle (stream))
    result = BN_CU_NOT_READY;
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuEventCreate (CUevent *ret, unsigned int flags)
{
  CUcontext context;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  if (result == BN_CU_OK && !(flags & BN_CU_EVENT_BLOCKING_SYNC))
    result = fake_misuse (BN_CU_INVALID_VALUE, "an event that is waited for without sleeping");
  if (result == BN_CU_OK)
    {
      *ret = calloc (1, sizeof **ret);
      (*ret)->context = context;
      fake.counts.n_events++;
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuEventDestroy_v2 (CUevent event)
{
  pthread_mutex_lock (&fake.lock);
  if (event->n_pending > 0)
    fake_misuse (0, "an event destroyed that has not happened");
  fake.counts.n_events--;
  free (event);
  pthread_mutex_unlock (&fake.lock);
  return BN_CU_OK;
}

BnCuResult
cuEventRecord (CUevent event, CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = event->context->error;
  if (result == BN_CU_OK && (!fake_stream_is_known (stream) || stream->context != event->context))
    result = fake_misuse (BN_CU_INVALID_HANDLE, "an event recorded in another context's stream");
  if (result == BN_CU_OK && fake_counts_to (&fake.n_records, fake.settings.fail_record))
    result = fake.settings.error;
  if (result == BN_CU_OK)
    {
      event->n_pending++;
      fake_submit (stream, &(Command){ .kind = EVENT, .event = event });
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuEventSynchronize (CUevent event)
{
  pthread_mutex_lock (&fake.lock);
  while (event->n_pending > 0)
    pthread_cond_wait (&fake.changed, &fake.lock);
  BnCuResult result = event->context->error;
  pthread_mutex_unlock (&fake.lock);
  return result;
}
