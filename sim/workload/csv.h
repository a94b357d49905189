/* csv.h: a CSV file with a header, one record at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Fields are separated by commas. A field in double quotes may hold commas, line
 * ends and doubled quotes. LF and CRLF, a BOM and a missing last line end are
 * accepted; blank lines are passed over. Memory: one record.
 *
 * Refused with FILE:LINE (the line where the record begins): a record with
 * another number of fields than the header, text beside a quoted field, a quote
 * that is never closed, a NUL byte, a record longer than BN_CSV_MAX_RECORD. Only
 * regular files are accepted, so that a run can read one again.
 */
#ifndef BN_CSV_H
#define BN_CSV_H

#include "input_error.h"

#define BN_CSV_MAX_RECORD (1u << 20)

typedef struct BnCsv BnCsv;

typedef enum
{
  BN_CSV_RECORD,
  BN_CSV_END,
  BN_CSV_ERROR
} BnCsvStatus;

/* Opens `path` and reads its header. `digest`: the bytes are hashed as well.
 * NULL with `error` set. Returns: (transfer full). */
BnCsv *bn_csv_open (const char *path, gboolean digest, GError **error);
void bn_csv_close (BnCsv *csv);

/* The column of that name; -1 with `error` set (the nearest name is given). */
int bn_csv_find_column (const BnCsv *csv, const char *name, GError **error);

BnCsvStatus bn_csv_next (BnCsv *csv, GError **error);

/* Of the record last read; valid until the next one is. */
const char *bn_csv_field (const BnCsv *csv, int column);
BnPlace bn_csv_place (const BnCsv *csv);

/* SHA-256 of the file's bytes, hexadecimal; valid after BN_CSV_END. */
const char *bn_csv_digest (const BnCsv *csv);

#endif
