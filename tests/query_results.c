/* query_results.c: what one SQL query says of a results file, for shell tests.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * query_results FILE SQL prints a line a row, columns between `|`. The file is
 * opened for reading only, but with --write before it.
 */
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

static int
print_row (void *context, int n, char **values, char **names)
{
  (void) context;
  (void) names;
  for (int i = 0; i < n; i++)
    printf ("%s%s", i ? "|" : "", values[i] ? values[i] : "");
  putchar ('\n');
  return 0;
}

int
main (int argc, char **argv)
{
  sqlite3 *db = NULL;
  int status = 2, writes = argc == 4 && strcmp (argv[1], "--write") == 0;

  if (argc != 3 && !writes)
    fprintf (stderr, "usage: query_results [--write] FILE SQL\n");
  else if (sqlite3_open_v2 (argv[1 + writes], &db, writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, NULL)
             != SQLITE_OK
           || sqlite3_exec (db, argv[2 + writes], print_row, NULL, NULL) != SQLITE_OK)
    fprintf (stderr, "query_results: %s: %s\n", argv[1 + writes], sqlite3_errmsg (db));
  else
    status = 0;
  sqlite3_close (db);
  return status;
}
