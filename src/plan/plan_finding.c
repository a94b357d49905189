/* plan_finding.c: what came out of a search, and what there is to say of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "plan_parts.h"
#include "tally.h"

BnPlanPoint *
bn_plan_point (const BnPlanTarget *target, const gint64 *numbers)
{
  for (guint i = 0; i < target->points->len; i++)
    {
      BnPlanPoint *point = g_ptr_array_index (target->points, i);
      if (memcmp (point->numbers, numbers, sizeof point->numbers) == 0)
        return point;
    }
  return NULL;
}

/* ---- what was found ---- */

static const gint64 *
keep (BnPlanFinding *finding, guint i, const gint64 *numbers)
{
  memcpy (finding->numbers[i], numbers, sizeof finding->numbers[i]);
  return finding->numbers[i];
}

static const gint64 *
keep_number (BnPlanFinding *finding, guint i, gint64 n)
{
  finding->numbers[i][0] = n;
  return finding->numbers[i];
}

static void
find_number (const BnPlanTarget *target, BnPlanFinding *ret)
{
  BnPlanAnswer answer = bn_plan_search_answer (target->search);

  if (answer.n > 0)
    ret->answer = keep_number (ret, 0, answer.n);
  if (answer.low <= target->cell->axis->max)
    ret->low = keep_number (ret, 1, answer.low);
  if (answer.high > 0)
    ret->high = keep_number (ret, 2, answer.high);
}

static void
find_mix (const BnPlanTarget *target, BnPlanFinding *ret)
{
  BnPlanMixAnswer answer = bn_plan_mix_answer (target->mix);

  if (answer.found)
    ret->answer = ret->high = keep (ret, 0, answer.kept);
  if (answer.has_open)
    ret->low = keep (ret, 1, answer.open);
}

void
bn_plan_find (const BnPlanTarget *target, BnPlanFinding *ret)
{
  const BnPlanAxis *axis = target->cell->axis;

  *ret = (BnPlanFinding) { 0 };
  if (target->mix != NULL)
    find_mix (target, ret);
  else if (target->search != NULL)
    find_number (target, ret);
  ret->point = ret->answer != NULL ? bn_plan_point (target, ret->answer) : NULL;
  for (guint i = 0; i < target->points->len; i++)
    {
      const BnPlanPoint *point = g_ptr_array_index (target->points, i);
      double value = bn_plan_axis_value (axis, point->numbers), sign = axis->kind == BN_PLAN_RATE ? -1 : 1;
      gboolean within = (ret->low == NULL || sign * value >= sign * bn_plan_axis_value (axis, ret->low))
                        && (ret->high == NULL || sign * value < sign * bn_plan_axis_value (axis, ret->high));
      if (within && point->judgement.outcome.verdict == BN_VERDICT_UNDECIDED)
        ret->seeds_needed = MAX (ret->seeds_needed, point->judgement.seeds_needed);
    }
}

/* ---- what there is to say ---- */

static void
add_note (GString *note, const char *text)
{
  g_string_append_printf (note, "%s%s", note->len > 0 ? "; " : "", text);
}

/* Whether a greater number would help: the two greatest that were tried, and the promise
 * that the greatest misses. */
static void
add_reason (const BnPlan *plan, const BnPlanTarget *target, GString *note)
{
  const BnPlanAxis *axis = target->cell->axis;
  const BnPlanPoint *greatest = g_ptr_array_index (target->points, 0), *before = NULL;

  for (guint i = 1; i < target->points->len; i++)
    {
      const BnPlanPoint *point = g_ptr_array_index (target->points, i);
      if (point->numbers[0] > greatest->numbers[0])
        {
          before = greatest;
          greatest = point;
        }
      else if (before == NULL || point->numbers[0] > before->numbers[0])
        before = point;
    }
  g_autofree char *at = bn_plan_axis_text (axis, greatest->numbers);
  if (greatest->judgement.n_lost > 0)
    g_string_append_printf (note, "%u of %u runs at %s lost jobs", greatest->judgement.n_lost, greatest->runs->len, at);
  for (guint l = 0; l < plan->request->slos->len && greatest->judgement.n_lost == 0; l++)
    {
      const BnSlo *slo = &g_array_index (plan->request->slos, BnSlo, l);
      double mean = greatest->estimates[l].mean, earlier = before != NULL ? before->estimates[l].mean : NAN;
      if (slo->limit.at_least ? mean >= slo->limit.limit : mean <= slo->limit.limit)
        continue;
      g_autofree char *was = before != NULL ? bn_plan_axis_text (axis, before->numbers) : NULL;
      const char *unit = bn_metric_infos[slo->metric].unit;
      g_string_append_printf (note, "%s is %.5g%s%s at %s", slo->name, mean, *unit == '1' ? "" : " ",
                              *unit == '1' ? "" : unit, at);
      if (fabs (mean - earlier) <= 0.02 * fabs (mean))
        g_string_append_printf (note, " and %.5g at %s: more do not help", earlier, was);
      return;
    }
  if (greatest->judgement.n_lost == 0)
    g_string_append_printf (note, "%u of %u runs at %s are not stable", greatest->judgement.n_unstable,
                            greatest->runs->len, at);
}

static void
add_contradiction (const BnPlanTarget *target, GString *note)
{
  const BnPlanAxis *axis = target->cell->axis;
  gint64 kept[BN_PLAN_MAX_KINDS] = { 0 }, broken[BN_PLAN_MAX_KINDS] = { 0 };
  gboolean monotone = TRUE;

  if (target->mix != NULL)
    {
      BnPlanMixAnswer answer = bn_plan_mix_answer (target->mix);
      monotone = answer.monotone;
      memcpy (kept, answer.kept_at, sizeof kept);
      memcpy (broken, answer.broken_at, sizeof broken);
    }
  else if (target->search != NULL)
    {
      BnPlanAnswer answer = bn_plan_search_answer (target->search);
      monotone = answer.kept_at == 0;
      kept[0] = answer.kept_at;
      broken[0] = answer.broken_at;
    }
  if (monotone)
    return;
  g_autofree char *kept_text = bn_plan_axis_text (axis, kept), *broken_text = bn_plan_axis_text (axis, broken);
  g_autofree char *text = g_strdup_printf ("not monotone: kept at %s, broken at %s", kept_text, broken_text);
  add_note (note, text);
}

char *
bn_plan_note (const BnPlan *plan, const BnPlanTarget *target, const BnPlanFinding *finding)
{
  const BnPlanAxis *axis = target->cell->axis;
  GString *note = g_string_new (NULL);

  if (target->failed)
    add_note (note, "given up: a run failed");
  else if (target->mix != NULL && bn_plan_mix_answer (target->mix).too_many)
    add_note (note, "given up: too many mixes; give a smaller --max, or fewer kinds");
  else if (axis->kind == BN_PLAN_COUNT && target->search == NULL)
    g_string_append_printf (note, "the work alone takes %.1f, more than %" G_GINT64_FORMAT, axis->work, axis->max);
  else if (target->mix != NULL && finding->answer == NULL)
    add_note (note, "no mix up to the greatest numbers is shown to suffice");
  else if (finding->answer == NULL)
    add_reason (plan, target, note);
  add_contradiction (target, note);
  if (target->cell->one_trace)
    add_note (note, "for this trace only");
  if (note->len > 0)
    return g_string_free (note, FALSE);
  g_string_free (note, TRUE);
  return NULL;
}
