/* report.c: tables, as aligned text, CSV or JSON.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Cells are kept as values; each format writes them in its own way.
 */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "textout.h"

typedef enum
{
  CELL_MISSING,
  CELL_TEXT,
  CELL_INTEGER,
  CELL_REAL
} CellKind;

typedef struct Cell
{
  CellKind kind;
  char *text;
  gint64 integer;
  double real;
} Cell;

struct BnTable
{
  BnColumn *columns;
  GStringChunk *texts;  /* of columns */
  guint n_columns;
  GArray *cells;  /* of Cell, row by row */
};

static void
clear_cell (void *cell)
{
  g_free (((Cell *) cell)->text);
}

BnTable *
bn_table_new (const BnColumn *columns, guint n_columns)
{
  BnTable *table = g_new0 (BnTable, 1);

  g_assert (n_columns > 0);
  table->columns = g_memdup2 (columns, n_columns * sizeof *columns);
  table->n_columns = n_columns;
  table->texts = g_string_chunk_new (256);
  for (guint c = 0; c < n_columns; c++)
    {
      table->columns[c].key = g_string_chunk_insert (table->texts, columns[c].key);
      table->columns[c].title = g_string_chunk_insert (table->texts, columns[c].title);
      table->columns[c].unit = g_string_chunk_insert (table->texts, columns[c].unit);
    }
  table->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_array_set_clear_func (table->cells, clear_cell);
  return table;
}

void
bn_table_free (BnTable *table)
{
  g_array_unref (table->cells);
  g_string_chunk_free (table->texts);
  g_free (table->columns);
  g_free (table);
}

static void
add (BnTable *table, Cell cell)
{
  g_array_append_val (table->cells, cell);
}

void
bn_table_text (BnTable *table, const char *text)
{
  add (table, (Cell){ .kind = text != NULL ? CELL_TEXT : CELL_MISSING, .text = g_strdup (text) });
}

void
bn_table_integer (BnTable *table, gint64 value)
{
  add (table, (Cell){ .kind = CELL_INTEGER, .integer = value });
}

void
bn_table_real (BnTable *table, double value)
{
  add (table, (Cell){ .kind = isfinite (value) ? CELL_REAL : CELL_MISSING, .real = value });
}

void
bn_table_missing (BnTable *table)
{
  add (table, (Cell){ .kind = CELL_MISSING });
}

guint
bn_table_n_rows (const BnTable *table)
{
  return table->cells->len / table->n_columns;
}

static const Cell *
cell_at (const BnTable *table, guint row, guint column)
{
  return &g_array_index (table->cells, Cell, row * table->n_columns + column);
}

/* ---- text ---- */

/* Control characters would break the lines. */
static char *
plain (const char *text)
{
  char *copy = g_utf8_make_valid (text, -1);

  for (char *c = copy; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = '?';
  return copy;
}

static char *
cell_text (const Cell *cell, guint decimals)
{
  char format[16], number[G_ASCII_DTOSTR_BUF_SIZE + 400];

  switch (cell->kind)
    {
    case CELL_TEXT:
      return plain (cell->text);
    case CELL_INTEGER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer);
    case CELL_REAL:
      g_snprintf (format, sizeof format, "%%.%uf", MIN (decimals, 17));
      return g_strdup (g_ascii_formatd (number, sizeof number, format, cell->real));
    case CELL_MISSING:
      break;
    }
  return g_strdup ("-");
}

static guint
width_of (const char *text)
{
  guint width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);
      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/* Numbers to the right; text to the left, without blanks at the end of a line. */
static void
write_field (FILE *file, const char *text, guint width, gboolean right, gboolean last)
{
  guint pad = width - width_of (text);

  fprintf (file, "%*s%s", right ? (int) pad : 0, "", text);
  if (!last)
    fprintf (file, "%*s  ", right ? 0 : (int) pad, "");
}

static gboolean
is_numeric (const BnTable *table, guint column)
{
  for (guint row = 0; row < bn_table_n_rows (table); row++)
    if (cell_at (table, row, column)->kind == CELL_TEXT)
      return FALSE;
  return TRUE;
}

/* Whether text shows the column. */
static gboolean
is_shown (const BnTable *table, guint column)
{
  if (table->columns[column].decimals & BN_NOT_IN_TEXT)
    return FALSE;
  for (guint row = 0; row < bn_table_n_rows (table); row++)
    if (cell_at (table, row, column)->kind != CELL_MISSING)
      return TRUE;
  return bn_table_n_rows (table) == 0;
}

