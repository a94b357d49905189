/* records.c: lines of fields, one record at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "records.h"

#include <string.h>

#define HEAD_BYTES (1u << 16)

struct BnRecords
{
  BnByteStream *stream;
  char *buffer;          /* one byte more than `room`, for a last NUL */
  gsize room, begin, end;
  gboolean at_end;       /* of the stream */
  gboolean started;      /* the BOM has been looked for */
  uint32_t line;         /* of the next record */
  uint32_t record_line;
  int64_t n_read;
  GPtrArray *fields;     /* into buffer */
};

BnRecords *
bn_records_new (BnByteStream *stream)
{
  BnRecords *r = g_new0 (BnRecords, 1);

  r->stream = stream;
  r->room = HEAD_BYTES;
  r->buffer = g_malloc (r->room + 1);
  r->line = 1;
  r->fields = g_ptr_array_new ();
  return r;
}

void
bn_records_free (BnRecords *records)
{
  if (records == NULL)
    return;
  bn_byte_stream_close (records->stream);
  g_ptr_array_unref (records->fields);
  g_free (records->buffer);
  g_free (records);
}

/* One block more behind what there is, which moves to the front. */
static gboolean
fill (BnRecords *r, GError **error)
{
  const char *block;
  gsize length;

  if (!bn_byte_stream_next (r->stream, &block, &length, error))
    return FALSE;
  r->at_end = length == 0;
  if (r->begin > 0)
    {
      memmove (r->buffer, r->buffer + r->begin, r->end - r->begin);
      r->end -= r->begin;
      r->begin = 0;
    }
  if (r->end + length > r->room)
    {
      r->room = MAX (2 * r->room, r->end + length);
      r->buffer = g_realloc (r->buffer, r->room + 1);
    }
  if (length > 0)
    memcpy (r->buffer + r->end, block, length);
  r->end += length;
  return TRUE;
}

static gboolean
start (BnRecords *r, GError **error)
{
  static const char bom[] = "\xef\xbb\xbf";

  while (!r->at_end && r->end < HEAD_BYTES && (r->end < 4 || memchr (r->buffer, '\n', r->end) == NULL))
    if (!fill (r, error))
      return FALSE;
  if (!r->started && r->end >= 3 && memcmp (r->buffer, bom, 3) == 0)
    r->begin = 3;
  r->started = TRUE;
  return TRUE;
}

gboolean
bn_records_head (BnRecords *records, const char **text, gsize *length, GError **error)
{
  if (!start (records, error))
    return FALSE;
  *text = records->buffer + records->begin;
  *length = records->end - records->begin;
  return TRUE;
}

static BnRecordStatus
fail (BnRecords *r, BnRecordStatus status, GError **error, const char *what)
{
  bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, bn_records_place (r), "%s", what);
  return status;
}

static inline gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* Whether the quote at `at` of a record begins a field: one inside a field is a character like any other. */
static gboolean
begins_field (const char *record, gsize at, char separator)
{
  while (at > 0 && is_blank (record[at - 1]))
    at--;
  return at == 0 || record[at - 1] == separator;
}

/* Finds the end of the record that begins at r->begin: the line end, or the end of the
 * file. *length is without it, *next where the next record begins, both from r->begin. */
