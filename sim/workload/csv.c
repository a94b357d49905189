/* csv.c: a CSV file with a header, one record at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "csv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "units.h"

#define BLOCK_BYTES (1 << 16)
#define END_OF_FILE (-1)
#define READ_FAILED (-2)

struct BnCsv
{
  char *path;
  int fd;
  unsigned char *block;
  gsize used, filled;     /* of block */
  int problem;            /* errno of a read that failed */
  uint32_t line;          /* of the next byte */
  uint32_t record_line;
  GString *text;          /* fields of the record, each ended by NUL */
  gsize record_bytes;     /* read for it so far */
  GArray *starts;         /* gsize: where each field begins in text */
  char **header;          /* NULL-terminated; NULL while it is being read */
  guint n_columns;
  GChecksum *checksum;    /* NULL unless wanted */
};

static gboolean
refill (BnCsv *csv)
{
  gssize n;
  do
    n = read (csv->fd, csv->block, BLOCK_BYTES);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    csv->problem = errno;
  if (n <= 0)
    return FALSE;
  csv->used = 0;
  csv->filled = (gsize) n;
  if (csv->checksum != NULL)
    g_checksum_update (csv->checksum, csv->block, n);
  return TRUE;
}

/* The next byte without taking it. */
static inline int
peek_byte (BnCsv *csv)
{
  if (csv->used == csv->filled && !refill (csv))
    return csv->problem != 0 ? READ_FAILED : END_OF_FILE;
  return csv->block[csv->used];
}

static gboolean
fail_record (const BnCsv *csv, GError **error, const char *what)
{
  return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, bn_csv_place (csv), "%s", what);
}

static gboolean
fail_read (const BnCsv *csv, GError **error)
{
  return bn_input_fail (error, BN_INPUT_ERROR_READ, bn_csv_place (csv), "cannot be read: %s",
                        g_strerror (csv->problem));
}

/* Takes the byte that peek_byte showed. FALSE for one that no record may have. */
static inline gboolean
take_byte (BnCsv *csv, int c, GError **error)
{
  csv->used++;
  if (c == '\n')
    csv->line++;
  if (++csv->record_bytes > BN_CSV_MAX_RECORD)
    return fail_record (csv, error, "the line is longer than 1 MiB; is this a CSV file?");
  if (c == '\0')
    return fail_record (csv, error, "the line holds a NUL byte; is this a CSV file?");
  return TRUE;
}

/* After an opening quote, up to and including the closing one. */
static gboolean
read_quoted (BnCsv *csv, GError **error)
{
  for (;;)
    {
      int c = peek_byte (csv);
      if (c == READ_FAILED)
        return fail_read (csv, error);
      if (c == END_OF_FILE)
        return fail_record (csv, error, "a quoted field is never closed; add the missing \"");
      if (!take_byte (csv, c, error))
        return FALSE;
      if (c != '"')
        g_string_append_c (csv->text, (char) c);
      else if (peek_byte (csv) != '"')
        return TRUE;
      else if (!take_byte (csv, '"', error))
        return FALSE;
      else
        g_string_append_c (csv->text, '"');
    }
}

/* One field and the comma or line end after it. Sets *last when that ends the
 * record. */
static gboolean
read_field (BnCsv *csv, gboolean *last, GError **error)
{
  gsize start = csv->text->len;
  g_array_append_val (csv->starts, start);
  gboolean quoted = FALSE;
  for (;;)
    {
      int c = peek_byte (csv);
      if (c == READ_FAILED)
        return fail_read (csv, error);
      if (c != END_OF_FILE && !take_byte (csv, c, error))
        return FALSE;
      if (c == '\r' && peek_byte (csv) == '\n')
        continue;
      if (c == ',' || c == '\n' || c == END_OF_FILE)
        {
          g_string_append_c (csv->text, '\0');
          *last = c != ',';
          return TRUE;
        }
      if (quoted)
        return fail_record (csv, error, "text follows a quoted field; put a comma between them");
      if (c != '"')
        g_string_append_c (csv->text, (char) c);
      else if (csv->text->len > start)
        return fail_record (csv, error, "a quote stands inside a field; quote the whole field and double the quote");
      else if (!read_quoted (csv, error))
        return FALSE;
      else
        quoted = TRUE;
    }
}

static gboolean
is_blank (const BnCsv *csv)
{
  return csv->starts->len == 1 && csv->text->len == 1 && csv->record_bytes <= 2;
}

