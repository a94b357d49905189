/* row_reader.c: the rows of a trace in the order of the file, by its format.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "row_reader.h"

#include <string.h>

#include "count_reader.h"
#include "json_row.h"
#include "records.h"
#include "trace_map.h"
#include "units.h"
#include "window_reader.h"

struct BnRowReader
{
  BnRecords *records;
  const BnTraceFormat *format;
  BnTraceFormat own;        /* of a map */
  GStringChunk *strings;    /* of a map and of columns */
  BnRecordStyle style;
  GPtrArray *columns;       /* names, NULL-terminated */
  guint n_columns;
  guint n_fields;           /* that rows of the file have; 0: any number */
  int time, duration, start, end;  /* columns; -1: none */
  gboolean has_header;
  gboolean first_waits;     /* the first row was read to count its columns */
  BnWindowReader *windows;  /* NULL: rows are no windows */
  BnCountReader *counts;    /* NULL: rows are no numbers of arrivals */
  uint32_t line;            /* of the record that is taken apart */
  BnJsonRow *json;
  guint json_row;           /* the next one of the object last read */
  char *json_fields[BN_FORMAT_MAX_NAMES];
};

static BnPlace
file_place (const BnRowReader *r)
{
  return (BnPlace) { bn_row_reader_name (r), 0 };
}

static int
column_of (const BnRowReader *r, const char *name)
{
  for (guint i = 0; i < r->n_columns; i++)
    if (strcmp (g_ptr_array_index (r->columns, i), name) == 0)
      return (int) i;
  return -1;
}

int
bn_row_reader_find_column (const BnRowReader *reader, const char *name, GError **error)
{
  const char *const *known = bn_row_reader_columns (reader);
  int column = column_of (reader, name);

  if (column >= 0)
    return column;
  g_autofree char *quoted = bn_quote (name), *hint = bn_input_hint (name, known);
  g_autofree char *names = g_strjoinv (", ", (char **) known), *all = bn_quote (names);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { bn_row_reader_name (reader), 1 },
                 "there is no column %s%s; there are %s", quoted, hint, all);
  return -1;
}

/* -1 for no name, and where it may be missing. */
static gboolean
find_column (const BnRowReader *r, const char *name, gboolean needed, int *ret, GError **error)
{
  *ret = name == NULL ? -1 : needed ? bn_row_reader_find_column (r, name, error) : column_of (r, name);
  return *ret >= 0 || name == NULL || !needed;
}

/* All that the format reads; what its header need not have may be missing. */
static gboolean
find_columns (BnRowReader *r, GError **error)
{
  const BnTraceFormat *f = r->format;
  gboolean mapped = f == &r->own;

  for (const char *const *need = f->needs; *need != NULL; need++)
    {
      int column;
      if (f->json == BN_JSON_NONE && f->counts == NULL && !find_column (r, *need, TRUE, &column, error))
        return FALSE;
    }
  return find_column (r, f->time, TRUE, &r->time, error) && find_column (r, f->duration, mapped, &r->duration, error)
         && find_column (r, f->start, mapped, &r->start, error) && find_column (r, f->end, mapped, &r->end, error);
}

static void
add_column (BnRowReader *r, const char *name)
{
  g_ptr_array_add (r->columns, g_string_chunk_insert (r->strings, name));
}

/* The columns from the first number on are one: which of them it was. */
static gboolean
name_counts (BnRowReader *r, GError **error)
{
  guint first = 0;

  while (first < r->columns->len && strcmp (g_ptr_array_index (r->columns, first), r->format->counts) != 0)
    first++;
  if (first == r->columns->len)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { bn_row_reader_name (r), 1 },
                          "there is no column %s, where numbers of arrivals would begin", r->format->counts);
  g_ptr_array_set_size (r->columns, (int) first);
  add_column (r, r->format->time);
  return TRUE;
}