static BnRecordStatus
find_end (BnRecords *r, const BnRecordStyle *style, gsize *length, gsize *next, GError **error)
{
  gsize at = 0, closed = 0; /* behind the last closing quote */
  gboolean quoted = FALSE;

  for (;;)
    {
      const char *record = r->buffer + r->begin, *from = record + at;
      gsize rest = r->end - r->begin - at;
      const char *line_end = rest == 0 ? NULL : memchr (from, '\n', rest);
      gsize span = line_end != NULL ? (gsize) (line_end - from) : rest;

      if (style->quotes)
        for (const char *quote = memchr (from, '"', span); quote != NULL;
             quote = memchr (quote + 1, '"', (gsize) (from + span - quote - 1)))
          {
            gsize place = (gsize) (quote - record);
            if (quoted)
              closed = place + 1;
            /* right behind a closing quote, the two are a doubled one */
            quoted = !quoted && ((closed > 0 && place == closed) || begins_field (record, place, style->separator));
          }
      at += span;
      if (line_end != NULL)
        {
          r->line++;
          if (!quoted)
            break;
          at++;
        }
      else if (r->at_end)
        break;
      else if (!fill (r, error))
        return BN_RECORD_ERROR;
      if (at > BN_RECORDS_MAX_BYTES)
        return fail (r, BN_RECORD_ERROR, error, quoted ? "a quoted field is not closed for 16 MiB; add the missing \""
                                                       : "the line is longer than 16 MiB; is this a trace?");
    }
  if (quoted)
    return fail (r, BN_RECORD_ERROR, error, "a quoted field is never closed; add the missing \"");
  *length = at;
  *next = MIN (at + 1, r->end - r->begin);
  return BN_RECORD;
}

/* More bytes behind `at`, from r->begin; FALSE at the end of the file, or with *status an error. */
static gboolean
more (BnRecords *r, gsize at, BnRecordStatus *status, GError **error)
{
  while (r->begin + at >= r->end && !r->at_end)
    if (!fill (r, error))
      {
        *status = BN_RECORD_ERROR;
        return FALSE;
      }
  return r->begin + at < r->end;
}

/* What may stand between the objects of an array. */
static gboolean
parts_objects (char c)
{
  return c != '\0' && strchr (" \t\r\n,[]", c) != NULL;
}

/* As find_end: the record is the next object of an array. */
static BnRecordStatus
find_object (BnRecords *r, gsize *length, gsize *next, GError **error)
{
  BnRecordStatus status = BN_RECORD;
  gboolean quoted = FALSE;
  gsize at = 0, depth = 0;

  for (; more (r, 0, &status, error) && parts_objects (r->buffer[r->begin]); r->begin++)
    r->line += r->buffer[r->begin] == '\n';
  r->record_line = r->line;
  *length = *next = 0;
  if (!more (r, 0, &status, error))
    return status;
  if (r->buffer[r->begin] != '{')
    return fail (r, BN_RECORD_ERROR, error, "here an object in JSON, { ... }, should begin");
  do
    {
      if (!more (r, at, &status, error))
        return status != BN_RECORD ? status
                                   : fail (r, BN_RECORD_ERROR, error, "the object never ends; is the download complete?");
      if (at > BN_RECORDS_MAX_BYTES)
        return fail (r, BN_RECORD_ERROR, error, "the object is longer than 16 MiB; is this a trace?");
      char c = r->buffer[r->begin + at++];
      r->line += c == '\n';
      if (c == '"')
        quoted = !quoted;
      else if (quoted && c == '\\')
        at++;
      else if (!quoted)
        depth += (c == '{') - (c == '}');
    }
  while (depth > 0);
  *length = *next = at;
  if (!more (r, at, &status, error))
    return status;
  if (!parts_objects (r->buffer[r->begin + at])) /* also: a NUL is put there */
    return fail (r, BN_RECORD_ERROR, error, "a comma should follow the object");
  r->line += r->buffer[r->begin + at] == '\n';
  *next = at + 1;
  return BN_RECORD;
}

/* Adds the field from `begin` to `end`, which may be written to, without blanks around it. */
static inline void
add_field (GPtrArray *fields, char *begin, char *end)
{
  while (begin < end && is_blank (*begin))
    begin++;
  while (end > begin && is_blank (end[-1]))
    end--;
  *end = '\0';
  g_ptr_array_add (fields, begin);
}

static void
split_blanks (GPtrArray *fields, char *at, char *end)
{
  for (;;)
    {
      while (at < end && is_blank (*at))
        at++;
      if (at == end)
        return;
      char *begin = at;
      while (at < end && !is_blank (*at))
        at++;
      *at = '\0';
      g_ptr_array_add (fields, begin);
      at += at < end;
    }
}

