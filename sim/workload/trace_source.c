/* trace_source.c: the rows of an arrival trace, checked one by one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_source.h"

#include <string.h>

#include "csv.h"
#include "linear_rule.h"
#include "trace_import.h"
#include "units.h"
#include "workflow_map.h"

struct BnTraceSource
{
  BnCsv *csv;              /* or NULL: */
  BnTraceImport *import;   /* of a public format */
  BnImportRow row;         /* of that, read last */
  BnWorkflowMap *map;      /* NULL: the column names workflows */
  BnLinearRule *factor;    /* NULL: none */
  int *factor_columns;     /* of its terms; -1: a plain number */
  double *factor_values;
  int time_column, workflow_column, ingress_column;  /* -1: none */
  char *time_name;
  int64_t time_unit_ns;
  double time_scale;
  BnTime last_ns;
  uint32_t n_workers;
  const BnCatalogue *catalogue;
  GHashTable *workflow_index;  /* name -> index + 1 */
};

/* A column that may be left out. */
static gboolean
find_column (const BnTraceSource *s, const char *name, int *column, GError **error)
{
  *column = -1;
  if (name != NULL)
    *column = s->csv != NULL ? bn_csv_find_column (s->csv, name, error)
                             : bn_trace_import_find_column (s->import, name, error);
  return name == NULL || *column >= 0;
}

static const char *
field (const BnTraceSource *s, int column)
{
  return s->csv != NULL ? bn_csv_field (s->csv, column) : s->row.fields[column];
}

static BnPlace
place_of (const BnTraceSource *s)
{
  return s->csv != NULL ? bn_csv_place (s->csv) : bn_trace_import_place (s->import, &s->row);
}

static gboolean
open_file (BnTraceSource *s, const BnArrivalsConfig *config, gboolean digest, GError **error)
{
  if (config->trace_format == NULL)
    {
      g_assert (config->time_column != NULL && config->time_unit_ns >= 1);
      s->csv = bn_csv_open (config->trace_path, digest, error);
      return s->csv != NULL && find_column (s, config->time_column, &s->time_column, error);
    }
  BnImportOptions options = BN_IMPORT_ALL;
  options.format = *config->trace_format != '\0' ? config->trace_format : NULL;
  options.map = config->trace_map;
  options.sort = config->trace_sort;
  options.digest = digest;
  s->import = bn_trace_import_open (config->trace_path, &options, error);
  return s->import != NULL;
}

/* Finds what the rule for factors reads. */
static gboolean
open_factor (BnTraceSource *s, const BnArrivalsConfig *config, GError **error)
{
  if (config->factor_rule == NULL)
    return TRUE;
  s->factor = bn_linear_rule_parse (config->factor_rule, error);
  if (s->factor == NULL)
    return FALSE;
  const char *const *columns = bn_linear_rule_columns (s->factor);
  guint n = g_strv_length ((char **) columns);
  s->factor_columns = g_new (int, n);
  s->factor_values = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    if (!find_column (s, *columns[i] != '\0' ? columns[i] : NULL, &s->factor_columns[i], error))
      return FALSE;
  return TRUE;
}

BnTraceSource *
bn_trace_source_open (const BnArrivalsConfig *config, const BnCatalogue *catalogue, gboolean digest, GError **error)
{
  g_assert (config->trace_path != NULL);
  BnTraceSource *s = g_new0 (BnTraceSource, 1);
  s->time_name = g_strdup (config->time_column);
  s->time_unit_ns = config->time_unit_ns;
  s->time_scale = config->time_scale;
  s->n_workers = config->n_workers;
  s->catalogue = catalogue;
  s->workflow_index = g_hash_table_new (g_str_hash, g_str_equal);
  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    g_hash_table_insert (s->workflow_index, (gpointer) catalogue->workflows[i].name, GUINT_TO_POINTER (i + 1));
  if (config->workflow_rules != NULL)
    s->map = bn_workflow_map_parse (config->workflow_rules, catalogue, error);
  if ((config->workflow_rules == NULL || s->map != NULL) && open_file (s, config, digest, error)
      && find_column (s, config->workflow_column, &s->workflow_column, error)
      && find_column (s, config->ingress_column, &s->ingress_column, error)
      && open_factor (s, config, error))
    return s;
  bn_trace_source_close (s);
  return NULL;
}