static void
print_text (const BnTable *table, FILE *file)
{
  guint *shown = g_new (guint, table->n_columns);
  guint n = 0, n_rows = bn_table_n_rows (table), n_lines = n_rows + 2;
  gboolean has_units = FALSE;

  for (guint c = 0; c < table->n_columns; c++)
    if (is_shown (table, c))
      shown[n++] = c;
  char **fields = g_new (char *, n_lines * n);
  guint *widths = g_new0 (guint, n);
  for (guint c = 0; c < n; c++)
    {
      const BnColumn *column = &table->columns[shown[c]];
      fields[c] = g_strdup (column->title);
      fields[n + c] = g_strdup (column->unit);
      has_units |= column->unit[0] != '\0';
      for (guint row = 0; row < n_rows; row++)
        fields[(row + 2) * n + c] = cell_text (cell_at (table, row, shown[c]), column->decimals);
      for (guint line = 0; line < n_lines; line++)
        widths[c] = MAX (widths[c], width_of (fields[line * n + c]));
    }
  for (guint line = 0; line < n_lines; line++)
    {
      guint end = n;

      if (line == 1 && !has_units)
        continue;
      while (end > 1 && fields[line * n + end - 1][0] == '\0')
        end--;
      for (guint c = 0; c < end; c++)
        write_field (file, fields[line * n + c], widths[c], is_numeric (table, shown[c]), c + 1 == end);
      putc ('\n', file);
    }
  for (guint i = 0; i < n_lines * n; i++)
    g_free (fields[i]);
  g_free (fields);
  g_free (widths);
  g_free (shown);
}

/* ---- CSV and JSON ---- */

/* `throughput` in jobs/s is throughput_jobs_per_s. */
static char *
machine_key (const BnColumn *column)
{
  GString *key = g_string_new (column->key);

  if (column->unit[0] != '\0')
    g_string_append_c (key, '_');
  for (const char *c = column->unit; *c != '\0'; c++)
    if (*c == '/')
      g_string_append (key, "_per_");
    else if (*c == '%')
      g_string_append (key, "pct");
    else if (g_ascii_isalnum (*c))
      g_string_append_c (key, *c);
  return g_string_free (key, FALSE);
}

/* The shortest of 15, 16 and 17 digits that reads back as the same number. */
static void
write_real (FILE *file, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (number, sizeof number, formats[i], value);
      if (g_ascii_strtod (number, NULL) == value)
        break;
    }
  fputs (number, file);
}

static void
print_csv (const BnTable *table, FILE *file)
{
  for (guint c = 0; c < table->n_columns; c++)
    {
      char *key = machine_key (&table->columns[c]);
      fputs (c > 0 ? "," : "", file);
      bn_write_csv (file, key);
      g_free (key);
    }
  putc ('\n', file);
  for (guint row = 0; row < bn_table_n_rows (table); row++)
    for (guint c = 0; c < table->n_columns; c++)
      {
        const Cell *cell = cell_at (table, row, c);

        if (cell->kind == CELL_TEXT)
          bn_write_csv (file, cell->text);
        else if (cell->kind == CELL_INTEGER)
          fprintf (file, "%" G_GINT64_FORMAT, cell->integer);
        else if (cell->kind == CELL_REAL)
          write_real (file, cell->real);
        putc (c + 1 < table->n_columns ? ',' : '\n', file);
      }
}

static void
print_json (const BnTable *table, FILE *file)
{
  guint n_rows = bn_table_n_rows (table);

  putc ('[', file);
  for (guint row = 0; row < n_rows; row++)
    {
      fputs (row > 0 ? ",\n  {" : "\n  {", file);
      for (guint c = 0; c < table->n_columns; c++)
        {
          const Cell *cell = cell_at (table, row, c);
          char *key = machine_key (&table->columns[c]);

          fputs (c > 0 ? ", " : "", file);
          bn_write_json (file, key);
          fputs (": ", file);
          if (cell->kind == CELL_TEXT)
            bn_write_json (file, cell->text);
          else if (cell->kind == CELL_INTEGER)
            fprintf (file, "%" G_GINT64_FORMAT, cell->integer);
          else if (cell->kind == CELL_REAL)
            write_real (file, cell->real);
          else
            fputs ("null", file);
          g_free (key);
        }
      putc ('}', file);
    }
  fputs (n_rows > 0 ? "\n]\n" : "]\n", file);
}

gboolean
bn_table_print (const BnTable *table, BnCliFormat format, FILE *file, GError **error)
{
  g_assert (table->cells->len % table->n_columns == 0);
  errno = 0;
  switch (format)
    {
    case BN_FORMAT_TEXT:
      print_text (table, file);
      break;
    case BN_FORMAT_CSV:
      print_csv (table, file);
      break;
    case BN_FORMAT_JSON:
      print_json (table, file);
      break;
    }
  if (fflush (file) == 0 && !ferror (file))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), "cannot write the table: %s",
               g_strerror (errno));
  return FALSE;
}
