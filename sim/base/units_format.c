/* units_format.c: numbers as text, and the word that was meant.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "units.h"

/* value / 10^digits as a decimal without trailing zeros. */
static char *
format_fraction (int64_t value, int digits, const char *unit)
{
  int64_t one = 1;
  for (int i = 0; i < digits; i++)
    one *= 10;
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "%" G_GINT64_FORMAT, value / one);
  int64_t rest = value % one;
  if (rest != 0)
    {
      g_string_append_printf (s, ".%0*" G_GINT64_FORMAT, digits, rest);
      gsize length = s->len;
      while (s->str[length - 1] == '0')
        length--;
      g_string_truncate (s, length);
    }
  g_string_append (s, unit);
  return g_string_free (s, FALSE);
}

char *
bn_format_duration (BnDuration ns)
{
  static const char *const units[] = { "ns", "us", "ms", "s" };
  g_return_val_if_fail (ns >= 0, NULL);
  if (ns == 0)
    return g_strdup ("0");
  if (ns % (3600 * BN_NS_PER_S) == 0)
    return format_fraction (ns / (3600 * BN_NS_PER_S), 0, "h");
  if (ns % (60 * BN_NS_PER_S) == 0)
    return format_fraction (ns / (60 * BN_NS_PER_S), 0, "min");
  int i = 0;
  for (int64_t one = 1000; i < 3 && ns >= one; one *= 1000)
    i++;
  return format_fraction (ns, 3 * i, units[i]);
}

static char *
format_bytes (int64_t bytes, const char *per)
{
  static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
  g_return_val_if_fail (bytes >= 0, NULL);
  if (bytes == 0)
    return g_strdup ("0");
  int i = 0;
  for (int64_t one = 1000; i < 4 && bytes >= one; one *= 1000)
    i++;
  char *unit = g_strconcat (units[i], per, NULL);
  char *text = format_fraction (bytes, 3 * i, unit);
  g_free (unit);
  return text;
}

char *
bn_format_size (int64_t bytes)
{
  return format_bytes (bytes, NULL);
}

char *
bn_format_rate (int64_t bytes_per_s)
{
  return format_bytes (bytes_per_s, "/s");
}

char *
bn_format_real (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, sizeof text, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  return g_strdup (text);
}

/* Words longer than this were never meant; it bounds the table below. */
#define MAX_WORD 64

/* Least number of letters to insert, drop, replace or swap with a neighbour. */
static guint
edit_distance (const char *a, const char *b)
{
  guint table[3][MAX_WORD + 1];
  gsize n = strlen (a), m = strlen (b);
  for (gsize j = 0; j <= m; j++)
    table[0][j] = (guint) j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *row = table[i % 3];
      const guint *above = table[(i + 2) % 3], *two_above = table[(i + 1) % 3];
      row[0] = (guint) i;
      for (gsize j = 1; j <= m; j++)
        {
          guint same = g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j - 1]) ? 0 : 1;
          row[j] = MIN (MIN (above[j], row[j - 1]) + 1, above[j - 1] + same);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], two_above[j - 2] + 1);
        }
    }
  return table[n % 3][m];
}

const char *
bn_nearest_word (const char *word, const char *const *known)
{
  gsize length = strlen (word);
  if (length == 0 || length > MAX_WORD)
    return NULL;
  const char *best = NULL;
  guint best_distance = MAX (1, (guint) length / 3) + 1;
  for (; *known != NULL; known++)
    if (strlen (*known) <= MAX_WORD)
      {
        guint distance = edit_distance (word, *known);
        if (distance < best_distance && distance < strlen (*known))
          {
            best_distance = distance;
            best = *known;
          }
      }
  return best;
}
