/* test_event_queue.c: order, handles and the naive model.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <glib.h>

#include "event_queue.h"
#include "rng.h"
#include "suite.h"

static BnEventHandle
add (BnEventQueue *queue, BnTime time_ns, BnRank rank, uint32_t name)
{
  BnEvent event = { time_ns, NULL, name, 0 };
  return bn_event_queue_schedule (queue, &event, rank);
}

static void
expect (BnEventQueue *queue, BnTime time_ns, uint32_t name)
{
  BnEvent event;

  ck_assert (bn_event_queue_pop (queue, &event));
  ck_assert_int_eq (event.time_ns, time_ns);
  ck_assert_uint_eq (event.arg, name);
  ck_assert_int_eq (bn_event_queue_now (queue), time_ns);
}

static void
expect_empty (BnEventQueue *queue)
{
  BnEvent event = { 0 };

  ck_assert (!bn_event_queue_pop (queue, &event));
  ck_assert_uint_eq (bn_event_queue_length (queue), 0);
  ck_assert_int_eq (bn_event_queue_next_time (queue), BN_TIME_NEVER);
}

START_TEST (earlier_times_come_first)
{
  BnEventQueue *queue = bn_event_queue_new ();
  add (queue, 30, BN_RANK_NORMAL, 3);
  add (queue, 10, BN_RANK_NORMAL, 1);
  add (queue, 20, BN_RANK_NORMAL, 2);
  expect (queue, 10, 1);
  expect (queue, 20, 2);
  expect (queue, 30, 3);
  expect_empty (queue);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (simultaneous_events_come_by_rank_then_in_order_of_creation)
{
  BnEventQueue *queue = bn_event_queue_new ();
  add (queue, 5, BN_RANK_NORMAL, 3);
  add (queue, 5, BN_RANK_MEMORY, 2);
  add (queue, 5, BN_RANK_NORMAL, 4);
  add (queue, 5, BN_RANK_CREATION, 1);
  add (queue, 5, BN_RANK_NORMAL, 5);
  for (uint32_t i = 1; i <= 5; i++)
    expect (queue, 5, i);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (an_event_for_now_goes_to_the_end_of_the_line)
{
  BnEventQueue *queue = bn_event_queue_new ();
  add (queue, 7, BN_RANK_NORMAL, 1);
  add (queue, 7, BN_RANK_NORMAL, 2);
  expect (queue, 7, 1);
  add (queue, 7, BN_RANK_NORMAL, 3);
  add (queue, 8, BN_RANK_NORMAL, 9);
  add (queue, 7, BN_RANK_NORMAL, 4);
  expect (queue, 7, 2);
  expect (queue, 7, 3);
  expect (queue, 7, 4);
  expect (queue, 8, 9);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (memory_events_for_now_overtake_what_waits)
{
  BnEventQueue *queue = bn_event_queue_new ();
  add (queue, 7, BN_RANK_NORMAL, 1);
  expect (queue, 7, 1);
  add (queue, 7, BN_RANK_NORMAL, 3);
  add (queue, 7, BN_RANK_MEMORY, 2);
  expect (queue, 7, 2);
  expect (queue, 7, 3);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (a_place_taken_early_counts_as_created_then)
{
  BnEventQueue *queue = bn_event_queue_new ();
  uint64_t place = bn_event_queue_take_place (queue);
  BnEvent event = { 9, NULL, 1, 0 };
  add (queue, 9, BN_RANK_NORMAL, 2);
  bn_event_queue_schedule_at_place (queue, &event, BN_RANK_NORMAL, place);
  expect (queue, 9, 1);
  expect (queue, 9, 2);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (a_cancelled_event_never_comes)
{
  BnEventQueue *queue = bn_event_queue_new ();
  BnEventHandle a = add (queue, 1, BN_RANK_NORMAL, 1);
  add (queue, 2, BN_RANK_NORMAL, 2);
  ck_assert (bn_event_queue_cancel (queue, a));
  ck_assert (!bn_event_queue_cancel (queue, a));
  ck_assert_uint_eq (bn_event_queue_length (queue), 1);
  ck_assert_int_eq (bn_event_queue_next_time (queue), 2);
  expect (queue, 2, 2);
  expect_empty (queue);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (a_handle_is_dead_once_its_event_has_come_even_if_the_slot_is_used_again)
{
  BnEventQueue *queue = bn_event_queue_new ();
  BnEventHandle a = add (queue, 1, BN_RANK_NORMAL, 1);
  expect (queue, 1, 1);
  add (queue, 2, BN_RANK_NORMAL, 2);
  ck_assert (!bn_event_queue_cancel (queue, a));
  ck_assert_uint_eq (bn_event_queue_reschedule (queue, a, 5), 0);
  ck_assert (!bn_event_queue_cancel (queue, 0));
  expect (queue, 2, 2);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (a_rescheduled_event_goes_to_the_end_of_its_new_line)
{
  BnEventQueue *queue = bn_event_queue_new ();
  BnEventHandle a = add (queue, 1, BN_RANK_NORMAL, 2);
  add (queue, 4, BN_RANK_NORMAL, 1);
  BnEventHandle b = bn_event_queue_reschedule (queue, a, 4);
  ck_assert_uint_ne (b, 0);
  ck_assert (!bn_event_queue_cancel (queue, a));
  expect (queue, 4, 1);
  expect (queue, 4, 2);
  expect_empty (queue);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (two_queues_do_not_know_of_each_other)
{
  BnEventQueue *x = bn_event_queue_new (), *y = bn_event_queue_new ();
  BnEventHandle a = add (x, 10, BN_RANK_NORMAL, 1);
  add (y, 5, BN_RANK_NORMAL, 2);
  expect (y, 5, 2);
  ck_assert (!bn_event_queue_cancel (y, a));
  expect (x, 10, 1);
  bn_event_queue_free (x);
  bn_event_queue_free (y);
}
END_TEST

/* The naive model: an array, searched for the least (time, rank, number). */
typedef struct Naive
{
  BnTime time_ns;
  BnRank rank;
  uint64_t number;
  uint32_t name;
  BnEventHandle handle;
} Naive;