/* Headers are rows of names; without one a map's columns are numbered. */
static gboolean
read_header (BnRowReader *r, GError **error)
{
  guint n = 0;

  if (r->format->json != BN_JSON_NONE || (r->format->headless && r->format != &r->own))
    {
      for (const char *const *name = r->format->names; *name != NULL; name++)
        add_column (r, *name);
      r->n_columns = r->columns->len;
      r->n_fields = r->format->counts != NULL ? 0 : r->n_columns;
      g_ptr_array_add (r->columns, NULL);
      return TRUE;
    }
  BnRecordStatus status = bn_records_next (r->records, &r->style, &n, error);
  if (status == BN_RECORD_END)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, file_place (r), "holds no rows; is the download complete?");
  if (status != BN_RECORD)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i + 1);
      add_column (r, r->format->headless ? number : bn_records_fields (r->records)[i]);
    }
  r->n_fields = n;
  if (r->format->counts != NULL && !name_counts (r, error))
    return FALSE;
  r->n_columns = r->columns->len;
  r->first_waits = r->format->headless;
  r->has_header = !r->format->headless;
  g_ptr_array_add (r->columns, NULL);
  return TRUE;
}

gboolean
bn_row_reader_detect (const char *path, const BnTraceFormat **ret, gboolean *is_plain, GError **error)
{
  BnByteStream *stream = bn_byte_stream_open (path, FALSE, error);
  const char *head;
  gsize length;
  GError *problem = NULL;

  if (stream == NULL)
    return FALSE;
  BnRecords *records = bn_records_new (stream);
  *is_plain = bn_byte_stream_is_plain (stream);
  if (bn_records_head (records, &head, &length, &problem))
    *ret = bn_trace_format_detect (head, length, bn_byte_stream_name (stream), &problem);
  bn_records_free (records);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

static gboolean
choose_format (BnRowReader *r, const char *name, const char *map, GError **error)
{
  const char *head;
  gsize length;
  GError *other = NULL;

  if (!bn_records_head (r->records, &head, &length, error))
    return FALSE;
  /* also where the format is named: what is no table at all is said to be that */
  const BnTraceFormat *detected = bn_trace_format_detect (head, length, bn_row_reader_name (r), &other);
  if (other != NULL)
    {
      g_propagate_error (error, other);
      return FALSE;
    }
  if (map != NULL && name != NULL && strcmp (name, "csv") != 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "a map is for csv; %s knows its columns", name);
  if (map != NULL)
    {
      r->format = &r->own;
      return bn_trace_map_parse (map, &r->own, r->strings, error);
    }
  if (name != NULL && strcmp (name, "csv") == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "csv needs a map that says what is where, as time=COLUMN:UNIT");
  r->format = name != NULL ? bn_trace_format_find (name, error) : detected;
  if (r->format != NULL)
    return TRUE;
  if (name != NULL)
    return FALSE;
  g_autofree char *line = g_strndup (head, MIN (length, strcspn (head, "\r\n"))), *quoted = bn_quote (line);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { bn_row_reader_name (r), 1 },
                        "%s is the first line of no format that is known; name the format, or give a map: "
                        "time=COLUMN:UNIT", quoted);
}

/* Reads all of a file without arrivals, to say how much of what it is. */
static gboolean
fail_without_times (BnRowReader *r, GError **error)
{
  gint64 n_rows = 0;
  guint n;
  BnRecordStatus status;

  while ((status = bn_records_next (r->records, &r->style, &n, error)) == BN_RECORD)
    n_rows++;
  if (status != BN_RECORD_END)
    return FALSE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, file_place (r),
                        "holds no arrivals: %" G_GINT64_FORMAT " %s", n_rows, r->format->what);
}

