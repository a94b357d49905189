/* flow.c: a workflow of somebody else's file: tasks, files, and what follows from them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow.h"

#include <string.h>

/* Tasks of a cycle that are named. */
#define MAX_NAMED 8

typedef struct Pair
{
  guint parent, child;
} Pair;

/* ---- tasks and files ---- */

static void
free_task (void *data)
{
  BnFlowTask *task = data;

  g_free (task->id);
  g_free (task->name);
  g_array_unref (task->preds);
  g_array_unref (task->succs);
  g_free (task);
}

static void
free_file (void *data)
{
  BnFlowFile *file = data;

  g_free (file->name);
  g_array_unref (file->makers);
  g_array_unref (file->users);
  g_free (file);
}

static GArray *
new_positions (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint));
}

static guint
at (const GArray *positions, guint i)
{
  return g_array_index (positions, guint, i);
}

static BnFlowTask *
task_at (const BnFlow *flow, guint i)
{
  return g_ptr_array_index (flow->tasks, i);
}

BnFlow *
bn_flow_new (const char *name)
{
  BnFlow *flow = g_new0 (BnFlow, 1);

  flow->name = g_strdup (name);
  flow->tasks = g_ptr_array_new_with_free_func (free_task);
  flow->files = g_ptr_array_new_with_free_func (free_file);
  flow->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  flow->by_file = g_hash_table_new (g_str_hash, g_str_equal);
  flow->stated = g_array_new (FALSE, FALSE, sizeof (Pair));
  return flow;
}

void
bn_flow_set_name (BnFlow *flow, const char *name)
{
  g_free (flow->name);
  flow->name = g_strdup (name);
}

void
bn_flow_free (BnFlow *flow)
{
  if (flow == NULL)
    return;
  g_hash_table_unref (flow->by_id);
  g_hash_table_unref (flow->by_file);
  g_ptr_array_unref (flow->tasks);
  g_ptr_array_unref (flow->files);
  g_array_unref (flow->stated);
  g_free (flow->topological);
  g_free (flow->name);
  g_free (flow);
}

guint
bn_flow_find (const BnFlow *flow, const char *id)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (flow->by_id, id));

  return found > 0 ? found - 1 : G_MAXUINT;
}

guint
bn_flow_add_task (BnFlow *flow, const char *id, const char *name, BnDuration runtime_ns, BnPlace place, GError **error)
{
  if (bn_flow_find (flow, id) != G_MAXUINT || flow->tasks->len == BN_FLOW_MAX_TASKS)
    {
      if (flow->tasks->len == BN_FLOW_MAX_TASKS)
        bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "a workflow of more than %u tasks", BN_FLOW_MAX_TASKS);
      else
        bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "a second task has the id '%s'; ids tell tasks apart", id);
      return G_MAXUINT;
    }
  BnFlowTask *task = g_new0 (BnFlowTask, 1);
  task->id = g_strdup (id);
  task->name = g_strdup (name);
  task->runtime_ns = runtime_ns;
  task->line = place.line;
  task->preds = new_positions ();
  task->succs = new_positions ();
  g_ptr_array_add (flow->tasks, task);
  g_hash_table_insert (flow->by_id, task->id, GUINT_TO_POINTER (flow->tasks->len));
  return flow->tasks->len - 1;
}

/* Keeps them rising. They mostly come so: O(1) then. */
static void
add_once (GArray *positions, guint position)
{
  guint i = positions->len;

  while (i > 0 && at (positions, i - 1) > position)
    i--;
  if (i == 0 || at (positions, i - 1) != position)
    g_array_insert_val (positions, i, position);
}

void
bn_flow_use (BnFlow *flow, guint task, const char *name, int64_t bytes, gboolean makes)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (flow->by_file, name));
  BnFlowFile *file;

  if (found > 0)
    file = g_ptr_array_index (flow->files, found - 1);
  else
    {
      file = g_new0 (BnFlowFile, 1);
      file->name = g_strdup (name);
      file->bytes = -1;
      file->makers = new_positions ();
      file->users = new_positions ();
      g_ptr_array_add (flow->files, file);
      g_hash_table_insert (flow->by_file, file->name, GUINT_TO_POINTER (flow->files->len));
    }
  file->bytes = MAX (file->bytes, bytes);
  add_once (makes ? file->makers : file->users, task);
}

