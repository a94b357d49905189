/* sweep_axis.c: what one line of a sweep varies.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sweep_axis.h"

#include <math.h>
#include <string.h>

#include "units.h"

/* Cuts at any of `separators` outside quotes and brackets; empty parts are left out,
 * "" is none. Quotes are taken off unless `keep_quotes`. Returns: (transfer full). */
static char **
cut (const char *text, const char *separators, gboolean keep_quotes)
{
  GPtrArray *parts = g_ptr_array_new ();
  GString *part = g_string_new (NULL);
  gboolean quoted = FALSE, began = FALSE;
  guint depth = 0;

  for (const char *c = text;; c++)
    {
      if (*c == '\0' || (!quoted && depth == 0 && strchr (separators, *c) != NULL))
        {
          if (began)
            g_ptr_array_add (parts, g_strdup (part->str));
          g_string_truncate (part, 0);
          began = FALSE;
          if (*c == '\0')
            break;
          continue;
        }
      began = TRUE;
      quoted = quoted != (*c == '"');
      if (!quoted)
        depth = *c == '[' ? depth + 1 : *c == ']' && depth > 0 ? depth - 1 : depth;
      if (*c != '"' || keep_quotes)
        g_string_append_c (part, *c);
    }
  g_string_free (part, TRUE);
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (parts, FALSE);
}

/* A number and its unit, from the start of `text` to `end`. */
static gboolean
read_end (const char *text, const char *end, double *number, char **unit)
{
  char *copy = g_strndup (text, (gsize) (end - text)), *rest;
  gboolean ok;

  *number = g_ascii_strtod (copy, &rest);
  ok = rest != copy && isfinite (*number) && g_ascii_strncasecmp (copy, "0x", 2) != 0
       && (g_ascii_isdigit (copy[0]) || copy[0] == '.') && strpbrk (rest, "0123456789.") == NULL;
  *unit = ok ? g_strdup (rest) : NULL;
  g_free (copy);
  return ok;
}

/* FIRST..LAST or FIRST..LAST:COUNT, both ends numbers with the same unit. */
typedef struct Range
{
  double first, last;
  gint64 count;    /* 0: not given; -1: not a number */
  char *unit;
} Range;

/* Whether `text` is a range; only then the unit is to be freed. */
static gboolean
read_range (const char *text, Range *range)
{
  const char *dots = strstr (text, ".."), *colon = dots != NULL ? strchr (dots, ':') : NULL;
  char *other = NULL;
  gboolean ok;

  if (dots == NULL || !read_end (text, dots, &range->first, &range->unit))
    return FALSE;
  ok = read_end (dots + 2, colon != NULL ? colon : text + strlen (text), &range->last, &other)
       && strcmp (other, range->unit) == 0;
  g_free (other);
  range->count = 0;
  if (colon != NULL && (!bn_parse_integer (colon + 1, &range->count, NULL) || range->count <= 0))
    range->count = -1;
  if (!ok)
    g_free (range->unit);
  return ok;
}

/* 12 digits: as exact as anybody writes, and 0.5 + 3 x 0.1 is 0.8. */
static void
add_number (GPtrArray *values, double number, const char *unit)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.12g", number);
  g_ptr_array_add (values, g_strconcat (text, unit, NULL));
}

static gboolean
add_range (GPtrArray *values, const char *text, const Range *range, BnPlace place, GError **error)
{
  gint64 count = range->count;
  double step = 1;

  if (count == 0 && range->last - range->first < BN_SWEEP_MAX_VALUES)
    count = range->last >= range->first ? (gint64) floor (range->last - range->first) + 1 : -1;
  else if (count > 1)
    step = (range->last - range->first) / (double) (count - 1);
  if (range->count == 0 && count > 0 && range->first + (double) (count - 1) != range->last)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "'%s' goes in steps of 1 and misses its end; write how many values, as %s:5", text, text);
  if (count <= 0 || count > BN_SWEEP_MAX_VALUES || (count > 1 && step <= 0))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "'%s' is an empty range or a very long one; write FIRST..LAST or FIRST..LAST:COUNT,"
                          " upwards", text);
  for (gint64 i = 0; i < count; i++)
    add_number (values, count > 1 && i == count - 1 && range->count > 0 ? range->last
                                                                        : range->first + (double) i * step,
                range->unit);
  return TRUE;
}

static gboolean
add_value (BnSweepAxis *axis, GPtrArray *values, const char *text, BnPlace place, GError **error)
{
  g_auto (GStrv) parts = axis->n_keys == 1 ? cut (text, "", FALSE) : cut (text, ":", FALSE);
  Range range;

  if (axis->n_keys == 1 && strchr (text, '"') == NULL && read_range (text, &range))
    {
      gboolean ok = add_range (values, text, &range, place, error);
      g_free (range.unit);
      return ok;
    }
  if (g_strv_length (parts) != axis->n_keys)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "'%s' is not %u values for the keys that change together; write them as 5:10000", text,
                          axis->n_keys);
  for (guint i = 0; i < axis->n_keys; i++)
    g_ptr_array_add (values, g_strdup (parts[i]));
  return TRUE;
}

static gboolean
check_keys (const BnSweepAxis *axis, BnPlace place, GError **error)
{
  if (axis->n_keys == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "names no key; write workload.load = 0.5 0.7, say");
  for (guint i = 0; i < axis->n_keys; i++)
    for (guint j = 0; j < i; j++)
      if (strcmp (axis->keys[i], axis->keys[j]) == 0)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "names '%s' twice; name it once", axis->keys[i]);
  return TRUE;
}

BnSweepAxis *
bn_sweep_axis_new (const char *keys, const char *values, BnPlace place, gboolean override, GError **error)
{
  BnSweepAxis *axis = g_new0 (BnSweepAxis, 1);
  GPtrArray *list = g_ptr_array_new ();
  g_auto (GStrv) items = cut (values, " \t,", TRUE);

  axis->keys = cut (keys, " \t,", FALSE);
  axis->n_keys = g_strv_length (axis->keys);
  axis->file = g_strdup (place.file);
  axis->line = place.line;
  axis->override = override;
  gboolean ok = check_keys (axis, place, error);
  for (guint i = 0; items[i] != NULL && ok; i++)
    ok = add_value (axis, list, items[i], place, error);
  if (ok && list->len == 0)
    ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: has no value; write 5 10 20 or 1..10:4", keys);
  if (ok && list->len / axis->n_keys > BN_SWEEP_MAX_VALUES)
    ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s: has more than %u values; give fewer", keys,
                        BN_SWEEP_MAX_VALUES);
  if (ok)
    axis->n_values = list->len / axis->n_keys;
  g_ptr_array_add (list, NULL);
  axis->values = (char **) g_ptr_array_free (list, FALSE);
  if (ok)
    return axis;
  bn_sweep_axis_free (axis);
  return NULL;
}

void
bn_sweep_axis_free (BnSweepAxis *axis)
{
  if (axis == NULL)
    return;
  g_strfreev (axis->keys);
  g_strfreev (axis->values);
  g_free (axis->file);
  g_free (axis);
}

gboolean
bn_sweep_axis_has (const BnSweepAxis *axis, const char *key)
{
  return g_strv_contains ((const char *const *) axis->keys, key);
}