void
bn_trace_source_close (BnTraceSource *source)
{
  if (source == NULL)
    return;
  bn_csv_close (source->csv);
  bn_trace_import_close (source->import);
  bn_workflow_map_free (source->map);
  bn_linear_rule_free (source->factor);
  g_free (source->factor_columns);
  g_free (source->factor_values);
  g_free (source->time_name);
  g_hash_table_unref (source->workflow_index);
  g_free (source);
}

static const char *
time_name (const BnTraceSource *s)
{
  return s->csv != NULL ? s->time_name : bn_trace_import_format (s->import)->time;
}

static gboolean
read_time (BnTraceSource *s, BnTime *ret, GError **error)
{
  BnPlace place = place_of (s);
  int64_t ns = s->row.time_ns;
  if (s->csv != NULL && !bn_parse_scaled (field (s, s->time_column), s->time_unit_ns, &ns, error))
    return bn_input_prefix (error, place, s->time_name);
  if (s->time_scale != 1)
    ns = bn_round_half_up ((double) ns * s->time_scale);
  if (ns > BN_ARRIVALS_LAST_NS)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: is later than 146 years; check the unit",
                          time_name (s));
  if (ns < s->last_ns)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "%s: is earlier than the row before; sort the trace by time", time_name (s));
  *ret = s->last_ns = ns;
  return TRUE;
}

static gboolean
map_workflow (const BnTraceSource *s, const char *value, int32_t *ret, GError **error)
{
  *ret = bn_workflow_map_find (s->map, value);
  if (*ret != BN_NONE)
    return TRUE;
  g_autofree char *quoted = bn_quote (value);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place_of (s),
                        "%s fits no rule of workflow-map; add one for it, or *:WORKFLOW for the rest", quoted);
}

static gboolean
read_workflow (BnTraceSource *s, int32_t *ret, GError **error)
{
  const char *name = field (s, s->workflow_column);
  if (s->map != NULL)
    return map_workflow (s, name, ret, error);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (s->workflow_index, name));
  *ret = (int32_t) found - 1;
  if (found > 0)
    return TRUE;
  const char **known = g_new0 (const char *, s->catalogue->n_workflows + 1);
  for (uint32_t i = 0; i < s->catalogue->n_workflows; i++)
    known[i] = s->catalogue->workflows[i].name;
  char *quoted = bn_quote (name), *hint = bn_input_hint (name, known);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place_of (s), "%s is not a workflow of the catalogue%s",
                 quoted, hint);
  g_free (quoted);
  g_free (hint);
  g_free (known);
  return FALSE;
}

static gboolean
read_ingress (BnTraceSource *s, int32_t *ret, GError **error)
{
  BnPlace place = place_of (s);
  int64_t worker;
  if (!bn_parse_integer (field (s, s->ingress_column), &worker, error))
    return bn_input_prefix (error, place, "ingress");
  if (worker < 0 || worker >= (int64_t) s->n_workers)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "ingress: there is no worker %" G_GINT64_FORMAT "; the cluster has workers 0 to %u", worker,
                          s->n_workers - 1);
  *ret = (int32_t) worker;
  return TRUE;
}

static gboolean
read_factor (BnTraceSource *s, double *ret, GError **error)
{
  const char *const *columns = bn_linear_rule_columns (s->factor);

  for (guint i = 0; columns[i] != NULL; i++)
    if (s->factor_columns[i] >= 0 && !bn_parse_real (field (s, s->factor_columns[i]), &s->factor_values[i], error))
      return bn_input_prefix (error, place_of (s), columns[i]);
  *ret = bn_linear_rule_value (s->factor, s->factor_values);
  if (*ret >= BN_ARRIVALS_MIN_FACTOR && *ret <= BN_ARRIVALS_MAX_FACTOR)
    return TRUE;
  g_autofree char *value = bn_format_real (*ret);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place_of (s),
                        "runtime-factor is %s; it may be 1e-6 to 100", value);
}

