/* bench_queue.c: the hold model: pop the first event, schedule it again later.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Prints one JSON line a size: events a second, median of repetitions. Source of
 * the hold model: D. W. Jones, "An empirical comparison of priority-queue and
 * event-set implementations", CACM 29(4), 1986; exponential increments.
 */
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "bench.h"
#include "event_queue.h"
#include "rng.h"

#define REPETITIONS 7
#define HOLDS 2000000

/* Increments are drawn beforehand, so that only the queue is timed. */
#define N_INCREMENTS 65536

static double
hold_rate (uint32_t n_pending, const BnDuration *increments)
{
  BnEventQueue *queue = bn_event_queue_new ();
  BnEvent event = { 0 };

  for (uint32_t i = 0; i < n_pending; i++)
    {
      event.time_ns = increments[i % N_INCREMENTS];
      bn_event_queue_schedule (queue, &event, BN_RANK_NORMAL);
    }
  gint64 began_us = g_get_monotonic_time ();
  for (uint32_t i = 0; i < HOLDS; i++)
    {
      bn_event_queue_pop (queue, &event);
      event.time_ns += increments[i % N_INCREMENTS];
      bn_event_queue_schedule (queue, &event, BN_RANK_NORMAL);
    }
  double seconds = (double) (g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
  bn_event_queue_free (queue);
  return HOLDS / seconds;
}

int
main (void)
{
  static const uint32_t sizes[] = { 10, 1000, 100000 };
  BnDuration *increments = g_new (BnDuration, N_INCREMENTS);
  BnRng rng;

  bn_rng_init (&rng, 1, "hold");
  for (uint32_t i = 0; i < N_INCREMENTS; i++)
    increments[i] = bn_round_half_up (bn_rng_exponential (&rng) * 1e6);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      double rates[REPETITIONS];
      for (int r = 0; r < REPETITIONS; r++)
        rates[r] = hold_rate (sizes[s], increments);
      bn_bench_sort (rates, REPETITIONS);
      printf ("{\"bench\": \"hold\", \"pending\": %u, \"events_per_s_median\": %.0f, \"min\": %.0f, \"max\": %.0f}\n",
              sizes[s], rates[REPETITIONS / 2], rates[0], rates[REPETITIONS - 1]);
    }
  g_free (increments);
  return 0;
}
