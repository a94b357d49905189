/* window_reader.c: arrivals drawn from windows of rates.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "window_reader.h"

#include "rng.h"

#define USUAL_LENGTH_S 600

/* More than a run could ever hold, and times keep their nanoseconds. */
#define MAX_RATE_PER_S 1e6
#define MAX_BEGIN_S 1e9

typedef struct Window
{
  double begin_s, end_s, rate_per_s, cv;
  uint32_t line;
  GStrv fields;
} Window;

struct BnWindowReader
{
  BnRecords *records;
  BnRecordStyle style;
  guint n_fields;
  BnRng rng;
  gboolean begun;
  gboolean has_next;    /* a window has been read after `now` */
  Window now, next;
  double at_s;          /* in `now` */
  double gap;           /* what is left of it, in requests; below 0: none is drawn */
  double length_s;      /* of the window before */
};

BnWindowReader *
bn_window_reader_new (BnRecords *records, const BnRecordStyle *style, guint n_fields, uint64_t seed)
{
  BnWindowReader *r = g_new0 (BnWindowReader, 1);

  r->records = records;
  r->style = *style;
  r->n_fields = n_fields;
  r->gap = -1;
  r->length_s = USUAL_LENGTH_S;
  bn_rng_init (&r->rng, seed, "windows");
  return r;
}

void
bn_window_reader_free (BnWindowReader *reader)
{
  if (reader == NULL)
    return;
  g_strfreev (reader->now.fields);
  g_strfreev (reader->next.fields);
  g_free (reader);
}

static BnRowStatus
refuse (const BnWindowReader *r, GError **error, const char *what)
{
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, bn_records_place (r->records), "%s", what);
  return BN_ROW_REFUSED;
}

/* Reads the window after `now`. */
static BnRowStatus
read_next (BnWindowReader *r, GError **error)
{
  Window w = { 0 };
  guint n;

  switch (bn_records_next (r->records, &r->style, &n, error))
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
  char *const *fields = bn_records_fields (r->records);
  if (n != r->n_fields || !bn_scan_real (fields[0], &w.begin_s) || !bn_scan_real (fields[1], &w.rate_per_s)
      || !bn_scan_real (fields[2], &w.cv))
    return refuse (r, error, "is no window: its begin, rate and coefficient of variation must be numbers");
  if (!(w.begin_s >= 0 && w.begin_s <= MAX_BEGIN_S && w.rate_per_s >= 0 && w.rate_per_s <= MAX_RATE_PER_S && w.cv >= 0
        && w.cv <= 100))
    return refuse (r, error, "is no window: a begin up to 1e9 s, a rate up to 1e6/s and a coefficient of variation"
                             " up to 100 are accepted");
  if (r->begun && w.begin_s <= r->now.begin_s)
    return refuse (r, error, "begins before the window before it ends; windows must be in order");
  w.line = bn_records_place (r->records).line;
  GStrvBuilder *builder = g_strv_builder_new ();
  for (guint i = 0; i < n; i++)
    g_strv_builder_add (builder, fields[i]);
  w.fields = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  r->next = w;
  r->has_next = TRUE;
  return BN_ROW;
}

/* The next window becomes the present one; the one after it says where it ends. */
static BnRowStatus
enter_next (BnWindowReader *r, GError **error)
{
  BnRowStatus status = r->has_next ? BN_ROW : read_next (r, error);

  if (status != BN_ROW)
    return status;
  r->begun = TRUE;
  g_strfreev (r->now.fields);
  r->now = r->next;
  r->next = (Window) { 0 };
  r->has_next = FALSE;
  r->at_s = r->now.begin_s;
  status = read_next (r, error);
  r->now.end_s = status == BN_ROW ? r->next.begin_s : r->now.begin_s + r->length_s;
  r->length_s = r->now.end_s - r->now.begin_s;
  return status == BN_ROW_END ? BN_ROW : status;
}

/* The next arrival of the present window; FALSE where there is no more. */
static gboolean
draw (BnWindowReader *r, BnTime *time_ns)
{
  double rest = (r->now.end_s - r->at_s) * r->now.rate_per_s;

  if (!r->begun || rest <= 0)
    return FALSE;
  if (r->gap < 0)
    r->gap = bn_rng_gamma (&r->rng, r->now.cv > 0 ? r->now.cv : 1);
  if (r->gap >= rest)
    {
      r->gap -= rest;
      r->at_s = r->now.end_s;
      return FALSE;
    }
  r->at_s += r->gap / r->now.rate_per_s;
  r->gap = -1;
  *time_ns = bn_round_half_up (r->at_s * BN_NS_PER_S);
  return TRUE;
}

BnRowStatus
bn_window_reader_next (BnWindowReader *reader, BnImportRow *row, const char **reason, GError **error)
{
  BnWindowReader *r = reader;
  BnTime time_ns = 0;

  while (!draw (r, &time_ns))
    {
      BnRowStatus status = enter_next (r, error);
      row->line = status == BN_ROW ? r->now.line : bn_records_place (r->records).line;
      if (status != BN_ROW)
        return status;
      if (r->now.rate_per_s > 0)
        continue;
      *reason = "windows without requests";
      return BN_ROW_SKIPPED;
    }
  *row = (BnImportRow) { time_ns, -1, r->now.line, r->now.fields };
  return BN_ROW;
}