static void
split_plain (GPtrArray *fields, char *at, char *end, char separator)
{
  for (;;)
    {
      char *begin = at;
      while (at < end && *at != separator)
        at++;
      gboolean last = at == end;
      add_field (fields, begin, at);
      if (last)
        return;
      at++;
    }
}

/* Takes quotes off in place: what is written is never beyond what has been read. */
static gboolean
split_quoted (GPtrArray *fields, char *at, char *end, char separator)
{
  for (;;)
    {
      while (at < end && is_blank (*at))
        at++;
      char *begin = at, *to = at;
      if (at < end && *at == '"')
        {
          for (at++; at < end && (*at != '"' || at[1] == '"'); at++)
            {
              at += *at == '"';
              *to++ = *at;
            }
          if (at >= end)
            return FALSE;
          for (at++; at < end && is_blank (*at);)
            at++;
          if (at < end && *at != separator)
            return FALSE;
          gboolean ends = at == end;
          *to = '\0';
          g_ptr_array_add (fields, begin);
          if (ends)
            return TRUE;
        }
      else
        {
          while (at < end && *at != separator && *at != '"')
            at++;
          if (at < end && *at == '"')
            return FALSE;
          gboolean ends = at == end;
          add_field (fields, begin, at);
          if (ends)
            return TRUE;
        }
      at++;
    }
}

static BnRecordStatus
split (BnRecords *r, const BnRecordStyle *style, char *text, gsize length, GError **error)
{
  if (memchr (text, '\0', length) != NULL)
    return fail (r, BN_RECORD_BAD, error, "the line holds a NUL byte; is this a trace?");
  char *end = text + length;
  *end = '\0';
  g_ptr_array_set_size (r->fields, 0);
  if (style->separator == ' ')
    split_blanks (r->fields, text, end);
  else if (style->quotes && memchr (text, '"', length) != NULL)
    {
      if (!split_quoted (r->fields, text, end, style->separator))
        return fail (r, BN_RECORD_BAD, error,
                     "a quote stands inside a field; quote the whole field and double the quote");
    }
  else
    split_plain (r->fields, text, end, style->separator);
  return BN_RECORD;
}

BnRecordStatus
bn_records_next (BnRecords *records, const BnRecordStyle *style, guint *n_fields, GError **error)
{
  BnRecords *r = records;

  if (!r->started && !start (r, error))
    return BN_RECORD_ERROR;
  for (;;)
    {
      gsize length, next;

      r->record_line = r->line;
      if (r->begin == r->end && !r->at_end && !fill (r, error))
        return BN_RECORD_ERROR;
      if (r->begin == r->end && r->at_end)
        return BN_RECORD_END;
      BnRecordStatus status = style->objects ? find_object (r, &length, &next, error)
                                             : find_end (r, style, &length, &next, error);
      if (status != BN_RECORD)
        return status;
      char *text = r->buffer + r->begin;
      r->begin += next;
      while (length > 0 && (text[length - 1] == '\r' || text[length - 1] == ' '))
        length--;
      if (length == 0 || (style->comment != '\0' && *text == style->comment))
        continue;
      status = split (r, style, text, length, error);
      if (status == BN_RECORD && r->fields->len == 0)
        continue;
      r->n_read++;
      *n_fields = r->fields->len;
      return status;
    }
}

char *const *
bn_records_fields (const BnRecords *records)
{
  return (char *const *) records->fields->pdata;
}

BnPlace
bn_records_place (const BnRecords *records)
{
  return (BnPlace) { bn_byte_stream_name (records->stream), records->record_line };
}

int64_t
bn_records_n_read (const BnRecords *records)
{
  return records->n_read;
}

BnByteStream *
bn_records_stream (const BnRecords *records)
{
  return records->stream;
}

GPtrArray *
bn_records_split (char *line, char separator)
{
  GPtrArray *fields = g_ptr_array_new ();
  char *end = line + strcspn (line, "\r\n");

  if (separator == ' ')
    split_blanks (fields, line, end);
  else
    split_plain (fields, line, end, separator);
  return fields;
}
