/* plot_gantt.c: the rows of the timeline of workers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A worker's row is one high. What executes has the upper part of it, loads and
 * evictions the lower; slices of a part that overlap share its height. Colours are
 * workflows; of a single workflow they are its models.
 */
#include <string.h>

#include "cli.h"
#include "lanes.h"
#include "plot.h"
#include "textout.h"

/* More slices than this are a smear, and gnuplot takes minutes over them. */
#define MAX_SLICES 20000
/* More tasks than this on one worker are hard to read. */
#define MAX_TASKS_A_WORKER 150
/* The first so many workers are shown. */
#define MAX_WORKERS 400

/* The names that colours stand for, in their order, as `names (series, name)`. */
#define NAMES \
  "WITH found AS (SELECT COUNT (*) AS n FROM workflows WHERE run_id = ?1)," \
  " names AS (SELECT workflow + 1 AS series, name FROM workflows, found WHERE run_id = ?1 AND n <> 1" \
  "  UNION ALL SELECT ROW_NUMBER () OVER (ORDER BY MIN (t.task)), IFNULL (m.name, 'no model') AS name" \
  "  FROM found CROSS JOIN workflow_tasks t LEFT JOIN models m ON m.run_id = ?1 AND m.model = t.model" \
  "  WHERE t.run_id = ?1 AND found.n = 1 GROUP BY m.name)"

static const char slices_sql[]
  = NAMES " SELECT g.worker, g.kind = 'execute', g.start_ns, g.end_ns, g.kind, IFNULL (names.series, 0), g.job_id,"
          " g.workflow, g.label, g.model"
          " FROM v_gantt g CROSS JOIN found LEFT JOIN names"
          " ON names.name = CASE n WHEN 1 THEN IFNULL (g.model, 'no model') ELSE g.workflow END"
          " WHERE g.run_id = ?1 AND g.end_ns > ?2 AND g.start_ns < ?3 AND g.worker < " G_STRINGIFY (MAX_WORKERS)
          " ORDER BY 1, 2, 3, 4, g.job_id, g.task, g.kind";

static const char names_sql[] = NAMES " SELECT name FROM names ORDER BY series";

typedef struct Slice
{
  gint64 worker, start_ns, end_ns, series, job_id;
  gboolean executes;
  guint lane, n_lanes;
  char *kind, *workflow, *label, *model;
} Slice;

static void
slice_clear (gpointer data)
{
  Slice *s = data;

  g_free (s->kind);
  g_free (s->workflow);
  g_free (s->label);
  g_free (s->model);
}

static GArray *
read_slices (BnReader *reader, gint64 run, BnTime from_ns, BnTime to_ns, GError **error)
{
  GError *failure = NULL;
  GArray *slices;
  sqlite3_stmt *stmt = bn_reader_query (reader, slices_sql, run, from_ns, error);

  if (stmt == NULL)
    return NULL;
  sqlite3_bind_int64 (stmt, 3, to_ns);
  slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  g_array_set_clear_func (slices, slice_clear);
  while (bn_reader_step (reader, stmt, &failure) && slices->len <= MAX_SLICES)
    {
      Slice s = {
        .worker = sqlite3_column_int64 (stmt, 0),
        .executes = sqlite3_column_int (stmt, 1),
        .start_ns = sqlite3_column_int64 (stmt, 2),
        .end_ns = sqlite3_column_int64 (stmt, 3),
        .kind = g_strdup ((const char *) sqlite3_column_text (stmt, 4)),
        .series = sqlite3_column_int64 (stmt, 5),
        .job_id = sqlite3_column_type (stmt, 6) == SQLITE_NULL ? BN_NONE : sqlite3_column_int64 (stmt, 6),
        .workflow = g_strdup ((const char *) sqlite3_column_text (stmt, 7)),
        .label = g_strdup ((const char *) sqlite3_column_text (stmt, 8)),
        .model = g_strdup ((const char *) sqlite3_column_text (stmt, 9)),
      };

      g_array_append_val (slices, s);
    }
  sqlite3_finalize (stmt);
  if (failure == NULL && slices->len > MAX_SLICES)
    g_set_error (&failure, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "plot: more than %d slices in the window; choose a narrower one with --window FROM..TO", MAX_SLICES);
  if (failure == NULL)
    return slices;
  g_array_free (slices, TRUE);
  g_propagate_error (error, failure);
  return NULL;
}

