/* plan_table.h: the table that a plan ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Everything is read from the tables plans and plan_*, so that a table printed later is the
 * one that was printed first.
 */
#ifndef BN_PLAN_TABLE_H
#define BN_PLAN_TABLE_H

#include <sqlite3.h>

#include "report.h"

/* Whether the file holds a plan. FALSE too where it cannot be read. */
gboolean bn_plan_table_is_there (sqlite3 *db);

/* One row for each scheduler and combination of what is varied. NULL with `error` set where
 * the database cannot be read. Returns: (transfer full). */
BnTable *bn_plan_table (sqlite3 *db, GError **error);

/* The keys, or with `values` the values, of the column plans.settings. Returns: (transfer
 * full): NULL-terminated. */
char **bn_plan_table_settings (const char *settings, gboolean values);

/* "p99(latency) <= 1.5s and …". Returns: (transfer full), or NULL. */
char *bn_plan_table_promises (sqlite3 *db);

/* What the table says, in a sentence: "servers.count that keep p99(latency) <= 1.5s and …".
 * Returns: (transfer full), or NULL. */
char *bn_plan_table_title (sqlite3 *db);

/* Prints it on standard output. A reader who has left is no reason to give up the results:
 * that is no error. */
gboolean bn_plan_table_print (sqlite3 *db, BnCliFormat format, GError **error);

#endif
