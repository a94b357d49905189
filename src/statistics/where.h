/* where.h: which runs of a results file are meant, by the values of their keys.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_WHERE_H
#define BN_WHERE_H

#include <glib.h>
#include <sqlite3.h>

/* A query of run_id, of the runs that have ended and meet all conditions (NULL-terminated,
 * or NULL: all runs): `section.key=VALUE`, or one of several values between commas. A
 * value is written as in a scenario, `0.50` for 0.5. NULL with `error` set for a
 * condition that no run meets; it lists the values there are. Returns: (transfer full). */
char *bn_where_query (sqlite3 *db, const char *const *conditions, GError **error);

#endif
