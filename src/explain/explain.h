/* explain.h: why one job took as long as it did.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The critical path is followed backwards: from the task that ended last to the
 * predecessor whose output reached it last, and so on to an entry task. Each step
 * covers the time from the end of the step before (for the first: the job's
 * creation) to its own end, and is split into parts that fill it without gap. So
 * all parts of all steps add up to the job's latency.
 */
#ifndef BN_EXPLAIN_H
#define BN_EXPLAIN_H

#include <stdio.h>

#include "reader.h"

typedef enum
{
  BN_PART_TRANSFER,  /* the binding input was on its way                         */
  BN_PART_DECIDE,    /* a decision about the task was being taken                */
  BN_PART_QUEUE,     /* in a worker's queue, or held until a worker asked for it */
  BN_PART_EVICT,     /* models were leaving for it                               */
  BN_PART_LOAD,      /* its model was loading; in an overlap it was in the queue */
  BN_PART_RUN,       /* it executed                                              */
  BN_N_PARTS
} BnPart;

extern const char *const bn_part_names[BN_N_PARTS];

/* A task that held a slot of the worker while another was in its queue. */
typedef struct BnExplainAhead
{
  gint64 job;
  char *label, *model;  /* model "none" for none */
  gint64 held_ns;       /* of the wait           */
} BnExplainAhead;

typedef struct BnExplainStep
{
  gint64 task, worker;
  char *label, *model, *access;  /* model "none" for none */
  gint64 from_ns, end_ns;
  gint64 enqueue_ns, start_ns;   /* in the worker's queue                             */
  gint64 part_ns[BN_N_PARTS];
  GArray *ahead;                 /* (element-type BnExplainAhead), in order of starting */
} BnExplainStep;

/* One decision about any task of the job. BN_NONE stands for: none, not read. */
typedef struct BnExplainDecision
{
  char *label, *kind, *model;
  gint64 observer, from_worker, worker;
  gint64 asked_ns, seen_ns, effect_ns;
  gint64 seen_wait_ns, true_wait_ns, row_age_ns;
  gint64 seen_cached, true_cached;
} BnExplainDecision;

typedef struct BnExplanation
{
  gint64 run, job, ingress;
  char *variant, *seed, *workflow, *state, *reason;
  gint64 create_ns, end_ns, lower_bound_ns, deadline_ns;  /* BN_NONE: not known or none   */
  GArray *steps;      /* (element-type BnExplainStep), in time; empty unless it was done */
  GArray *decisions;  /* (element-type BnExplainDecision), in order of being taken       */
} BnExplanation;

/* NULL with `error` set where the file has no such job or is damaged. Returns:
 * (transfer full). */
BnExplanation *bn_explain_read (BnReader *reader, gint64 run, gint64 job, GError **error);
void bn_explanation_free (BnExplanation *explanation);

/* The `n` jobs of the run that took longest, slowest first, ties by number; fewer
 * where fewer were done. Returns: (transfer full) (element-type gint64), or NULL
 * with `error` set where none was. */
GArray *bn_explain_slowest (BnReader *reader, gint64 run, gint64 n, GError **error);

/* Fills step->ahead from the step's worker, enqueue_ns and start_ns. FALSE with
 * `error` set where the file is damaged. One pass over the run's tasks. */
gboolean bn_explain_read_ahead (BnReader *reader, gint64 run, BnExplainStep *step, GError **error);

/* In a run whose loads go beside tasks, tells the part of the wait in which the step's
 * model was loading from the rest of it. FALSE with `error` set where the file is
 * damaged. One pass over the worker's cache events. */
gboolean bn_explain_read_load (BnReader *reader, gint64 run, BnExplainStep *step, GError **error);

/* For a person. Write errors are left for the file's owner to find. */
gboolean bn_explain_print (const BnExplanation *explanation, FILE *file, GError **error);

#endif
