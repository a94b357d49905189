/* trace_import.c: an arrival trace of any known format, as a stream of arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_import.h"

#include <string.h>

#include "rng.h"
#include "row_sorter.h"

struct BnTraceImport
{
  BnImportOptions options;
  BnRowReader *reader;
  BnRowSorter *sorter;     /* NULL: rows come in order */
  BnRng sample;
  gboolean has_origin;     /* a row has been seen */
  BnTime origin_ns;        /* of dates: the first row's; else 0 */
  BnTime last_ns;          /* of the row before, from the origin */
  gboolean has_first;      /* a row has been kept */
  BnTime first_ns;         /* of that, scaled */
  int64_t n_kept;
  GArray *losses;          /* of BnImportLoss */
};

static void
clear_loss (gpointer data)
{
  g_free (((BnImportLoss *) data)->message);
}

static BnImportLoss *
count_loss (BnTraceImport *im, const char *reason, uint32_t line)
{
  for (guint i = 0; i < im->losses->len; i++)
    {
      BnImportLoss *loss = &g_array_index (im->losses, BnImportLoss, i);
      if (strcmp (loss->reason, reason) == 0)
        {
          loss->n_rows++;
          return loss;
        }
    }
  BnImportLoss new_loss = { .reason = reason, .first_line = line, .n_rows = 1 };
  g_array_append_val (im->losses, new_loss);
  return &g_array_index (im->losses, BnImportLoss, im->losses->len - 1);
}

/* The next row of the file that is an arrival, in the order of the file. */
static BnRowStatus
read_row (BnTraceImport *im, BnImportRow *row, GError **error)
{
  for (;;)
    {
      const char *reason = NULL;
      GError *malformed = NULL;
      BnRowStatus status = bn_row_reader_next (im->reader, row, &reason, &malformed);

      if (status == BN_ROW_SKIPPED)
        count_loss (im, reason, row->line);
      else if (status == BN_ROW_REFUSED && im->options.keep_going)
        {
          BnImportLoss *loss = count_loss (im, "malformed", row->line);
          loss->refused = TRUE;
          if (loss->message == NULL)
            loss->message = g_strdup (malformed->message);
          g_error_free (malformed);
        }
      else
        {
          if (malformed != NULL)
            g_propagate_error (error, malformed);
          return status == BN_ROW_REFUSED ? BN_ROW_ERROR : status;
        }
    }
}

static guint
n_columns (const BnTraceImport *im)
{
  return g_strv_length ((char **) bn_row_reader_columns (im->reader));
}

static gboolean
sort_all (BnTraceImport *im, GError **error)
{
  BnImportRow row;
  BnRowStatus status;

  im->sorter = bn_row_sorter_new (n_columns (im), BN_ROW_SORTER_MEMORY_BYTES);
  while ((status = read_row (im, &row, error)) == BN_ROW)
    if (!bn_row_sorter_add (im->sorter, &row, error))
      return FALSE;
  return status == BN_ROW_END && bn_row_sorter_finish (im->sorter, error);
}

BnTraceImport *
bn_trace_import_open (const char *path, const BnImportOptions *options, GError **error)
{
  BnRowReader *reader = bn_row_reader_open (path, options->format, options->map, options->digest,
                                            options->seed, error);

  if (reader == NULL)
    return NULL;
  BnTraceImport *im = g_new0 (BnTraceImport, 1);
  im->options = *options;
  im->reader = reader;
  im->losses = g_array_new (FALSE, FALSE, sizeof (BnImportLoss));
  g_array_set_clear_func (im->losses, clear_loss);
  bn_rng_init (&im->sample, options->seed, "sample");
  if (!options->sort || sort_all (im, error))
    return im;
  bn_trace_import_close (im);
  return NULL;
}

void
bn_trace_import_close (BnTraceImport *import)
{
  if (import == NULL)
    return;
  bn_row_reader_close (import->reader);
  bn_row_sorter_free (import->sorter);
  g_array_unref (import->losses);
  g_free (import);
}

BnPlace
bn_trace_import_place (const BnTraceImport *import, const BnImportRow *row)
{
  return (BnPlace) { bn_row_reader_name (import->reader), row->line };
}