static guint
first_of (const GArray *model)
{
  guint best = 0;

  for (guint i = 1; i < model->len; i++)
    {
      const Naive *a = &g_array_index (model, Naive, i), *b = &g_array_index (model, Naive, best);
      if (a->time_ns != b->time_ns ? a->time_ns < b->time_ns
          : a->rank != b->rank     ? a->rank < b->rank
                                   : a->number < b->number)
        best = i;
    }
  return best;
}

START_TEST (random_operations_agree_with_a_searched_array)
{
  BnEventQueue *queue = bn_event_queue_new ();
  GArray *model = g_array_new (FALSE, FALSE, sizeof (Naive));
  uint64_t number = 0, popped = 0, cancelled = 0, moved = 0;
  BnRng rng;

  bn_rng_init (&rng, (uint64_t) _i, "operations");
  for (int step = 0; step < 20000; step++)
    {
      uint64_t dice = bn_rng_below (&rng, 100);
      BnTime now = bn_event_queue_now (queue);
      /* many ties: times are few */
      BnTime time_ns = now + (BnTime) bn_rng_below (&rng, 4);
      if (dice < 48 || model->len == 0)
        {
          Naive n = { time_ns, (BnRank) bn_rng_below (&rng, 3), number++, (uint32_t) step, 0 };
          /* ranks before the one being handled may be scheduled for now as well */
          n.handle = add (queue, n.time_ns, n.rank, n.name);
          g_array_append_val (model, n);
        }
      else if (dice < 88)
        {
          guint i = first_of (model);
          expect (queue, g_array_index (model, Naive, i).time_ns, g_array_index (model, Naive, i).name);
          g_array_remove_index_fast (model, i);
          popped++;
        }
      else if (dice < 94)
        {
          guint i = (guint) bn_rng_below (&rng, model->len);
          ck_assert (bn_event_queue_cancel (queue, g_array_index (model, Naive, i).handle));
          g_array_remove_index_fast (model, i);
          cancelled++;
        }
      else
        {
          Naive *n = &g_array_index (model, Naive, (guint) bn_rng_below (&rng, model->len));
          n->handle = bn_event_queue_reschedule (queue, n->handle, time_ns);
          ck_assert_uint_ne (n->handle, 0);
          n->time_ns = time_ns;
          n->number = number++;
          moved++;
        }
      ck_assert_uint_eq (bn_event_queue_length (queue), model->len);
      if (step % 16 == 0)
        bn_event_queue_verify (queue);
    }
  ck_assert_uint_gt (popped, 1000);
  ck_assert_uint_gt (cancelled, 100);
  ck_assert_uint_gt (moved, 100);
  g_array_unref (model);
  bn_event_queue_free (queue);
}
END_TEST

START_TEST (many_cancelled_events_are_thrown_out)
{
  BnEventQueue *queue = bn_event_queue_new ();
  GArray *handles = g_array_new (FALSE, FALSE, sizeof (BnEventHandle));

  for (uint32_t i = 0; i < 10000; i++)
    {
      BnEventHandle h = add (queue, 1000 + i % 37, BN_RANK_NORMAL, i);
      g_array_append_val (handles, h);
    }
  for (guint i = 0; i < handles->len; i++)
    if (i % 10 != 0)
      bn_event_queue_cancel (queue, g_array_index (handles, BnEventHandle, i));
  bn_event_queue_verify (queue);
  ck_assert_uint_eq (bn_event_queue_length (queue), 1000);
  BnEvent event;
  BnTime last = 0;
  uint32_t n = 0;
  for (; bn_event_queue_pop (queue, &event); n++)
    {
      ck_assert_uint_eq (event.arg % 10, 0);
      ck_assert_int_ge (event.time_ns, last);
      last = event.time_ns;
    }
  ck_assert_uint_eq (n, 1000);
  g_array_unref (handles);
  bn_event_queue_free (queue);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("event_queue");
  TCase *tc = tcase_create ("order and handles");

  tcase_add_test (tc, earlier_times_come_first);
  tcase_add_test (tc, simultaneous_events_come_by_rank_then_in_order_of_creation);
  tcase_add_test (tc, an_event_for_now_goes_to_the_end_of_the_line);
  tcase_add_test (tc, memory_events_for_now_overtake_what_waits);
  tcase_add_test (tc, a_place_taken_early_counts_as_created_then);
  tcase_add_test (tc, a_cancelled_event_never_comes);
  tcase_add_test (tc, a_handle_is_dead_once_its_event_has_come_even_if_the_slot_is_used_again);
  tcase_add_test (tc, a_rescheduled_event_goes_to_the_end_of_its_new_line);
  tcase_add_test (tc, two_queues_do_not_know_of_each_other);
  tcase_add_loop_test (tc, random_operations_agree_with_a_searched_array, 0, 5);
  tcase_add_test (tc, many_cancelled_events_are_thrown_out);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