void
bn_flow_edge (BnFlow *flow, guint parent, guint child)
{
  Pair pair = { parent, child };

  g_array_append_val (flow->stated, pair);
}

void
bn_flow_stated_edge (const BnFlow *flow, guint i, guint *parent, guint *child)
{
  const Pair *pair = &g_array_index (flow->stated, Pair, i);

  *parent = pair->parent;
  *child = pair->child;
}

/* ---- one DAG ---- */

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;

  return x->child != y->child ? (x->child < y->child ? -1 : 1) : (x->parent > y->parent) - (x->parent < y->parent);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

/* Sorted, each once. */
static void
settle (GArray *pairs)
{
  guint n = 0;

  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    if (i == 0 || compare_pairs (&g_array_index (pairs, Pair, i), &g_array_index (pairs, Pair, i - 1)) != 0)
      g_array_index (pairs, Pair, n++) = g_array_index (pairs, Pair, i);
  g_array_set_size (pairs, n);
}

/* Several producers and users of a file are all joined: looked at before it takes memory. */
static gboolean
check_edges (const BnFlow *flow, const char *path, GError **error)
{
  guint64 n = flow->stated->len;

  for (guint f = 0; f < flow->files->len; f++)
    {
      const BnFlowFile *file = g_ptr_array_index (flow->files, f);
      n += (guint64) file->makers->len * file->users->len;
    }
  return n <= BN_FLOW_MAX_EDGES
         || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 },
                           "has %" G_GUINT64_FORMAT " edges; at most %u are read", n, BN_FLOW_MAX_EDGES);
}

/* A task that makes what it also uses does not wait for itself. */
static GArray *
pairs_of_files (const BnFlow *flow)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint f = 0; f < flow->files->len; f++)
    {
      const BnFlowFile *file = g_ptr_array_index (flow->files, f);
      for (guint m = 0; m < file->makers->len; m++)
        for (guint u = 0; u < file->users->len; u++)
          {
            Pair pair = { at (file->makers, m), at (file->users, u) };
            if (pair.parent != pair.child)
              g_array_append_val (pairs, pair);
          }
    }
  settle (pairs);
  return pairs;
}

static void
link_tasks (BnFlow *flow)
{
  g_autoptr (GArray) of_files = pairs_of_files (flow);

  flow->n_file_edges = of_files->len;
  g_array_append_vals (flow->stated, of_files->data, of_files->len);
  settle (flow->stated);
  flow->n_edges = flow->stated->len;
  for (guint i = 0; i < flow->stated->len; i++)
    {
      const Pair *pair = &g_array_index (flow->stated, Pair, i);
      g_array_append_val (task_at (flow, pair->child)->preds, pair->parent);
      g_array_append_val (task_at (flow, pair->parent)->succs, pair->child);
    }
  for (guint t = 0; t < flow->tasks->len; t++)
    g_array_sort (task_at (flow, t)->succs, compare_positions);
}

/* Names the tasks of a cycle; each waits for the next. Of what a task that could not go waits for, something could not
 * go either: going back over that ends in a cycle. */
static gboolean
fail_cycle (const BnFlow *flow, const guint *n_missing, const char *path, GError **error)
{
  g_autofree guint *waits_for = g_new (guint, flow->tasks->len);
  g_autofree gboolean *seen = g_new0 (gboolean, flow->tasks->len);
  g_autoptr (GString) names = g_string_new (NULL);
  guint t = 0, n = 0;

  while (n_missing[t] == 0)
    t++;
  for (; !seen[t]; t = waits_for[t])
    {
      const GArray *preds = task_at (flow, t)->preds;
      guint p = 0;
      while (n_missing[at (preds, p)] == 0)
        p++;
      seen[t] = TRUE;
      waits_for[t] = at (preds, p);
    }
  guint first = t;
  do
    {
      if (n++ < MAX_NAMED)
        g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", task_at (flow, t)->id);
      t = waits_for[t];
    }
  while (t != first);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, task_at (flow, first)->line },
                        "tasks wait for each other in a circle: %s%s", names->str, n > MAX_NAMED ? ", ..." : "");
}