/* From the publisher's clock to times from the origin; rows out of order are refused. */
static gboolean
count_from_origin (BnTraceImport *im, BnImportRow *row, GError **error)
{
  gboolean first = !im->has_origin;

  if (first && bn_row_reader_format (im->reader)->time_unit_ns == BN_UNIT_DATE)
    im->origin_ns = row->time_ns;
  im->has_origin = TRUE;
  row->time_ns -= im->origin_ns;
  if (!first && row->time_ns < im->last_ns)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, bn_trace_import_place (im, row),
                          "comes before the row before it; have rows put in order (--sort, or trace-sort = on)");
  im->last_ns = row->time_ns;
  return TRUE;
}

static gboolean
move (BnTraceImport *im, BnImportRow *row, GError **error)
{
  const BnImportOptions *o = &im->options;

  gboolean fits = TRUE;

  if (o->time_scale != 1)
    {
      row->time_ns = bn_round_half_up ((double) row->time_ns * o->time_scale);
      fits = row->time_ns < BN_TIME_NEVER; /* else all that are too late would share a time */
    }
  if (!im->has_first)
    im->first_ns = o->from_zero ? row->time_ns : 0;
  im->has_first = TRUE;
  row->time_ns = bn_time_add (row->time_ns - im->first_ns, o->shift_ns);
  if (fits && row->time_ns < BN_TIME_NEVER / 2)
    return TRUE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, bn_trace_import_place (im, row),
                        "comes later than 146 years; check the unit");
}

/* Why the row, whose time is from the origin, is not wanted; NULL where it is. */
static const char *
unwanted (BnTraceImport *im, const BnImportRow *row)
{
  if (row->time_ns < im->options.from_ns)
    return im->options.from_ns > 0 ? "before the time from which rows are kept" : "before time 0";
  if (row->time_ns >= im->options.to_ns)
    return "after the time up to which rows are kept";
  if (im->options.sample < 1 && bn_rng_uniform (&im->sample) >= im->options.sample)
    return "not in the sample";
  return NULL;
}

static BnRowStatus
end (BnTraceImport *im, GError **error)
{
  if (im->n_kept > 0)
    return BN_ROW_END;
  const BnImportLoss *loss = im->losses->len > 0 ? &g_array_index (im->losses, BnImportLoss, 0) : NULL;
  BnPlace place = { bn_row_reader_name (im->reader), 0 };
  if (loss == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "holds no rows; is the download complete?");
  else
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                   "gives no arrival: of %" G_GINT64_FORMAT " rows %" G_GINT64_FORMAT " are %s, the first in line %u",
                   bn_row_reader_n_read (im->reader), loss->n_rows, loss->reason, loss->first_line);
  return BN_ROW_ERROR;
}

BnRowStatus
bn_trace_import_next (BnTraceImport *import, BnImportRow *row, GError **error)
{
  BnTraceImport *im = import;

  while (im->n_kept < im->options.limit)
    {
      BnRowStatus status = im->sorter != NULL ? bn_row_sorter_next (im->sorter, row, error)
                                              : read_row (im, row, error);
      if (status == BN_ROW_END)
        break;
      if (status != BN_ROW || !count_from_origin (im, row, error))
        return BN_ROW_ERROR;
      const char *reason = unwanted (im, row);
      if (reason != NULL)
        {
          count_loss (im, reason, row->line);
          continue;
        }
      im->n_kept++;
      return move (im, row, error) ? BN_ROW : BN_ROW_ERROR;
    }
  return end (im, error);
}

const BnTraceFormat *
bn_trace_import_format (const BnTraceImport *import)
{
  return bn_row_reader_format (import->reader);
}

const char *const *
bn_trace_import_columns (const BnTraceImport *import)
{
  return bn_row_reader_columns (import->reader);
}

int
bn_trace_import_find_column (const BnTraceImport *import, const char *name, GError **error)
{
  return bn_row_reader_find_column (import->reader, name, error);
}

const char *
bn_trace_import_digest (BnTraceImport *import)
{
  return bn_row_reader_digest (import->reader);
}

const char *
bn_trace_import_unread (const BnTraceImport *import)
{
  return bn_row_reader_unread (import->reader);
}

const GArray *
bn_trace_import_losses (const BnTraceImport *import)
{
  return import->losses;
}

int64_t
bn_trace_import_n_read (const BnTraceImport *import)
{
  return bn_row_reader_n_read (import->reader);
}