/* Slices stand sorted by worker, part and start. */
static void
deal_lanes (GArray *slices)
{
  BnLanes *lanes = bn_lanes_new ();
  guint from = 0;

  for (guint i = 0; i < slices->len; i++)
    {
      Slice *s = &g_array_index (slices, Slice, i), *first = &g_array_index (slices, Slice, from);

      if (s->worker != first->worker || s->executes != first->executes)
        {
          bn_lanes_clear (lanes);
          from = i;
        }
      s->lane = bn_lanes_take (lanes, s->start_ns, s->end_ns);
      for (guint j = from; j <= i && bn_lanes_count (lanes) > g_array_index (slices, Slice, j).n_lanes; j++)
        g_array_index (slices, Slice, j).n_lanes = bn_lanes_count (lanes);
      s->n_lanes = bn_lanes_count (lanes);
    }
  bn_lanes_free (lanes);
}

static void
write_thousandths (FILE *csv, gint64 row, int offset)
{
  bn_write_us (csv, row * 1000 + offset);
}

/* On the worker's row, so many below that of its number. */
static void
write_slice (FILE *csv, const Slice *s, gint64 rows_below)
{
  int top = s->executes ? -420 : 160, room = s->executes ? 540 : 260;
  gint64 row = s->worker + rows_below;

  fprintf (csv, "%" G_GINT64_FORMAT ",%s,%" G_GINT64_FORMAT ",", s->series, s->kind, s->worker);
  bn_write_s (csv, s->start_ns);
  putc (',', csv);
  bn_write_s (csv, s->end_ns);
  putc (',', csv);
  write_thousandths (csv, row, top + room * (int) s->lane / (int) s->n_lanes);
  putc (',', csv);
  write_thousandths (csv, row, top + room * ((int) s->lane + 1) / (int) s->n_lanes);
  putc (',', csv);
  if (s->job_id != BN_NONE)
    fprintf (csv, "%" G_GINT64_FORMAT, s->job_id);
  putc (',', csv);
  bn_write_csv (csv, s->workflow);
  putc (',', csv);
  bn_write_csv (csv, s->label);
  putc (',', csv);
  bn_write_csv (csv, s->model);
  putc ('\n', csv);
}

static void
warn_crowded (const GArray *slices, gint64 n_workers)
{
  guint a_worker, n_tasks = 0;

  for (guint i = 0; i < slices->len; i++)
    n_tasks += g_array_index (slices, Slice, i).executes;
  a_worker = n_tasks / (guint) MAX (MIN (n_workers, MAX_WORKERS), 1);
  if (a_worker > MAX_TASKS_A_WORKER)
    fprintf (stderr, "binnacle: gantt: %u tasks a worker in the window are hard to read; choose a narrower one with"
                     " --window FROM..TO\n", a_worker);
}

