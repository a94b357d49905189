/* comparison.c: the table that a comparison ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Everything is read from the database, so that a table printed later is the one
 * that was printed first.
 */
#include "comparison.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "comparison_notes.h"
#include "difference.h"
#include "ratios.h"

/* What a table is about. */
typedef struct Layout
{
  BnCompared *compared;
  gboolean mean_over_seeds; /* then half-widths stand beside what they are of */
  gboolean many_seeds;      /* a row is a mean over several                   */
  const char *base;
} Layout;

/* ---- columns ---- */

static void
add_column (GArray *columns, BnColumn column, gboolean in_text)
{
  column.decimals |= in_text ? 0 : BN_NOT_IN_TEXT;
  g_array_append_val (columns, column);
}

/* `column` and, in a table of means, its half-width. */
static void
add_measured (GArray *columns, GStringChunk *texts, const Layout *layout, BnColumn column, gboolean in_text,
              gboolean interval_in_text)
{
  add_column (columns, column, in_text);
  if (!layout->mean_over_seeds)
    return;
  g_autofree char *key = g_strconcat (column.key, "_95", NULL);
  column.key = g_string_chunk_insert (texts, key);
  column.title = "± 95 %";
  add_column (columns, column, interval_in_text);
}

/* Of one cell, text has lines instead. */
static void
add_difference_columns (GArray *columns, GStringChunk *texts, const Layout *layout)
{
  gboolean several_cells = layout->compared->cells->values->len > 1;

  add_column (columns, (BnColumn){ "base", "base", "", 0 }, FALSE);
  for (guint m = 0; m < BN_N_DIFFERENCES; m++)
    {
      const BnColumn *metric = &bn_compared_metrics[bn_difference_metrics[m]].column;
      g_autofree char *key = g_strconcat (metric->key, "_vs_base", NULL);
      gboolean in_text = several_cells && bn_difference_metrics[m] == BN_COMPARED_LATENCY;
      add_measured (columns, texts, layout, (BnColumn){ g_string_chunk_insert (texts, key), "vs base", "%", 1 },
                    in_text, in_text);
    }
}

static BnTable *
new_table (const Layout *layout)
{
  const BnCells *cells = layout->compared->cells;
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (BnColumn));
  GStringChunk *texts = g_string_chunk_new (256);

  for (guint k = 0; k < cells->n_keys; k++)
    add_column (columns, (BnColumn){ cells->keys[k], strrchr (cells->keys[k], '.') + 1, "", 0 }, TRUE);
  add_column (columns, (BnColumn){ "variant", "scheduler", "", 0 }, TRUE);
  add_column (columns, layout->mean_over_seeds ? (BnColumn){ "seeds", "seeds", "", 0 }
                                               : (BnColumn){ "seed", "seed", "", 0 }, TRUE);
  for (guint i = 0; i < BN_N_COMPARED; i++)
    {
      const BnComparedMetric *m = &bn_compared_metrics[i];
      add_measured (columns, texts, layout, m->column, !(layout->many_seeds && m->of_one_seed), m->shows_interval);
      if (i == BN_COMPARED_LATENCY && layout->mean_over_seeds)
        add_column (columns, (BnColumn){ "latency_mean_batch_95", "± batch", "ms", 1 }, TRUE);
      if (i == BN_COMPARED_SLOWDOWN_P99)
        add_measured (columns, texts, layout, (BnColumn){ "gap", "gap", "", 2 }, TRUE, FALSE);
    }
  if (layout->mean_over_seeds)
    add_difference_columns (columns, texts, layout);
  add_column (columns, (BnColumn){ "label", "label", "", 0 }, TRUE);
  add_column (columns, (BnColumn){ "note", "note", "", 0 }, TRUE);
  BnTable *table = bn_table_new (&g_array_index (columns, BnColumn, 0), columns->len);
  g_array_unref (columns);
  g_string_chunk_free (texts);
  return table;
}

/* ---- cells ---- */

static void
add_interval (BnTable *table, const Layout *layout, const BnInterval *interval)
{
  bn_table_real (table, interval->mean);
  if (layout->mean_over_seeds)
    bn_table_real (table, interval->half_width);
}

static void
add_none (BnTable *table, const Layout *layout)
{
  add_interval (table, layout, &(BnInterval){ .mean = NAN, .half_width = NAN });
}

static void
add_value (BnTable *table, const Layout *layout, guint i, const BnInterval *interval)
{
  if (interval->n == 1 && bn_compared_metrics[i].whole)
    {
      bn_table_integer (table, (gint64) interval->mean);
      if (layout->mean_over_seeds)
        bn_table_missing (table);
    }
  else
    add_interval (table, layout, interval);
}

