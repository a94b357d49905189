/* trace_resample.c: another trace like the one that there is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_resample.h"

#include "bootstrap.h"
#include "ranks.h"

struct BnTraceResample
{
  GArray *rows;          /* of BnTraceRow, as in the trace           */
  BnBootstrap blocks;    /* of rows 1, 2, …                          */
  guint n_given;
  BnTime last_ns;        /* of the row that was given last           */
};

/* The rows that become jobs; NULL with `error` set. Returns: (transfer full). */
static GArray *
read_rows (const BnArrivalsConfig *config, const BnCatalogue *catalogue, GError **error)
{
  BnTraceSource *source = bn_trace_source_open (config, catalogue, FALSE, error);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (BnTraceRow));
  BnArrivalsStatus status = source == NULL ? BN_ARRIVALS_ERROR : BN_ARRIVALS_JOB;
  BnTraceRow row;

  while (status == BN_ARRIVALS_JOB && rows->len < config->max_jobs
         && (status = bn_trace_source_next (source, &row, error)) == BN_ARRIVALS_JOB && row.time_ns < config->until_ns)
    g_array_append_val (rows, row);
  if (source != NULL)
    bn_trace_source_close (source);
  if (status != BN_ARRIVALS_ERROR)
    return rows;
  g_array_unref (rows);
  return NULL;
}

BnTraceResample *
bn_trace_resample_open (const BnArrivalsConfig *config, const BnCatalogue *catalogue, GError **error)
{
  GArray *rows = read_rows (config, catalogue, error);

  if (rows == NULL)
    return NULL;
  BnTraceResample *r = g_new0 (BnTraceResample, 1);
  r->rows = rows;
  if (rows->len > 1)
    r->blocks = bn_bootstrap (rows->len - 1, config->trace_block);
  return r;
}

void
bn_trace_resample_close (BnTraceResample *resample)
{
  if (resample == NULL)
    return;
  g_array_unref (resample->rows);
  g_free (resample);
}

gboolean
bn_trace_resample_next (BnTraceResample *resample, BnRng *rng, BnTraceRow *row)
{
  BnTraceResample *r = resample;
  guint at = 0;

  if (r->n_given == r->rows->len)
    return FALSE;
  if (r->n_given++ > 0)
    at = 1 + (guint) bn_bootstrap_next (&r->blocks, rng);
  *row = g_array_index (r->rows, BnTraceRow, at);
  if (at > 0)
    row->time_ns = bn_time_add (r->last_ns, row->time_ns - g_array_index (r->rows, BnTraceRow, at - 1).time_ns);
  r->last_ns = row->time_ns;
  return TRUE;
}

gboolean
bn_arrivals_block_length (const BnArrivalsConfig *config, const BnCatalogue *catalogue, double *ret, GError **error)
{
  GArray *rows = read_rows (config, catalogue, error);

  if (rows == NULL)
    return FALSE;
  guint n_gaps = MAX (rows->len, 1) - 1;
  double *gaps = g_new (double, n_gaps + 1);
  for (guint i = 0; i < n_gaps; i++)
    gaps[i] = (double) (g_array_index (rows, BnTraceRow, i + 1).time_ns - g_array_index (rows, BnTraceRow, i).time_ns);
  double *ranks = g_new (double, n_gaps + 1);
  bn_ranks (gaps, n_gaps, ranks);
  /* whole, as a person may state it */
  *ret = (double) bn_round_half_up (bn_bootstrap_block_length (ranks, n_gaps));
  g_free (ranks);
  g_free (gaps);
  g_array_unref (rows);
  return TRUE;
}
