/* catalogue_graph.c: one workflow's tasks become a numbered DAG.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "catalogue_graph.h"

#include <stdlib.h>
#include <string.h>

#include "units.h"

/* A cycle may have a thousand tasks: a message names so many of them. */
#define MAX_NAMED 12

typedef struct NumberedTask
{
  int64_t key;        /* the label as an integer, or 0 for all */
  uint32_t position;
} NumberedTask;

static int
by_key_then_position (const void *a, const void *b)
{
  const NumberedTask *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->position < y->position ? -1 : x->position > y->position;
}

static int
by_value (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? -1 : x > y;
}

/* By rising label if all are integers, else by position. number_of[position] and
 * position_of[number] are each other's inverse. */
static void
number_tasks (const BnGraphTask *tasks, uint32_t n, uint32_t *number_of, uint32_t *position_of)
{
  NumberedTask *order = g_new (NumberedTask, n);
  gboolean integers = TRUE;
  for (uint32_t i = 0; i < n; i++)
    {
      order[i] = (NumberedTask) { 0, i };
      integers = integers && bn_parse_integer (tasks[i].spec.label, &order[i].key, NULL);
    }
  if (!integers)
    for (uint32_t i = 0; i < n; i++)
      order[i].key = 0;
  qsort (order, n, sizeof *order, by_key_then_position);
  for (uint32_t i = 0; i < n; i++)
    {
      position_of[i] = order[i].position;
      number_of[order[i].position] = i;
    }
  g_free (order);
}

static gboolean
fail_task (const BnWorkflow *workflow, const BnGraphTask *task, GError **error, const char *what)
{
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, task->place, "task '%s' of workflow '%s' %s", task->spec.label,
                        workflow->name, what);
}

/* Fills in the rising numbers of each task's predecessors. */
static gboolean
link_preds (const BnWorkflow *workflow, const BnGraphTask *tasks, const uint32_t *preds, const uint32_t *number_of,
            const uint32_t *position_of, BnTaskSpec *specs, uint32_t **numbers, GError **error)
{
  for (uint32_t i = 0; i < workflow->n_tasks; i++)
    {
      const BnGraphTask *task = &tasks[position_of[i]];
      uint32_t *mine = *numbers, n = task->spec.n_preds;
      specs[i] = task->spec;
      for (uint32_t j = 0; j < n; j++)
        {
          uint32_t pred = preds[task->first_pred + j];
          if (pred >= workflow->n_tasks)
            return fail_task (workflow, task, error, "comes after a task that does not exist");
          mine[j] = number_of[pred];
        }
      if (n > 1)
        qsort (mine, n, sizeof *mine, by_value);
      for (uint32_t j = 1; j < n; j++)
        if (mine[j] == mine[j - 1])
          return fail_task (workflow, task, error, "names a predecessor twice; name it once");
      specs[i].preds = mine;
      *numbers += n;
    }
  return TRUE;
}

/* Successors come out rising, because tasks are visited in order. */
static void
link_succs (uint32_t n_tasks, BnTaskSpec *specs, uint32_t **numbers)
{
  for (uint32_t i = 0; i < n_tasks; i++)
    for (uint32_t j = 0; j < specs[i].n_preds; j++)
      specs[specs[i].preds[j]].n_succs++;
  uint32_t **next = g_new (uint32_t *, n_tasks);
  for (uint32_t i = 0; i < n_tasks; i++)
    {
      specs[i].succs = next[i] = *numbers;
      *numbers += specs[i].n_succs;
    }
  for (uint32_t i = 0; i < n_tasks; i++)
    for (uint32_t j = 0; j < specs[i].n_preds; j++)
      *next[specs[i].preds[j]]++ = i;
  g_free (next);
}