BnCsvStatus
bn_csv_next (BnCsv *csv, GError **error)
{
  do
    {
      csv->record_line = csv->line;
      csv->record_bytes = 0;
      g_string_truncate (csv->text, 0);
      g_array_set_size (csv->starts, 0);
      if (peek_byte (csv) == END_OF_FILE)
        return BN_CSV_END;
      for (gboolean last = FALSE; !last;)
        if (!read_field (csv, &last, error))
          return BN_CSV_ERROR;
    }
  while (is_blank (csv));
  if (csv->header != NULL && csv->starts->len != csv->n_columns)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, bn_csv_place (csv),
                     "the row has %u fields where the header has %u", csv->starts->len, csv->n_columns);
      return BN_CSV_ERROR;
    }
  return BN_CSV_RECORD;
}

static gboolean
read_header (BnCsv *csv, GError **error)
{
  static const unsigned char bom[] = { 0xef, 0xbb, 0xbf };
  if (peek_byte (csv) >= 0 && csv->filled >= sizeof bom && memcmp (csv->block, bom, sizeof bom) == 0)
    csv->used = sizeof bom;
  BnCsvStatus status = bn_csv_next (csv, error);
  if (status == BN_CSV_END)
    return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { csv->path, 0 },
                          "is empty; its first line must name the columns");
  if (status == BN_CSV_ERROR)
    return FALSE;
  csv->n_columns = csv->starts->len;
  csv->header = g_new0 (char *, csv->n_columns + 1);
  for (guint i = 0; i < csv->n_columns; i++)
    csv->header[i] = g_strstrip (g_strdup (bn_csv_field (csv, (int) i)));
  return TRUE;
}

BnCsv *
bn_csv_open (const char *path, gboolean digest, GError **error)
{
  BnPlace place = { path, 0 };
  struct stat status;
  /* O_NONBLOCK: a pipe must not keep us waiting for a writer before it is refused */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat (fd, &status) != 0)
    {
      bn_input_fail (error, BN_INPUT_ERROR_READ, place, "cannot be opened: %s; check the path", g_strerror (errno));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (status.st_mode))
    {
      bn_input_fail (error, BN_INPUT_ERROR_READ, place, "is not a regular file; name a CSV file");
      close (fd);
      return NULL;
    }
  BnCsv *csv = g_new0 (BnCsv, 1);
  csv->path = g_strdup (path);
  csv->fd = fd;
  csv->block = g_malloc (BLOCK_BYTES);
  csv->line = 1;
  csv->text = g_string_new (NULL);
  csv->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  csv->checksum = digest ? g_checksum_new (G_CHECKSUM_SHA256) : NULL;
  if (read_header (csv, error))
    return csv;
  bn_csv_close (csv);
  return NULL;
}

void
bn_csv_close (BnCsv *csv)
{
  if (csv == NULL)
    return;
  close (csv->fd);
  g_free (csv->path);
  g_free (csv->block);
  g_string_free (csv->text, TRUE);
  g_array_unref (csv->starts);
  g_strfreev (csv->header);
  if (csv->checksum != NULL)
    g_checksum_free (csv->checksum);
  g_free (csv);
}

int
bn_csv_find_column (const BnCsv *csv, const char *name, GError **error)
{
  for (guint i = 0; i < csv->n_columns; i++)
    if (strcmp (csv->header[i], name) == 0)
      return (int) i;
  char *quoted = bn_quote (name), *hint = bn_input_hint (name, (const char *const *) csv->header);
  char *names = g_strjoinv (", ", csv->header), *all = bn_quote (names);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { csv->path, 1 },
                 "there is no column %s%s; the header is %s", quoted, hint, all);
  g_free (quoted);
  g_free (hint);
  g_free (names);
  g_free (all);
  return -1;
}

const char *
bn_csv_field (const BnCsv *csv, int column)
{
  g_assert (column >= 0 && (guint) column < csv->starts->len);
  return csv->text->str + g_array_index (csv->starts, gsize, column);
}

BnPlace
bn_csv_place (const BnCsv *csv)
{
  return (BnPlace) { csv->path, csv->record_line };
}

const char *
bn_csv_digest (const BnCsv *csv)
{
  g_assert (csv->checksum != NULL);
  return g_checksum_get_string (csv->checksum);
}