/* Which scenario and who, of runs [first, end). */
static void
add_names (BnTable *table, const Layout *layout, guint first, guint end, const char *who)
{
  const BnComparedRun *run = bn_compared_run (layout->compared, first);
  const BnCells *cells = layout->compared->cells;
  char **values = g_ptr_array_index (cells->values, run->cell);

  for (guint k = 0; k < cells->n_keys; k++)
    bn_table_text (table, values[k]);
  bn_table_text (table, who);
  if (layout->mean_over_seeds)
    bn_table_integer (table, end - first);
  else
    bn_table_text (table, run->seed);
}

/* Runs [first, end) to those of the base in their cell, `of_base` to `base_end`. */
static void
add_differences (BnTable *table, const Layout *layout, guint first, guint end, guint of_base, guint base_end)
{
  bn_table_text (table, layout->base);
  for (guint m = 0; m < BN_N_DIFFERENCES; m++)
    if (of_base == first || of_base == base_end)
      add_none (table, layout);
    else
      {
        BnInterval d
          = bn_difference (layout->compared, first, end, of_base, base_end, bn_difference_metrics[m]);
        add_interval (table, layout, &d);
      }
}

/* A row: runs [first, end) of one variant, in a cell whose runs of the base are these. */
static void
add_row (BnTable *table, const Layout *layout, guint first, guint end, guint of_base, guint base_end)
{
  const BnCompared *compared = layout->compared;
  const BnComparedRun *run = bn_compared_run (compared, first);
  g_autofree char *label = bn_compared_label (compared, first, end);

  add_names (table, layout, first, end, run->variant);
  for (guint i = 0; i < BN_N_COMPARED; i++)
    {
      BnInterval interval = bn_compared_interval (compared, first, end, i);
      add_value (table, layout, i, &interval);
      if (i == BN_COMPARED_LATENCY && layout->mean_over_seeds)
        bn_table_real (table, run->values[BN_COMPARED_BATCH_95]);
      if (i != BN_COMPARED_SLOWDOWN_P99)
        continue;
      BnInterval gap = bn_compared_ratio (compared, first, end, BN_COMPARED_SLOWDOWN, first, end,
                                          BN_COMPARED_BOUND_SLOWDOWN);
      add_interval (table, layout, &gap);
    }
  if (layout->mean_over_seeds)
    add_differences (table, layout, first, end, of_base, base_end);
  bn_table_text (table, label);
  if (run->yardstick)
    bn_table_text (table, "yardstick");
  else
    bn_table_missing (table);
}

/* ---- the least possible ---- */

/* The row `bound` of runs [first, end) of `bounded`, one for each seed. */
static void
add_bound (BnTable *table, const Layout *layout, guint first, guint end)
{
  add_names (table, layout, first, end, "bound");
  for (guint i = 0; i < BN_N_COMPARED; i++)
    {
      guint bound = i == BN_COMPARED_LATENCY ? BN_COMPARED_BOUND_LATENCY : BN_COMPARED_BOUND_SLOWDOWN;
      BnInterval interval = bn_compared_interval (layout->compared, first, end, bound);
      if (i == BN_COMPARED_LATENCY || i == BN_COMPARED_SLOWDOWN)
        add_interval (table, layout, &interval);
      else
        add_none (table, layout);
      if (i == BN_COMPARED_LATENCY && layout->mean_over_seeds)
        bn_table_missing (table); /* batch means */
      if (i == BN_COMPARED_SLOWDOWN_P99)
        add_none (table, layout); /* gap */
    }
  if (layout->mean_over_seeds)
    bn_table_missing (table); /* base */
  for (guint m = 0; m < BN_N_DIFFERENCES && layout->mean_over_seeds; m++)
    add_none (table, layout);
  bn_table_missing (table); /* label */
  bn_table_missing (table); /* note */
}

/* Of the runs [first, end), of one cell: one for each seed whose bound is known, in
 * order. Returns: (transfer container). */
static GPtrArray *
bounded_runs (const BnCompared *compared, guint first, guint end)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint r = first; r < end; r++)
    {
      const BnComparedRun *run = bn_compared_run (compared, r);
      gboolean is_new = isfinite (run->values[BN_COMPARED_BOUND_LATENCY]);
      for (guint i = 0; i < found->len && is_new; i++)
        is_new = strcmp (((const BnComparedRun *) g_ptr_array_index (found, i))->seed, run->seed) != 0;
      if (is_new)
        g_ptr_array_add (found, (gpointer) run);
    }
  return found;
}

/* Below the runs [first, end), of one cell. */
static void
add_bounds (BnTable *table, const Layout *layout, guint first, guint end)
{
  BnCompared bounded = { layout->compared->cells, bounded_runs (layout->compared, first, end) };
  Layout of_bounds = *layout;

  of_bounds.compared = &bounded;
  if (layout->mean_over_seeds && bounded.runs->len > 0)
    add_bound (table, &of_bounds, 0, bounded.runs->len);
  for (guint i = 0; i < bounded.runs->len && !layout->mean_over_seeds; i++)
    add_bound (table, &of_bounds, i, i + 1);
  g_ptr_array_unref (bounded.runs);
}