static gboolean
fail_cycle (const BnWorkflow *workflow, BnPlace place, const BnTaskSpec *specs, const uint32_t *missing,
            GError **error)
{
  /* every task that is left waits for another that is left: walking back from
     any of them must come to a task seen before */
  uint32_t n = workflow->n_tasks, t = 0, n_cycle = 0;
  while (missing[t] == 0)
    t++;
  uint32_t *seen_at = g_new0 (uint32_t, n), *path = g_new (uint32_t, n);
  while (seen_at[t] == 0)
    {
      path[n_cycle++] = t;
      seen_at[t] = n_cycle;
      uint32_t j = 0;
      while (missing[specs[t].preds[j]] == 0)
        j++;
      t = specs[t].preds[j];
    }
  GString *names = g_string_new (specs[t].label);
  uint32_t first = seen_at[t] - 1, n_named = 0;
  for (uint32_t i = n_cycle; i-- > first;)
    if (n_named++ < MAX_NAMED)
      g_string_append_printf (names, " -> %s", specs[path[i]].label);
    else
      {
        g_string_append_printf (names, " -> … (%u tasks)", n_cycle - first);
        break;
      }
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "workflow '%s' has a cycle: %s; remove one of these edges",
                 workflow->name, names->str);
  g_string_free (names, TRUE);
  g_free (seen_at);
  g_free (path);
  return FALSE;
}

/* Repeatedly takes a task whose predecessors have all been taken. */
static gboolean
sort_topologically (BnWorkflow *workflow, BnPlace place, const BnTaskSpec *specs, uint32_t **numbers, GError **error)
{
  uint32_t n = workflow->n_tasks, *order = *numbers, n_ordered = 0;
  uint32_t *missing = g_new (uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    {
      missing[i] = specs[i].n_preds;
      if (missing[i] == 0)
        order[n_ordered++] = i;
    }
  workflow->n_entries = n_ordered;
  for (uint32_t i = 0; i < n_ordered; i++)
    for (uint32_t j = 0; j < specs[order[i]].n_succs; j++)
      {
        uint32_t succ = specs[order[i]].succs[j];
        if (--missing[succ] == 0)
          order[n_ordered++] = succ;
      }
  gboolean ok = n_ordered == n || fail_cycle (workflow, place, specs, missing, error);
  g_free (missing);
  workflow->topological = order;
  *numbers += n;
  /* the entries are the head of the order; a copy keeps them apart from it */
  if (ok)
    {
      memcpy (*numbers, order, workflow->n_entries * sizeof *order);
      workflow->entries = *numbers;
      *numbers += workflow->n_entries;
    }
  return ok;
}

static BnDuration
critical_path (const BnWorkflow *workflow)
{
  BnDuration *end = g_new0 (BnDuration, workflow->n_tasks), longest = 0;
  for (uint32_t i = 0; i < workflow->n_tasks; i++)
    {
      uint32_t t = workflow->topological[i];
      const BnTaskSpec *spec = &workflow->tasks[t];
      BnDuration start = 0;
      for (uint32_t j = 0; j < spec->n_preds; j++)
        start = bn_time_max (start, end[spec->preds[j]]);
      end[t] = bn_time_add (start, spec->runtime_ns);
      longest = bn_time_max (longest, end[t]);
    }
  g_free (end);
  return longest;
}

gboolean
bn_graph_build (BnWorkflow *workflow, BnPlace place, const BnGraphTask *tasks, const uint32_t *preds,
                BnTaskSpec *specs, uint32_t **numbers, GError **error)
{
  uint32_t n = workflow->n_tasks;
  if (n == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "workflow '%s' has no tasks; add a section [task %s/NAME]", workflow->name, workflow->name);
  if (n > BN_WORKFLOW_MAX_TASKS)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "workflow '%s' has more than %u tasks; split it into several workflows", workflow->name,
                          BN_WORKFLOW_MAX_TASKS);
  uint32_t *number_of = g_new (uint32_t, n), *position_of = g_new (uint32_t, n);
  number_tasks (tasks, n, number_of, position_of);
  gboolean ok = link_preds (workflow, tasks, preds, number_of, position_of, specs, numbers, error);
  g_free (number_of);
  g_free (position_of);
  if (!ok)
    return FALSE;
  link_succs (n, specs, numbers);
  workflow->tasks = specs;
  if (!sort_topologically (workflow, place, specs, numbers, error))
    return FALSE;
  workflow->lower_bound_ns = critical_path (workflow);
  return TRUE;
}