BnRowReader *
bn_row_reader_open (const char *path, const char *format, const char *map, gboolean digest, uint64_t seed,
                    GError **error)
{
  BnByteStream *stream = bn_byte_stream_open (path, digest, error);

  if (stream == NULL)
    return NULL;
  BnRowReader *r = g_new0 (BnRowReader, 1);
  r->records = bn_records_new (stream);
  r->strings = g_string_chunk_new (256);
  r->columns = g_ptr_array_new ();
  if (choose_format (r, format, map, error))
    {
      r->style = (BnRecordStyle) { .separator = r->format->json != BN_JSON_NONE ? '\0' : r->format->separator,
                                   .comment = r->format->comment,
                                   .quotes = r->format->separator == ',' || r->format->separator == ';',
                                   .objects = r->format->json == BN_JSON_ARRAY };
      if (r->format->json != BN_JSON_NONE)
        r->json = bn_json_row_new ();
      if (read_header (r, error)
          && (r->format->time != NULL ? find_columns (r, error) : fail_without_times (r, error)))
        {
          if (r->format->windows)
            r->windows = bn_window_reader_new (r->records, &r->style, r->n_columns, seed);
          if (r->format->counts != NULL)
            r->counts = bn_count_reader_new (r->n_columns - 1, r->format->time_unit_ns, r->format->headless, seed);
          return r;
        }
    }
  bn_row_reader_close (r);
  return NULL;
}

void
bn_row_reader_close (BnRowReader *reader)
{
  if (reader == NULL)
    return;
  bn_records_free (reader->records);
  bn_window_reader_free (reader->windows);
  bn_count_reader_free (reader->counts);
  bn_json_row_free (reader->json);
  g_string_chunk_free (reader->strings);
  g_ptr_array_unref (reader->columns);
  g_free (reader);
}

static gboolean
is_known (const BnRowReader *r, const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (r->format->unknown); i++)
    if (r->format->unknown[i] != NULL && strcmp (text, r->format->unknown[i]) == 0)
      return FALSE;
  return *text != '\0';
}

static gboolean
fail_field (const BnRowReader *r, int column, const char *text, const char *what, GError **error)
{
  g_autofree char *quoted = bn_quote (text);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, bn_records_place (r->records), "%s: %s is no %s",
                        (const char *) g_ptr_array_index (r->columns, column), quoted, what);
}

/* A time in the unit of the format's times. */
static gboolean
scan_time (const BnRowReader *r, int column, const char *text, BnTime *ret, GError **error)
{
  BnDuration unit_ns = r->format->time_unit_ns;

  if (unit_ns == BN_UNIT_DATE)
    return bn_scan_date (text, ret) || fail_field (r, column, text, "date, as 2023-11-16 18:17:03.98", error);
  return bn_scan_time (text, unit_ns, ret) || fail_field (r, column, text, "time, a number below 292 years", error);
}

/* Sets row->duration_ns; one that is not known, or less than nothing, is -1. */
static gboolean
read_duration (const BnRowReader *r, BnImportRow *row, GError **error)
{
  BnTime start_ns, end_ns;

  row->duration_ns = -1;
  if (r->duration >= 0)
    {
      const char *text = row->fields[r->duration];
      if (is_known (r, text) && !bn_scan_time (text, r->format->duration_unit_ns, &row->duration_ns))
        return fail_field (r, r->duration, text, "duration, a number below 292 years", error);
    }
  else if (r->start >= 0 && r->end >= 0 && is_known (r, row->fields[r->start]) && is_known (r, row->fields[r->end]))
    {
      if (!scan_time (r, r->start, row->fields[r->start], &start_ns, error)
          || !scan_time (r, r->end, row->fields[r->end], &end_ns, error))
        return FALSE;
      if (__builtin_sub_overflow (end_ns, start_ns, &row->duration_ns))
        row->duration_ns = -1;
    }
  row->duration_ns = MAX (row->duration_ns, -1);
  return TRUE;
}

static BnRowStatus
interpret (const BnRowReader *r, BnImportRow *row, const char **reason, GError **error)
{
  const char *time = row->fields[r->time];

  if (!is_known (r, time))
    {
      *reason = "without a time";
      return BN_ROW_SKIPPED;
    }
  if (!scan_time (r, r->time, time, &row->time_ns, error) || !read_duration (r, row, error))
    return BN_ROW_REFUSED;
  if (!r->format->time_is_end)
    return BN_ROW;
  if (row->duration_ns < 0)
    {
      *reason = "without a duration, which the arrival needs";
      return BN_ROW_SKIPPED;
    }
  if (!__builtin_sub_overflow (row->time_ns, row->duration_ns, &row->time_ns))
    return BN_ROW;
  fail_field (r, r->time, time, "end after that duration", error);
  return BN_ROW_REFUSED;
}

