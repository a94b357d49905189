/* trace_import.h: an arrival trace of any known format, as a stream of arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Rows come in order of time. Times are counted from where the publisher counts, for dates from
 * the first row. Memory does not grow with the length of the trace. What becomes of each row is
 * counted.
 */
#ifndef BN_TRACE_IMPORT_H
#define BN_TRACE_IMPORT_H

#include "row_reader.h"

typedef struct BnImportOptions
{
  const char *format, *map;  /* of bn_row_reader_open; NULL             */
  gboolean sort;             /* rows may come in any order              */
  gboolean keep_going;       /* malformed rows are counted, no error    */
  gboolean digest;           /* see byte_stream.h                       */
  BnTime from_ns, to_ns;     /* >= 0: rows at or after, and before; times as counted above */
  double sample;             /* each row is kept with this probability; 1: all       */
  uint64_t seed;             /* of that, and of arrivals that a file of rates drives */
  double time_scale;         /* times kept are multiplied by it         */
  gboolean from_zero;        /* the first row kept comes at 0           */
  BnDuration shift_ns;       /* then this is added                      */
  int64_t limit;             /* stop after so many rows                 */
} BnImportOptions;

/* All rows, as they are, but for those before time 0: they came before the trace began. */
#define BN_IMPORT_ALL \
  ((BnImportOptions) { .to_ns = BN_TIME_NEVER, .sample = 1, .seed = 1, .time_scale = 1, .limit = INT64_MAX })

/* Rows that became no arrivals, for one reason. */
typedef struct BnImportLoss
{
  const char *reason;    /* "without a time", …; constant                */
  char *message;         /* of a malformed row: what is wrong; or NULL   */
  gboolean refused;      /* malformed; else skipped                      */
  uint32_t first_line;
  int64_t n_rows;
} BnImportLoss;

typedef struct BnTraceImport BnTraceImport;

/* `options` is copied, its strings are borrowed until the end. With `sort` all is read here.
 * Returns: (transfer full), or NULL with `error` set. */
BnTraceImport *bn_trace_import_open (const char *path, const BnImportOptions *options, GError **error);
void bn_trace_import_close (BnTraceImport *import);

/* BN_ROW; BN_ROW_END; or BN_ROW_ERROR with `error` set: for a malformed row unless keep_going, for rows
 * out of order unless sort, and for a trace that gives no row at all. */
BnRowStatus bn_trace_import_next (BnTraceImport *import, BnImportRow *row, GError **error);

/* Each (transfer none). */
const BnTraceFormat *bn_trace_import_format (const BnTraceImport *import);
const char *const *bn_trace_import_columns (const BnTraceImport *import);
const char *bn_trace_import_digest (BnTraceImport *import);         /* after the end, of the file's own bytes */
const char *bn_trace_import_unread (const BnTraceImport *import);   /* of byte_stream.h, after the end of the file */
const GArray *bn_trace_import_losses (const BnTraceImport *import); /* of BnImportLoss, in order of their first */
int64_t bn_trace_import_n_read (const BnTraceImport *import);       /* rows of the file, whatever became of them */
int bn_trace_import_find_column (const BnTraceImport *import, const char *name, GError **error); /* as row_reader.h */
BnPlace bn_trace_import_place (const BnTraceImport *import, const BnImportRow *row);

#endif
