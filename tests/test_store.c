/* test_store.c: copies of jobs' data on workers, and the queue of work between threads.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "store.h"

#include <glib.h>

#include "suite.h"
#include "work_queue.h"

static void
count_release (void *data, void *context)
{
  ++*(int *) context;
  g_free (data);
}

static void
put (BnStore *store, BnDatum datum, uint32_t worker, int64_t bytes)
{
  bn_store_let_go (store, bn_store_put (store, datum, worker, g_malloc (1), bytes));
}

/* The stated bytes of a copy, or -1. */
static int64_t
bytes_of (BnStore *store, BnDatum datum, uint32_t worker)
{
  BnStoredBuffer *buffer = bn_store_get (store, datum, worker);
  int64_t bytes = buffer ? buffer->bytes : -1;

  if (buffer)
    bn_store_let_go (store, buffer);
  return bytes;
}

START_TEST (copies_are_told_apart_by_all_that_names_them)
{
  int n_released = 0;
  BnStore *store = bn_store_new (count_release, &n_released);

  put (store, (BnDatum) { 1, 2, false }, 3, 10);
  put (store, (BnDatum) { 1, 2, true }, 3, 11);
  put (store, (BnDatum) { 1, 3, false }, 3, 12);
  put (store, (BnDatum) { 2, 2, false }, 3, 13);
  put (store, (BnDatum) { 1, 2, false }, 4, 14);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 1, 2, false }, 3), 10);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 1, 2, true }, 3), 11);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 1, 3, false }, 3), 12);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 2, 2, false }, 3), 13);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 1, 2, false }, 4), 14);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 3, 2, false }, 3), -1);
  ck_assert_uint_eq (bn_store_n_copies (store), 5);
  bn_store_free (store);
  ck_assert_int_eq (n_released, 5);
}
END_TEST

START_TEST (a_job_that_is_over_takes_all_its_copies_along)
{
  int n_released = 0;
  BnStore *store = bn_store_new (count_release, &n_released);

  for (uint32_t task = 0; task < 100; task++)
    for (int64_t job = 0; job < 3; job++)
      put (store, (BnDatum) { job, task, false }, task % 7, job);
  bn_store_job_over (store, 1);
  bn_store_job_over (store, 9);
  ck_assert_int_eq (n_released, 100);
  ck_assert_uint_eq (bn_store_n_copies (store), 200);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 1, 5, false }, 5), -1);
  ck_assert_int_eq (bytes_of (store, (BnDatum) { 2, 5, false }, 5), 2);
  bn_store_free (store);
  ck_assert_int_eq (n_released, 300);
}
END_TEST

START_TEST (a_buffer_in_use_outlives_its_successor_and_its_job)
{
  int n_released = 0;
  BnStore *store = bn_store_new (count_release, &n_released);
  BnDatum datum = { 1, 0, false };

  put (store, datum, 0, 1);
  BnStoredBuffer *old = bn_store_get (store, datum, 0);
  put (store, datum, 0, 2);
  ck_assert_int_eq (n_released, 0);
  ck_assert_int_eq (bytes_of (store, datum, 0), 2);
  bn_store_job_over (store, 1);
  ck_assert_int_eq (n_released, 1);
  bn_store_let_go (store, old);
  ck_assert_int_eq (n_released, 2);
  ck_assert_uint_eq (bn_store_n_copies (store), 0);
  bn_store_free (store);
}
END_TEST

START_TEST (work_comes_in_order_and_a_closed_queue_ends)
{
  BnWorkQueue *queue = bn_work_queue_new ();
  int items[3];

  for (int i = 0; i < 3; i++)
    bn_work_queue_push (queue, &items[i]);
  ck_assert (bn_work_queue_remove (queue, &items[1]));
  ck_assert (!bn_work_queue_remove (queue, &items[1]));
  bn_work_queue_close (queue, false);
  ck_assert_ptr_eq (bn_work_queue_pop (queue), &items[0]);
  ck_assert_ptr_eq (bn_work_queue_pop (queue), &items[2]);
  ck_assert_ptr_null (bn_work_queue_pop (queue));
  bn_work_queue_free (queue);
}
END_TEST

START_TEST (a_queue_can_forget_what_is_in_it)
{
  BnWorkQueue *queue = bn_work_queue_new ();

  bn_work_queue_push (queue, queue);
  bn_work_queue_close (queue, true);
  ck_assert_ptr_null (bn_work_queue_pop (queue));
  bn_work_queue_free (queue);
}
END_TEST

static gpointer
count_until_closed (gpointer data)
{
  BnWorkQueue *queue = data;
  guint n = 0;

  while (bn_work_queue_pop (queue))
    n++;
  return GUINT_TO_POINTER (n);
}

START_TEST (every_item_reaches_one_thread)
{
  BnWorkQueue *queue = bn_work_queue_new ();
  GThread *threads[4];
  guint n = 0;

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("counter", count_until_closed, queue);
  for (int i = 0; i < 10000; i++)
    bn_work_queue_push (queue, queue);
  bn_work_queue_close (queue, false);
  for (int i = 0; i < 4; i++)
    n += GPOINTER_TO_UINT (g_thread_join (threads[i]));
  ck_assert_uint_eq (n, 10000);
  bn_work_queue_free (queue);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("store");
  TCase *tc = tcase_create ("store");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, copies_are_told_apart_by_all_that_names_them);
  tcase_add_test (tc, a_job_that_is_over_takes_all_its_copies_along);
  tcase_add_test (tc, a_buffer_in_use_outlives_its_successor_and_its_job);
  tcase_add_test (tc, work_comes_in_order_and_a_closed_queue_ends);
  tcase_add_test (tc, a_queue_can_forget_what_is_in_it);
  tcase_add_test (tc, every_item_reaches_one_thread);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