static BnArrivalsStatus
next_record (BnTraceSource *s, GError **error)
{
  if (s->csv != NULL)
    switch (bn_csv_next (s->csv, error))
      {
      case BN_CSV_END:
        return BN_ARRIVALS_END;
      case BN_CSV_ERROR:
        return BN_ARRIVALS_ERROR;
      case BN_CSV_RECORD:
        return BN_ARRIVALS_JOB;
      }
  BnRowStatus status = bn_trace_import_next (s->import, &s->row, error);
  return status == BN_ROW ? BN_ARRIVALS_JOB : status == BN_ROW_END ? BN_ARRIVALS_END : BN_ARRIVALS_ERROR;
}

BnArrivalsStatus
bn_trace_source_next (BnTraceSource *source, BnTraceRow *row, GError **error)
{
  *row = (BnTraceRow) { .workflow = BN_NONE, .ingress = BN_NONE };
  BnArrivalsStatus status = next_record (source, error);
  if (status != BN_ARRIVALS_JOB)
    return status;
  if (!read_time (source, &row->time_ns, error)
      || (source->workflow_column >= 0 && !read_workflow (source, &row->workflow, error))
      || (source->ingress_column >= 0 && !read_ingress (source, &row->ingress, error))
      || (source->factor != NULL && !read_factor (source, &row->factor, error)))
    return BN_ARRIVALS_ERROR;
  return BN_ARRIVALS_JOB;
}

/* What the import, read to its end, left out. */
static void
sum_losses (const BnTraceImport *import, BnTraceSummary *summary)
{
  const GArray *losses = bn_trace_import_losses (import);

  for (guint i = 0; i < losses->len; i++)
    {
      const BnImportLoss *loss = &g_array_index (losses, BnImportLoss, i);
      if (i == 0)
        {
          summary->skipped = loss->reason;
          summary->skipped_line = loss->first_line;
        }
      summary->n_skipped += loss->n_rows;
    }
  summary->more_files = bn_trace_import_unread (import) != NULL;
}

gboolean
bn_arrivals_scan_trace (const BnArrivalsConfig *config, const BnCatalogue *catalogue, BnTraceSummary *summary,
                        int64_t *rows_by_workflow, GError **error)
{
  *summary = (BnTraceSummary) { .mean_factor = 1 };
  BnTraceSource *s = bn_trace_source_open (config, catalogue, TRUE, error);
  if (s == NULL)
    return FALSE;
  memset (rows_by_workflow, 0, catalogue->n_workflows * sizeof *rows_by_workflow);
  BnTraceRow row;
  int64_t n_read = 0;
  double factors = 0;
  BnArrivalsStatus status;
  while ((status = bn_trace_source_next (s, &row, error)) == BN_ARRIVALS_JOB)
    {
      n_read++;
      if (summary->n_rows >= config->max_jobs || row.time_ns >= config->until_ns)
        continue;
      if (summary->n_rows++ == 0)
        summary->first_ns = row.time_ns;
      summary->last_ns = row.time_ns;
      factors += row.factor;
      if (row.workflow != BN_NONE)
        rows_by_workflow[row.workflow]++;
    }
  gboolean ok = status == BN_ARRIVALS_END;
  if (s->factor != NULL && summary->n_rows > 0)
    summary->mean_factor = factors / (double) summary->n_rows;
  if (ok && n_read > 0 && summary->n_rows == 0)
    ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { config->trace_path, 0 },
                        "holds no arrivals before the time where jobs end; set a later until");
  if (ok && n_read == 0)
    ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { config->trace_path, 0 },
                        "holds no arrivals, only a header; name a trace with at least one row");
  if (ok && s->import != NULL)
    sum_losses (s->import, summary);
  if (ok)
    g_strlcpy (summary->sha256, s->csv != NULL ? bn_csv_digest (s->csv) : bn_trace_import_digest (s->import),
               sizeof summary->sha256);
  bn_trace_source_close (s);
  return ok;
}
