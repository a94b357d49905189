/* count_reader.c: arrivals drawn from numbers of arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "count_reader.h"

#include <string.h>

#include "fmath.h"
#include "rng.h"

struct BnCountReader
{
  guint first, n_fields;
  BnDuration unit_ns;
  gboolean continues;
  BnRng rng;
  char *const *fields;  /* borrowed */
  char **own;           /* [first + 1]: what rows are given */
  char interval[24];
  double offset;        /* intervals before the row */
  guint at;             /* column */
  int64_t left;         /* of its arrivals */
  double part;          /* of its interval that is past */
};

BnCountReader *
bn_count_reader_new (guint first, BnDuration unit_ns, gboolean continues, uint64_t seed)
{
  BnCountReader *r = g_new0 (BnCountReader, 1);

  r->first = first;
  r->unit_ns = unit_ns;
  r->continues = continues;
  r->own = g_new0 (char *, first + 1);
  bn_rng_init (&r->rng, seed, "counts");
  return r;
}

void
bn_count_reader_free (BnCountReader *reader)
{
  if (reader == NULL)
    return;
  g_free (reader->own);
  g_free (reader);
}

/* The number in a field, brackets of a list aside. */
static gboolean
scan_count (const char *field, int64_t *ret)
{
  const char *at = field + strspn (field, "[ ");
  int64_t value = 0;

  if (!g_ascii_isdigit (*at))
    return FALSE;
  for (; g_ascii_isdigit (*at) && value <= BN_COUNT_READER_MAX; at++)
    value = value * 10 + (*at - '0');
  *ret = value;
  return at[strspn (at, "] ")] == '\0' && value <= BN_COUNT_READER_MAX;
}

/* Begins the interval of a column, of which there may be none. */
static void
enter (BnCountReader *r, guint column)
{
  r->at = column;
  r->part = 0;
  r->left = 0;
  if (column < r->n_fields)
    scan_count (r->fields[column], &r->left);
}

gboolean
bn_count_reader_take (BnCountReader *reader, char *const *fields, guint n_fields, GError **error)
{
  BnCountReader *r = reader;
  int64_t count;

  for (guint i = r->first; i < n_fields; i++)
    if (!scan_count (fields[i], &count))
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                            "field %u is no number of arrivals, from 0 to 1000000000", i + 1);
  r->offset += r->continues && r->n_fields > r->first ? r->n_fields - r->first : 0;
  r->fields = fields;
  r->n_fields = n_fields;
  enter (r, r->first);
  return TRUE;
}

gboolean
bn_count_reader_next (BnCountReader *reader, BnImportRow *row)
{
  BnCountReader *r = reader;

  while (r->at < r->n_fields && r->left == 0)
    enter (r, r->at + 1);
  if (r->at >= r->n_fields)
    return FALSE;
  double u = 1 - bn_rng_uniform (&r->rng); /* above 0 */
  r->part += (1 - r->part) * (1 - bn_exp (bn_log (u) / (double) r->left--));
  double interval = r->offset + (r->at - r->first);
  row->time_ns = bn_round_half_up ((interval + r->part) * (double) r->unit_ns);
  row->duration_ns = -1;
  for (guint i = 0; i < r->first; i++)
    r->own[i] = r->fields[i];
  g_snprintf (r->interval, sizeof r->interval, "%.0f", interval + 1);
  r->own[r->first] = r->interval;
  row->fields = r->own;
  return TRUE;
}