static gboolean
set_texts (BnReader *reader, gint64 run, BnGnuplot *gnuplot, GError **error)
{
  GError *failure = NULL;
  char *heading;
  gboolean any = FALSE;
  sqlite3_stmt *stmt
    = bn_reader_query (reader, "SELECT shown, seed FROM v_runs WHERE run_id = ?", run, 0, &failure);

  if (stmt != NULL && bn_reader_step (reader, stmt, &failure))
    {
      heading = g_strdup_printf ("Workers of run %" G_GINT64_FORMAT ": %s, seed %s", run,
                                 (const char *) sqlite3_column_text (stmt, 0),
                                 (const char *) sqlite3_column_text (stmt, 1));
      bn_gnuplot_set_text (gnuplot, "heading", heading);
      g_free (heading);
    }
  sqlite3_finalize (stmt);
  stmt = failure == NULL ? bn_reader_query (reader, names_sql, run, 0, &failure) : NULL;
  while (stmt != NULL && bn_reader_step (reader, stmt, &failure))
    {
      if (!any)
        bn_gnuplot_begin_array (gnuplot, "labels");
      any = TRUE;
      bn_gnuplot_add_text (gnuplot, (const char *) sqlite3_column_text (stmt, 0));
    }
  if (any)
    bn_gnuplot_end_array (gnuplot);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* What is shown of one run. */
typedef struct Part
{
  gint64 run, rows_below;
  gint64 n_workers;
  BnTime from_ns, to_ns;
} Part;

/* Writes its rows, and raises *n_lanes and *n_rows. */
static gboolean
write_part (BnReader *reader, const Part *part, FILE *csv, guint *n_lanes, gint64 *n_rows, GError **error)
{
  GArray *slices = read_slices (reader, part->run, part->from_ns, part->to_ns, error);

  if (slices == NULL)
    return FALSE;
  deal_lanes (slices);
  for (guint i = 0; i < slices->len; i++)
    {
      const Slice *s = &g_array_index (slices, Slice, i);

      write_slice (csv, s, part->rows_below);
      if (s->executes)
        *n_lanes = MAX (*n_lanes, s->n_lanes);
    }
  warn_crowded (slices, part->n_workers);
  *n_rows += slices->len;
  g_array_free (slices, TRUE);
  return TRUE;
}

static gboolean
settle_part (BnReader *reader, const BnPlotRequest *request, gint64 run, Part *ret, GError **error)
{
  *ret = (Part) { .run = run, .from_ns = request->from_ns, .to_ns = request->to_ns };
  return bn_reader_int (reader, "SELECT COUNT (*) FROM workers WHERE run_id = ?", run, 0, 0, &ret->n_workers, error)
         && (ret->from_ns != BN_TIME_NEVER
             || bn_plot_choose_window (reader, run, ret->n_workers, &ret->from_ns, &ret->to_ns, error));
}

static void
set_numbers (BnGnuplot *gnuplot, const Part *part, guint n_lanes)
{
  bn_gnuplot_set_number (gnuplot, "n_workers", (double) MIN (part->n_workers, MAX_WORKERS));
  bn_gnuplot_set_number (gnuplot, "n_lanes", n_lanes);
  bn_gnuplot_set_number (gnuplot, "from_s", (double) part->from_ns / 1e9);
  bn_gnuplot_set_number (gnuplot, "to_s", (double) part->to_ns / 1e9);
}

static const char header[] = "series,kind,worker,start_s,end_s,low,high,job,workflow,task,model\n";

gboolean
bn_plot_prepare_gantt (const BnPlot *plot G_GNUC_UNUSED, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                       BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  guint n_lanes = 1;
  Part part;

  *n_rows = 0;
  fputs (header, csv);
  if (!settle_part (reader, request, request->run, &part, error)
      || !write_part (reader, &part, csv, &n_lanes, n_rows, error))
    return FALSE;
  set_numbers (gnuplot, &part, n_lanes);
  return set_texts (reader, part.run, gnuplot, error);
}

gboolean
bn_plot_prepare_gantt_both (const BnPlot *plot G_GNUC_UNUSED, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                            BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  gint64 observed, simulated;
  guint n_lanes = 1;
  Part part;

  *n_rows = 0;
  fputs (header, csv);
  /* of either of the two, both */
  if (!bn_reader_int (reader, "SELECT replay_of FROM runs WHERE run_id = ?", request->run, 0, request->run, &observed,
                      error)
      || !bn_reader_int (reader, "SELECT MIN (run_id) FROM runs WHERE replay_of = ?", observed, 0, 0, &simulated,
                         error))
    return FALSE;
  if (simulated == 0)
    return TRUE;
  if (!settle_part (reader, request, observed, &part, error)
      || !write_part (reader, &part, csv, &n_lanes, n_rows, error))
    return FALSE;
  part.run = simulated;
  part.rows_below = MIN (part.n_workers, MAX_WORKERS) + 1;
  if (!write_part (reader, &part, csv, &n_lanes, n_rows, error))
    return FALSE;
  set_numbers (gnuplot, &part, n_lanes);
  bn_gnuplot_begin_array (gnuplot, "part_names");
  bn_gnuplot_add_text (gnuplot, "observed");
  bn_gnuplot_add_text (gnuplot, "simulated");
  bn_gnuplot_end_array (gnuplot);
  return set_texts (reader, observed, gnuplot, error);
}
