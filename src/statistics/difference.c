/* difference.c: how far schedulers are from one of them on the same jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "difference.h"

#include <math.h>
#include <string.h>

#include "stability.h"

const guint bn_difference_metrics[BN_N_DIFFERENCES] = { BN_COMPARED_LATENCY, BN_COMPARED_P99, BN_COMPARED_SLOWDOWN };

BnInterval
bn_difference (const BnCompared *compared, guint first, guint end, guint base, guint base_end, guint i)
{
  BnInterval ratio = bn_compared_ratio (compared, first, end, i, base, base_end, i);

  return (BnInterval){ ratio.n, 100 * (ratio.mean - 1), 100 * ratio.half_width, 100 * (ratio.low - 1),
                       100 * (ratio.high - 1) };
}

/* "31.2 % ± 4.0 % below"; one whose interval holds 0 is no finding. */
static void
add_difference (GString *lines, const BnInterval *d)
{
  g_string_append_printf (lines, "%.1f %%", fabs (d->mean));
  if (isfinite (d->half_width))
    g_string_append_printf (lines, " ± %.1f %%", d->half_width);
  g_string_append (lines, d->mean < 0 ? " below" : " above");
  if (isfinite (d->half_width) && d->low <= 0 && d->high >= 0)
    g_string_append (lines, " (n.s.)");
}

static void
add_label (GString *lines, const BnCompared *compared, guint first, guint end)
{
  g_autofree char *label = bn_compared_label (compared, first, end);

  if (strcmp (label, bn_label_name (BN_LABEL_STABLE)) != 0)
    g_string_append_printf (lines, " [%s]", label);
}

/* Whether any metric could be compared. */
static gboolean
add_line (GString *lines, const BnCompared *compared, guint first, guint end, guint base, guint base_end, int width)
{
  const char *before = "";
  const char *variant = bn_compared_run (compared, first)->variant;

  if (bn_difference (compared, first, end, base, base_end, BN_COMPARED_LATENCY).n == 0)
    return FALSE;
  g_string_append_printf (lines, "  %s%*s  ", variant, width - (int) g_utf8_strlen (variant, -1), "");
  for (guint m = 0; m < BN_N_DIFFERENCES; m++)
    {
      BnInterval d = bn_difference (compared, first, end, base, base_end, bn_difference_metrics[m]);
      if (!isfinite (d.mean))
        continue;
      g_string_append_printf (lines, "%s%s ", before, bn_compared_metrics[bn_difference_metrics[m]].column.title);
      add_difference (lines, &d);
      before = ", ";
    }
  add_label (lines, compared, first, end);
  g_string_append_c (lines, '\n');
  return TRUE;
}

void
bn_difference_lines (const BnCompared *compared, guint first, guint end, const char *base, GString *lines)
{
  guint of_base = bn_compared_find_variant (compared, first, end, base), width = 0;
  gboolean any = FALSE;

  if (of_base == end)
    return;
  GString *all = g_string_new (NULL);
  guint base_end = bn_compared_end_of_variant (compared, of_base);
  for (guint r = first; r < end; r++)
    width = MAX (width, (guint) g_utf8_strlen (bn_compared_run (compared, r)->variant, -1));
  for (guint r = first, next; r < end; r = next)
    {
      next = bn_compared_end_of_variant (compared, r);
      if (r != of_base)
        any |= add_line (all, compared, r, next, of_base, base_end, (int) width);
    }
  if (any)
    {
      g_string_append_printf (lines, "Against %s", base);
      add_label (lines, compared, of_base, base_end);
      g_string_append_printf (lines, ", on the same jobs (n.s.: not significant, the interval holds 0):\n%s", all->str);
    }
  g_string_free (all, TRUE);
}