/* Kahn's algorithm: the least position that can go, goes. */
static gboolean
sort_tasks (BnFlow *flow, const char *path, GError **error)
{
  guint n = flow->tasks->len, n_sorted = 0;
  g_autofree guint *n_missing = g_new (guint, n);

  flow->topological = g_new (guint, n);
  for (guint t = 0; t < n; t++)
    {
      n_missing[t] = task_at (flow, t)->preds->len;
      if (n_missing[t] == 0)
        flow->topological[n_sorted++] = t;
    }
  for (guint i = 0; i < n_sorted; i++)
    {
      const GArray *succs = task_at (flow, flow->topological[i])->succs;
      for (guint s = 0; s < succs->len; s++)
        if (--n_missing[at (succs, s)] == 0)
          flow->topological[n_sorted++] = at (succs, s);
    }
  return n_sorted == n || fail_cycle (flow, n_missing, path, error);
}

static void
add_bytes (int64_t *sum, guint *n_unsized, const BnFlowFile *file)
{
  if (file->bytes < 0)
    ++*n_unsized;
  else
    *sum = *sum > INT64_MAX - file->bytes ? INT64_MAX : *sum + file->bytes;
}

static void
sum_files (BnFlow *flow)
{
  for (guint f = 0; f < flow->files->len; f++)
    {
      const BnFlowFile *file = g_ptr_array_index (flow->files, f);
      for (guint u = 0; u < file->users->len && file->makers->len == 0; u++)
        {
          BnFlowTask *user = task_at (flow, at (file->users, u));
          add_bytes (&user->input_bytes, &user->n_unsized_inputs, file);
        }
      for (guint m = 0; m < file->makers->len && file->users->len > 0; m++)
        {
          guint position = at (file->makers, m);
          BnFlowTask *maker = task_at (flow, position);
          if (file->users->len > 1 || at (file->users, 0) != position)
            add_bytes (&maker->output_bytes, &maker->n_unsized_outputs, file);
        }
    }
}

gboolean
bn_flow_finish (BnFlow *flow, const char *path, GError **error)
{
  if (flow->tasks->len == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 }, "has no task in it");
  if (!check_edges (flow, path, error))
    return FALSE;
  link_tasks (flow);
  sum_files (flow);
  return sort_tasks (flow, path, error);
}

/* ---- figures ---- */

BnFlowFigures
bn_flow_figures (const BnFlow *flow, BnDuration missing_ns)
{
  guint n = flow->tasks->len;
  g_autofree guint *depth = g_new0 (guint, n), *wide = g_new0 (guint, n + 1);
  g_autofree BnTime *end_ns = g_new0 (BnTime, n);
  BnFlowFigures f = { 0 };

  for (guint i = 0; i < n; i++)
    {
      guint t = flow->topological[i];
      const BnFlowTask *task = task_at (flow, t);
      BnDuration runtime_ns = task->runtime_ns >= 0 ? task->runtime_ns : missing_ns;
      BnTime start_ns = 0;
      for (guint p = 0; p < task->preds->len; p++)
        {
          depth[t] = MAX (depth[t], depth[at (task->preds, p)]);
          start_ns = MAX (start_ns, end_ns[at (task->preds, p)]);
        }
      depth[t]++;
      end_ns[t] = bn_time_add (start_ns, runtime_ns);
      f.depth = MAX (f.depth, depth[t]);
      wide[depth[t]]++;
      f.width = MAX (f.width, wide[depth[t]]);
      f.critical_ns = MAX (f.critical_ns, end_ns[t]);
      f.work_ns = bn_time_add (f.work_ns, runtime_ns);
      f.n_roots += task->preds->len == 0;
      f.n_leaves += task->succs->len == 0;
      f.n_timed += task->runtime_ns >= 0;
    }
  for (guint i = 0; i < flow->files->len; i++)
    {
      const BnFlowFile *file = g_ptr_array_index (flow->files, i);
      f.n_sized += file->bytes >= 0;
      f.files_bytes = file->bytes < 0 ? f.files_bytes : bn_time_add (f.files_bytes, file->bytes);
    }
  return f;
}
