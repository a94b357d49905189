/* row_reader.h: the rows of a trace in the order of the file, by its format.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Times are as they stand there: since 1970 for dates, since whatever the publisher chose
 * otherwise. trace_import.h puts them in order and counts from the first.
 */
#ifndef BN_ROW_READER_H
#define BN_ROW_READER_H

#include "input_error.h"
#include "trace_format.h"

typedef struct BnImportRow
{
  BnTime time_ns;          /* of arrival                                      */
  BnDuration duration_ns;  /* how long it took; -1: not known                 */
  uint32_t line;           /* where it begins                                 */
  char *const *fields;     /* texts of all columns, as they stand there, valid until the next row */
} BnImportRow;

typedef enum
{
  BN_ROW,
  BN_ROW_END,
  BN_ROW_SKIPPED,  /* well formed, but no arrival: *reason is set, a constant      */
  BN_ROW_REFUSED,  /* malformed: `error` is set, the next row may be read          */
  BN_ROW_ERROR     /* nothing more can be read: `error` is set                     */
} BnRowStatus;

typedef struct BnRowReader BnRowReader;

/* Opens `path` ("-": standard input). `format`: a name of bn_trace_format_find, "csv" (which
 * needs `map`), or NULL: told from what the file begins with. `map` says for csv what is where:
 * items separated by commas, of time=COLUMN:UNIT (needed; ns us ms s min h, or date),
 * duration=COLUMN:UNIT, start=COLUMN and end=COLUMN (instead, in the time's unit), separator=comma,
 * tab, semicolon or blank, header=yes or no (then columns are 1, 2, …), unknown=TEXT (says as little
 * as an empty field; may be given twice). `digest`: see byte_stream.h; `seed` is that of arrivals that a file of rates
 * drives. A file without arrivals is read to its end and
 * refused as what it is.
 * Returns: (transfer full), or NULL with `error` set. */
BnRowReader *bn_row_reader_open (const char *path, const char *format, const char *map, gboolean digest,
                                 uint64_t seed, GError **error);
void bn_row_reader_close (BnRowReader *reader);

/* Sets *ret to the format of the file at `path`, NULL where it is none that is known, and *is_plain to whether
 * it is neither compressed nor an archive. FALSE with `error` set where it cannot be read or is no table at all. */
gboolean bn_row_reader_detect (const char *path, const BnTraceFormat **ret, gboolean *is_plain, GError **error);

BnRowStatus bn_row_reader_next (BnRowReader *reader, BnImportRow *row, const char **reason, GError **error);

/* The column of that name; -1 with `error` set, which names the nearest and all. */
int bn_row_reader_find_column (const BnRowReader *reader, const char *name, GError **error);

/* Rows of the file read so far, whatever became of them. */
int64_t bn_row_reader_n_read (const BnRowReader *reader);

/* Each (transfer none). */
const char *bn_row_reader_name (const BnRowReader *reader);
const char *bn_row_reader_unread (const BnRowReader *reader);          /* of byte_stream.h, after BN_ROW_END */
const BnTraceFormat *bn_row_reader_format (const BnRowReader *reader);
const char *const *bn_row_reader_columns (const BnRowReader *reader);  /* NULL-terminated */
const char *bn_row_reader_digest (BnRowReader *reader);                /* after BN_ROW_END */

#endif
