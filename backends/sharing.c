/* sharing.c: operations that slow each other down on one machine, in virtual time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sharing.h"

#include "panic.h"

typedef struct Share
{
  BnOp *op;
  double left_ns;    /* of its work, as if it were alone */
} Share;

struct BnSharing
{
  BnSink *sink;
  const BnMeasured *measured;
  uint32_t n_runs, n_loads, n_evictions; /* of the shares */
  GArray *shares;    /* of Share, in order of beginning   */
  BnTime since_ns;   /* left_ns is as of then             */
};

BnSharing *
bn_sharing_new (BnSink *sink, const BnMeasured *measured)
{
  BnSharing *s = g_new0 (BnSharing, 1);

  s->sink = sink;
  s->measured = measured;
  s->shares = g_array_new (FALSE, FALSE, sizeof (Share));
  return s;
}

void
bn_sharing_free (BnSharing *sharing)
{
  g_array_unref (sharing->shares);
  g_free (sharing);
}

static Share *
share_at (const BnSharing *s, guint i)
{
  return &g_array_index (s->shares, Share, i);
}

/* Where operations of its kind are counted. */
static uint32_t *
count_of (BnSharing *s, const BnOp *op)
{
  return op->kind == BN_OP_RUN ? &s->n_runs : op->kind == BN_OP_LOAD ? &s->n_loads : &s->n_evictions;
}

static double
power (double base, uint32_t n)
{
  double product = 1;

  for (uint32_t i = 0; i < n; i++)
    product *= base;
  return product;
}

/* Of one of them, beside all that there are. */
static double
speed (const BnSharing *s, const Share *share)
{
  const BnMeasured *m = s->measured;
  bool runs = share->op->kind == BN_OP_RUN;
  uint32_t n = runs ? s->n_runs : s->n_loads + s->n_evictions;
  double speed = m->speeds[MIN (n, m->n_speeds) - 1];

  if (runs)
    return speed * power (m->run_beside_load, s->n_loads) * power (m->run_beside_evict, s->n_evictions);
  return speed * power (share->op->kind == BN_OP_LOAD ? m->load_beside_run : m->evict_beside_run, s->n_runs);
}

/* What has been done since the last change. */
static void
settle (BnSharing *s)
{
  BnTime now = s->sink->now (s->sink);

  for (guint i = 0; i < s->shares->len; i++)
    share_at (s, i)->left_ns -= (double) (now - s->since_ns) * speed (s, share_at (s, i));
  s->since_ns = now;
}

static void
time_ends_anew (BnSharing *s)
{
  for (guint i = 0; i < s->shares->len; i++)
    {
      Share *share = share_at (s, i);
      BnDuration rest_ns = bn_round_half_up (MAX (share->left_ns, 0) / speed (s, share));
      s->sink->step_at (s->sink, share->op, bn_time_add (s->since_ns, rest_ns));
    }
}

/* The run's own thread has worked, and where it had no processor to itself those under way have not. */
static void
charge_loop (BnSharing *s)
{
  guint n = s->shares->len;

  for (guint i = 0; i < n && n >= s->measured->n_processors; i++)
    share_at (s, i)->left_ns += (double) s->measured->loop_ns / n;
}

void
bn_sharing_begin (BnSharing *s, BnOp *op, BnDuration work_ns)
{
  Share share = { op, (double) work_ns };

  settle (s);
  g_array_append_val (s->shares, share);
  (*count_of (s, op))++;
  charge_loop (s);
  time_ends_anew (s);
}

void
bn_sharing_end (BnSharing *s, const BnOp *op)
{
  guint i = 0;

  while (i < s->shares->len && share_at (s, i)->op != op)
    i++;
  BN_ASSERT (i < s->shares->len);
  settle (s);
  (*count_of (s, op))--;
  g_array_remove_index (s->shares, i);
  time_ends_anew (s);
}
