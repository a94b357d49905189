/* test_verify.c: what a run computed is compared with the reference, task by task.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <signal.h>

#include "reference.h"
#include "small_world.h"
#include "suite.h"
#include "verify.h"

#define SEED 3

/* Job `id` of workflow `chain`, with what the reference says of it. */
static BnJob *
true_job (const BnReference *reference, const BnCatalogue *catalogue, int64_t id)
{
  const BnWorkflow *workflow = &catalogue->workflows[bn_catalogue_find_workflow (catalogue, "chain")];
  BnJob *job = g_malloc0 (sizeof (BnJob) + workflow->n_tasks * sizeof (BnTask));
  double digests[2][2];

  ck_assert_uint_eq (workflow->n_tasks, 2);
  job->id = id;
  job->workflow = workflow;
  bn_reference_job (reference, id, workflow, digests);
  for (uint32_t t = 0; t < 2; t++)
    {
      job->tasks[t].job = job;
      job->tasks[t].state = BN_TASK_DONE;
      job->tasks[t].digest[0] = digests[t][0];
      job->tasks[t].digest[1] = digests[t][1];
    }
  return job;
}

START_TEST (a_wrong_output_is_found_and_a_task_that_did_not_run_is_not_compared)
{
  World *w = small_world (1, 100 * MB, 1);
  BnReference *reference = bn_reference_new (w->catalogue, SEED, BN_NN_BLAS, NULL);
  BnVerify *verify = bn_verify_new ();
  const BnProbe *probe = bn_verify_probe (verify);
  BnVerifyOutcome outcome;

  for (int64_t id = 0; id < 3; id++)
    {
      BnJob *job = true_job (reference, w->catalogue, id);
      if (id == 1)
        job->tasks[1].digest[0] += 0.5;
      if (id == 2)
        {
          job->tasks[1].state = BN_TASK_CANCELLED;
          job->tasks[1].digest[0] = 99;
        }
      probe->job_ended (probe->context, job, 0);
      g_free (job);
    }
  ck_assert (bn_verify_compare (verify, w->catalogue, SEED, NULL, &outcome, NULL));
  ck_assert_int_eq (outcome.n_done, 5);
  ck_assert_int_eq (outcome.n_tasks, 5);
  ck_assert_int_eq (outcome.n_wrong, 1);
  ck_assert_uint_eq (outcome.messages->len, 1);
  ck_assert_str_eq (outcome.messages->pdata[0],
                    "the output of job 1 task 1 of chain is not what the reference computes");
  bn_verify_outcome_clear (&outcome);
  /* with another seed the clients' data, and so every output, is another */
  ck_assert (bn_verify_compare (verify, w->catalogue, SEED + 1, NULL, &outcome, NULL));
  ck_assert_int_eq (outcome.n_wrong, 5);
  bn_verify_outcome_clear (&outcome);
  bn_verify_free (verify);
  bn_reference_free (reference);
  world_free (w);
}
END_TEST

START_TEST (an_interrupt_ends_it_and_what_was_not_compared_is_not_said_to_be_verified)
{
  World *w = small_world (1, 100 * MB, 1);
  BnReference *reference = bn_reference_new (w->catalogue, SEED, BN_NN_BLAS, NULL);
  BnVerify *verify = bn_verify_new ();
  BnInterrupt *interrupt = bn_interrupt_new ();
  BnJob *job = true_job (reference, w->catalogue, 0);
  BnVerifyOutcome outcome;

  job->tasks[1].digest[0] += 0.5;
  bn_verify_probe (verify)->job_ended (verify, job, 0);
  ck_assert (bn_verify_compare (verify, w->catalogue, SEED, interrupt, &outcome, NULL));
  ck_assert_int_eq (outcome.n_tasks, 2);
  ck_assert_int_eq (outcome.n_wrong, 1);
  bn_verify_outcome_clear (&outcome);
  raise (SIGINT);
  while (!bn_interrupt_came (interrupt))
    g_usleep (1000);
  ck_assert (bn_verify_compare (verify, w->catalogue, SEED, interrupt, &outcome, NULL));
  ck_assert_int_eq (outcome.n_done, 2);
  ck_assert_int_eq (outcome.n_tasks, 0);
  ck_assert_int_eq (outcome.n_wrong, 0);
  bn_verify_outcome_clear (&outcome);
  bn_interrupt_free (interrupt);
  g_free (job);
  bn_verify_free (verify);
  bn_reference_free (reference);
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("verify");
  TCase *t = tcase_create ("verify");

  tcase_set_timeout (t, 60);
  tcase_add_test (t, a_wrong_output_is_found_and_a_task_that_did_not_run_is_not_compared);
  tcase_add_test (t, an_interrupt_ends_it_and_what_was_not_compared_is_not_said_to_be_verified);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
