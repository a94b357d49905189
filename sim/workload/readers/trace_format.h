/* trace_format.h: what a public trace looks like: tables, one entry a format.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A format is data: how its lines are cut, which columns there are, which of them is the
 * time in which unit. What is no arrival trace but is found beside one (lists of machines,
 * lengths without times, distributions) has an entry as well, so that it is named for what
 * it is. A new format is a new entry in one of formats_*.c.
 */
#ifndef BN_TRACE_FORMAT_H
#define BN_TRACE_FORMAT_H

#include "scan.h"

#define BN_FORMAT_MAX_NEEDS 8
#define BN_FORMAT_MAX_NAMES 24

/* As BnTraceFormat.time_unit_ns: a date with a time of day. */
#define BN_UNIT_DATE 0

typedef enum
{
  BN_JSON_NONE,   /* lines of fields              */
  BN_JSON_LINES,  /* an object a line             */
  BN_JSON_ARRAY   /* one array of objects         */
} BnJsonShape;

typedef struct BnTraceFormat
{
  const char *name;
  const char *summary;      /* what a row is and whose, a noun phrase                     */
  const char *what;         /* without times: what the rows are, a noun phrase in the plural */
  const char *quirks;       /* what is taken care of, for lists; NULL: nothing            */

  BnJsonShape json;
  const char *each;         /* JSON: the array in an object whose elements are the rows; NULL: the object is one */
  char separator, comment;  /* of records.h                                               */
  gboolean headless;        /* the first line is a row: columns are `names`, by position  */
  const char *needs[BN_FORMAT_MAX_NEEDS + 1];  /* names that a header, or an object, must have */
  const char *names[BN_FORMAT_MAX_NAMES + 1];  /* headless: all columns; JSON: the same, as paths of json_row.h */
  gboolean (*looks) (char *const *fields, guint n_fields);  /* headless: whether a row is one of these */

  gboolean windows;         /* a row is a window of a rate, as in window_reader.h         */
  const char *counts;       /* the first column of numbers of arrivals, one column for each `time_unit_ns`, as in
                               count_reader.h; "": the first of a file without a header; NULL: rows are arrivals */
  const char *time;         /* column of the arrival; NULL: there are no arrivals         */
  BnDuration time_unit_ns;  /* or BN_UNIT_DATE                                            */
  gboolean time_is_end;     /* arrival = time - duration                                  */
  const char *duration;     /* column of how long it took, or NULL                        */
  BnDuration duration_unit_ns;
  const char *start, *end;  /* instead: duration = end - start, in the time's unit; or NULL */
  const char *unknown[2];   /* these texts say as little as an empty one; or NULL         */
} BnTraceFormat;

/* Each array ends with an entry without a name. In each a more special format comes
 * before one that would take its files as well. */
extern const BnTraceFormat bn_formats_llm[];      /* requests to language models       */
extern const BnTraceFormat bn_formats_cluster[];  /* jobs, pods and functions          */
extern const BnTraceFormat bn_formats_other[];    /* without arrivals: never by name   */

/* Calls `each` for the formats that may be named, in the order in which they are listed. */
void bn_trace_formats_foreach (void (*each) (const BnTraceFormat *format, gpointer data), gpointer data);

/* NULL with `error` set, which names the nearest. Returns: (transfer none). */
const BnTraceFormat *bn_trace_format_find (const char *name, GError **error);

/* The format of what begins with `head`, `length` bytes: NULL where nothing is like it, or with
 * `error` set for what is no trace of rows at all (an empty file, a page of HTML, a Git LFS
 * pointer, a workflow, an array), which is named. `name` is the file's in messages.
 * Returns: (transfer none). */
const BnTraceFormat *bn_trace_format_detect (const char *head, gsize length, const char *name, GError **error);

#endif
