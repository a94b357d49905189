/* rules.h: the rules that must hold in any results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each rule has a number that never changes and, mostly, is one query that
 * returns the rows that break it. What a rule needs (jobs, tasks) is not recorded
 * at every level; then it is not checkable for that run.
 */
#ifndef BN_RULES_H
#define BN_RULES_H

#include <glib.h>
#include <sqlite3.h>

#include "scenario.h"

typedef enum
{
  BN_CHECK_PASSED,
  BN_CHECK_FAILED,
  BN_CHECK_NOT_CHECKABLE
} BnCheckOutcome;

typedef struct BnInvariant
{
  guint number;
  BnRecord needs;      /* least record level */
  const char *rule;    /* one line           */
  const char *sql;     /* rows (run_id, text) that break it; NULL: a function of rules.c */
} BnInvariant;

extern const BnInvariant bn_invariant_list[];
extern const guint bn_n_invariants;

/* Rows at fault that a result keeps as text; all are counted. */
#define BN_CHECK_MAX_FAULTS 10

typedef struct BnCheckResult
{
  const BnInvariant *invariant;
  BnCheckOutcome outcome;
  gint64 n_faults;
  GPtrArray *faults;   /* (element-type utf8): `run 1: job 7 …` */
} BnCheckResult;

/* Checks every run. NULL with `error` set where the file cannot be read to its
 * end. Returns: (transfer full) (element-type BnCheckResult), in order of number. */
GPtrArray *bn_check_database (sqlite3 *db, GError **error);

/* How many of `results` have this outcome. */
guint bn_check_count (const GPtrArray *results, BnCheckOutcome outcome);

#endif
