/* records.h: lines of fields, one record at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Fields are separated by one character, or by any number of blanks. Blanks around a
 * field are not part of it. With quotes, a field in double quotes may hold separators,
 * line ends and doubled quotes. LF and CRLF, a BOM and a missing last line end are
 * accepted; blank lines and comments are passed over. Memory: the longest record.
 * Unlike csv.h it takes records of any width, bytes from a BnByteStream, and is fast:
 * fields are cut in place.
 */
#ifndef BN_RECORDS_H
#define BN_RECORDS_H

#include "byte_stream.h"

#define BN_RECORDS_MAX_BYTES (16u << 20)

typedef struct BnRecordStyle
{
  char separator;   /* ',', '\t', ';'; ' ' is any number of blanks; '\0': a line is a field */
  char comment;     /* a line that begins with it is passed over; '\0': none            */
  gboolean quotes;
  gboolean objects; /* with '\0': a record is an object of an array in JSON, from { to }, however many lines it has */
} BnRecordStyle;

typedef enum
{
  BN_RECORD,
  BN_RECORD_END,
  BN_RECORD_BAD,    /* this record is malformed; the next may be read */
  BN_RECORD_ERROR   /* nothing more can be read                       */
} BnRecordStatus;

typedef struct BnRecords BnRecords;

/* Takes `stream`. */
BnRecords *bn_records_new (BnByteStream *stream);
void bn_records_free (BnRecords *records);

/* Before the first record: sets *text to what the file begins with, without a BOM, at least
 * its first line or 64 KiB of it, and *length. FALSE with `error` set. */
gboolean bn_records_head (BnRecords *records, const char **text, gsize *length, GError **error);

/* The number of fields goes to *n_fields. For all but BN_RECORD and BN_RECORD_END `error`
 * is set. */
BnRecordStatus bn_records_next (BnRecords *records, const BnRecordStyle *style, guint *n_fields, GError **error);

/* Of the record last read: texts ended by NUL, valid until the next one is read. */
char *const *bn_records_fields (const BnRecords *records);
BnPlace bn_records_place (const BnRecords *records);

/* How many records have been read, malformed ones too. */
int64_t bn_records_n_read (const BnRecords *records);
BnByteStream *bn_records_stream (const BnRecords *records);

/* Cuts `line` (changed) into fields as above, without quotes; for looking at a head.
 * Returns: (transfer container). */
GPtrArray *bn_records_split (char *line, char separator);

#endif