/* Says where what went wrong without a place did. */
static BnRowStatus
refuse (const BnRowReader *r, GError **error)
{
  BnPlace place = bn_records_place (r->records);

  g_prefix_error (error, "%s:%u: ", place.file, place.line);
  return BN_ROW_REFUSED;
}

/* The next row of the object last read. */
static BnRowStatus
next_json (BnRowReader *r, BnImportRow *row, const char **reason, GError **error)
{
  bn_json_row_fields (r->json, r->json_row++, r->format->names, r->json_fields);
  row->fields = r->json_fields;
  return interpret (r, row, reason, error);
}

/* The record last read, or the first of the arrivals in it. */
static BnRowStatus
take_record (BnRowReader *r, guint n, BnImportRow *row, const char **reason, GError **error)
{
  if (r->json != NULL)
    {
      r->json_row = 0;
      if (!bn_json_row_parse (r->json, bn_records_fields (r->records)[0], r->format->each, error))
        return refuse (r, error);
      *reason = "without requests";
      return bn_json_row_n_rows (r->json) > 0 ? next_json (r, row, reason, error) : BN_ROW_SKIPPED;
    }
  if (r->n_fields > 0 && n != r->n_fields)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, bn_records_place (r->records),
                     "the row has %u fields where there are %u columns", n, r->n_fields);
      return BN_ROW_REFUSED;
    }
  if (r->counts != NULL)
    {
      if (!bn_count_reader_take (r->counts, bn_records_fields (r->records), n, error))
        return refuse (r, error);
      *reason = "without requests";
      return bn_count_reader_next (r->counts, row) ? BN_ROW : BN_ROW_SKIPPED;
    }
  row->fields = bn_records_fields (r->records);
  return interpret (r, row, reason, error);
}

BnRowStatus
bn_row_reader_next (BnRowReader *reader, BnImportRow *row, const char **reason, GError **error)
{
  BnRowReader *r = reader;
  BnRecordStatus status = BN_RECORD;
  guint n = r->n_columns;

  if (r->windows != NULL)
    return bn_window_reader_next (r->windows, row, reason, error);
  row->line = r->line;
  if (r->json != NULL && r->json_row < bn_json_row_n_rows (r->json))
    return next_json (r, row, reason, error);
  if (r->counts != NULL && bn_count_reader_next (r->counts, row))
    return BN_ROW;
  if (r->first_waits)
    r->first_waits = FALSE;
  else
    status = bn_records_next (r->records, &r->style, &n, error);
  row->line = r->line = bn_records_place (r->records).line;
  switch (status)
    {
    case BN_RECORD_END:
      return BN_ROW_END;
    case BN_RECORD_BAD:
      return BN_ROW_REFUSED;
    case BN_RECORD_ERROR:
      return BN_ROW_ERROR;
    case BN_RECORD:
      break;
    }
  return take_record (r, n, row, reason, error);
}

int64_t
bn_row_reader_n_read (const BnRowReader *reader)
{
  return bn_records_n_read (reader->records) - (reader->has_header ? 1 : 0);
}

const char *
bn_row_reader_name (const BnRowReader *reader)
{
  return bn_byte_stream_name (bn_records_stream (reader->records));
}

const char *
bn_row_reader_unread (const BnRowReader *reader)
{
  return bn_byte_stream_unread (bn_records_stream (reader->records));
}

const BnTraceFormat *
bn_row_reader_format (const BnRowReader *reader)
{
  return reader->format;
}

const char *const *
bn_row_reader_columns (const BnRowReader *reader)
{
  return (const char *const *) reader->columns->pdata;
}

const char *
bn_row_reader_digest (BnRowReader *reader)
{
  return bn_byte_stream_digest (bn_records_stream (reader->records));
}