/* ---- all of it ---- */

static BnTable *
make_table (const Layout *layout)
{
  const BnCompared *compared = layout->compared;
  BnTable *table = new_table (layout);

  for (guint cell = 0, cell_end; cell < compared->runs->len; cell = cell_end)
    {
      cell_end = bn_compared_end_of_cell (compared, cell);
      guint of_base = bn_compared_find_variant (compared, cell, cell_end, layout->base);
      guint base_end = of_base < cell_end ? bn_compared_end_of_variant (compared, of_base) : of_base;
      for (guint r = cell, end; r < cell_end; r = end)
        {
          end = layout->mean_over_seeds ? bn_compared_end_of_variant (compared, r) : r + 1;
          add_row (table, layout, r, end, of_base, base_end);
        }
      add_bounds (table, layout, cell, cell_end);
    }
  return table;
}

/* The variant that others are compared with; NULL with `error` set where there is none
 * of that name. */
static const char *
choose_base (const BnCells *cells, const char *base, GError **error)
{
  guint v = 0;

  if (base != NULL && !bn_ratio_find_variant (cells, "--base", base, &v, error))
    return NULL;
  return v < cells->variants->len ? g_ptr_array_index (cells->variants, v) : "";
}

/* What a table of the database is about; FALSE with `error` set. Clear compared. */
static gboolean
read_layout (Layout *layout, sqlite3 *db, gboolean mean_over_seeds, const char *base, GError **error)
{
  BnCompared *compared = bn_compared_read (db, mean_over_seeds, error);

  *layout = (Layout){ .compared = compared, .mean_over_seeds = mean_over_seeds };
  if (compared == NULL)
    return FALSE;
  layout->many_seeds = mean_over_seeds && bn_compared_most_seeds (compared) > 1;
  layout->base = choose_base (compared->cells, base, error);
  return layout->base != NULL;
}

BnTable *
bn_comparison_table (sqlite3 *db, gboolean mean_over_seeds, const char *base, GError **error)
{
  Layout layout;
  BnTable *table = read_layout (&layout, db, mean_over_seeds, base, error) ? make_table (&layout) : NULL;

  bn_compared_free (layout.compared);
  return table;
}

/* What text has below the table; NULL with `error` set. Returns: (transfer full). */
static GString *
text_below (const Layout *layout, sqlite3 *db, GError **error)
{
  GString *text = g_string_new (NULL);

  if (!layout->mean_over_seeds)
    return text;
  if (layout->compared->cells->values->len == 1 && layout->many_seeds)
    bn_difference_lines (layout->compared, 0, layout->compared->runs->len, layout->base, text);
  else if (layout->compared->cells->values->len > 1 && layout->compared->cells->variants->len > 1)
    g_string_append_printf (text, "vs base: mean latency against %s, on the same jobs\n", layout->base);
  if (bn_comparison_notes (layout->compared, db, text, error))
    return text;
  g_string_free (text, TRUE);
  return NULL;
}

static gboolean
print_text_below (const GString *text, GError **error)
{
  errno = 0;
  if (text->len == 0 || (printf ("\n%s", text->str) >= 0 && fflush (stdout) == 0))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), "cannot write the table: %s",
               g_strerror (errno));
  return FALSE;
}

gboolean
bn_comparison_print (sqlite3 *db, gboolean mean_over_seeds, const char *base, BnCliFormat format,
                             GError **error)
{
  Layout layout;
  GString *below = read_layout (&layout, db, mean_over_seeds, base, error) ? text_below (&layout, db, error) : NULL;
  GError *failure = NULL;

  if (below != NULL)
    {
      BnTable *table = make_table (&layout);
      if (bn_table_print (table, format, stdout, &failure) && format == BN_FORMAT_TEXT)
        print_text_below (below, &failure);
      bn_table_free (table);
      g_string_free (below, TRUE);
    }
  bn_compared_free (layout.compared);
  gboolean ok = below != NULL && (failure == NULL || g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_PIPE));
  if (ok)
    g_clear_error (&failure);
  else if (failure != NULL)
    g_propagate_error (error, failure);
  return ok;
}

gboolean
bn_comparison_check_base (const BnScenario *scenario, const char *base, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, scenario->n_variants + 1);

  for (uint32_t v = 0; v < scenario->n_variants; v++)
    names[v] = scenario->variants[v]->name;
  if (base == NULL || g_strv_contains (names, base))
    return TRUE;
  g_autofree char *known = g_strjoinv (", ", (char **) names);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--base %s: not among the schedulers to run; there are %s",
               base, known);
  return FALSE;
}
