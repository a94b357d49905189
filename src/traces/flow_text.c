/* flow_text.c: a workflow of another program as text: described, drawn, and as a catalogue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow_text.h"

#include <stdarg.h>
#include <string.h>

#include "units.h"

static const BnFlowTask *
task_at (const BnFlow *flow, guint i)
{
  return g_ptr_array_index (flow->tasks, i);
}

static BnDuration
runtime_of (const BnFlowTask *task, const BnFlowRules *rules)
{
  return task->runtime_ns < 0 ? rules->runtime_ns : task->runtime_ns;
}

/* Bytes of so many files without a size. */
static int64_t
filled (guint n_unsized, const BnFlowRules *rules)
{
  return rules->size_bytes < 0 ? 0 : bn_muldiv_round (rules->size_bytes, n_unsized, 1);
}

/* Returns: (transfer full). */
static char *
on_one_line (const char *text)
{
  return g_strdelimit (g_strdup (text), "\n\r", ' ');
}

void
bn_flow_scale (BnFlow *flow, double scale)
{
  for (guint t = 0; t < flow->tasks->len; t++)
    {
      BnFlowTask *task = g_ptr_array_index (flow->tasks, t);
      if (task->runtime_ns >= 0)
        task->runtime_ns = bn_round_half_up ((double) task->runtime_ns * scale);
    }
}

/* ---- description ---- */

static void
add_line (GString *text, const char *what, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
add_line (GString *text, const char *what, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *value = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_string_append_printf (text, "%-14s  %s\n", what, value);
}

char *
bn_flow_description (const BnFlow *flow, const char *format, const BnFlowRules *rules)
{
  BnFlowFigures f = bn_flow_figures (flow, MAX (rules->runtime_ns, 0));
  guint n = flow->tasks->len;
  GString *text = g_string_new (NULL);
  g_autofree char *work = bn_format_duration (f.work_ns), *critical = bn_format_duration (f.critical_ns);
  g_autofree char *size = bn_format_size (f.files_bytes), *name = on_one_line (flow->name);
  gboolean timed = f.n_timed == n || rules->runtime_ns >= 0;

  add_line (text, "name", "%s", name);
  add_line (text, "format", "%s", format);
  add_line (text, "tasks", "%u", n);
  add_line (text, "edges", "%u, %u of them with a file behind them", flow->n_edges, flow->n_file_edges);
  add_line (text, "entry tasks", "%u", f.n_roots);
  add_line (text, "last tasks", "%u", f.n_leaves);
  add_line (text, "depth", "%u", f.depth);
  add_line (text, "width", "%u", f.width);
  add_line (text, "runtimes", "%u of %u stated%s", f.n_timed, n,
            f.n_timed == n           ? ""
            : rules->runtime_ns >= 0 ? ", the others by --runtime"
                                     : "; --runtime fills the others");
  if (timed)
    {
      add_line (text, "work", "%s", work);
      add_line (text, "critical path", "%s: no job is quicker on GPUs of speed 1", critical);
    }
  add_line (text, "files", "%u, %u of them with a size, %s together%s", flow->files->len, f.n_sized, size,
            f.n_sized == flow->files->len ? ""
            : rules->size_bytes >= 0      ? ", the others by --size"
                                          : "; --size fills the others");
  return g_string_free (text, FALSE);
}

/* ---- Graphviz ---- */

static void
append_quoted (GString *text, const char *value)
{
  g_string_append_c (text, '"');
  for (const char *c = value; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

static void
append_node (GString *text, const BnFlowTask *task, const BnFlowRules *rules)
{
  BnDuration runtime_ns = runtime_of (task, rules);
  int64_t filled_bytes = filled (task->n_unsized_outputs, rules);

  g_string_append (text, "  ");
  append_quoted (text, task->id);
  g_string_append (text, " [label=");
  append_quoted (text, task->name);
  if (runtime_ns >= 0)
    {
      g_autofree char *seconds = bn_format_real ((double) runtime_ns / 1e9);
      g_string_append_printf (text, ", runtime=\"%s\"", seconds);
    }
  if (task->n_unsized_outputs == 0 || rules->size_bytes >= 0)
    g_string_append_printf (text, ", size=\"%" G_GINT64_FORMAT "\"", bn_time_add (task->output_bytes, filled_bytes));
  g_string_append (text, "];\n");
}

char *
bn_flow_dot_text (const BnFlow *flow, const BnFlowRules *rules)
{
  GString *text = g_string_new ("digraph ");

  append_quoted (text, flow->name);
  g_string_append (text, " {\n");
  for (guint t = 0; t < flow->tasks->len; t++)
    append_node (text, task_at (flow, t), rules);
  for (guint t = 0; t < flow->tasks->len; t++)
    for (guint s = 0; s < task_at (flow, t)->succs->len; s++)
      {
        g_string_append (text, "  ");
        append_quoted (text, task_at (flow, t)->id);
        g_string_append (text, " -> ");
        append_quoted (text, task_at (flow, g_array_index (task_at (flow, t)->succs, guint, s))->id);
        g_string_append (text, ";\n");
      }
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}

/* ---- catalogue ---- */

/* Letters, digits and - . _ of a text: what a section's name may hold; never empty. Returns: (transfer full). */
static char *
as_name (const char *text)
{
  char *name = g_strdup (*text != '\0' ? text : "workflow");

  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-._", *c) == NULL)
      *c = '_';
  return name;
}

/* Whether all files have a size that a catalogue states, by the rule or not: only an entry task is sent its input. */
static gboolean
sized (const BnFlowTask *task, const BnFlowRules *rules)
{
  return rules->size_bytes >= 0
         || (task->n_unsized_outputs == 0 && (task->n_unsized_inputs == 0 || task->preds->len > 0));
}

static gboolean
check_whole (const BnFlow *flow, const char *path, const BnFlowRules *rules, GError **error)
{
  guint n_untimed = 0, n_unsized = 0, first_untimed = 0, first_unsized = 0;

  for (guint t = flow->tasks->len; t-- > 0;)
    {
      const BnFlowTask *task = task_at (flow, t);
      if (task->runtime_ns < 0)
        {
          n_untimed++;
          first_untimed = t;
        }
      if (!sized (task, rules))
        {
          n_unsized++;
          first_unsized = t;
        }
    }
  if (n_untimed > 0 && rules->runtime_ns < 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, task_at (flow, first_untimed)->line },
                          "%u of %u tasks have no runtime, the first is %s; give them one, as --runtime 10s", n_untimed,
                          flow->tasks->len, task_at (flow, first_untimed)->id);
  if (n_unsized > 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, task_at (flow, first_unsized)->line },
                          "files of %u of %u tasks have no size, the first is %s; give them one, as --size 1MB",
                          n_unsized, flow->tasks->len, task_at (flow, first_unsized)->id);
  return TRUE;
}

static void
append_head (GString *text, const BnFlow *flow, const char *path, const char *format, const BnFlowRules *rules)
{
  g_autofree char *base = g_path_get_basename (path), *scale = bn_format_real (rules->scale);
  g_autofree char *made = g_strdup_printf ("%s, made of %s (%s)", flow->name, base, format), *line = on_one_line (made);

  g_string_append_printf (text, "# %s by binnacle workflow convert: %u tasks, %u edges.\n", line, flow->tasks->len,
                          flow->n_edges);
  if (rules->runtime_ns >= 0)
    {
      g_autofree char *runtime = bn_format_duration (rules->runtime_ns);
      g_string_append_printf (text, "# Runtimes that it does not state: %s.\n", runtime);
    }
  if (rules->scale != 1)
    g_string_append_printf (text, "# Runtimes that it states, times %s.\n", scale);
  if (rules->size_bytes >= 0)
    {
      g_autofree char *size = bn_format_size (rules->size_bytes);
      g_string_append_printf (text, "# Files that it states no size of: %s each.\n", size);
    }
  g_string_append (text, "# What a task hands on are the files that it makes and others use, together; a client sends\n"
                         "# an entry task the files that nobody makes.\n");
}

/* The name of a task's model. Returns: (transfer full), NULL: none. */
static char *
model_of (const BnFlowTask *task, const BnFlowRules *rules)
{
  return rules->model == NULL                      ? NULL
         : strcmp (rules->model, "shared") == 0    ? g_strdup ("shared")
                                                   : as_name (task->name);
}

static void
append_models (GString *text, const BnFlow *flow, const BnFlowRules *rules)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *size = bn_format_size (MAX (rules->model_bytes, 0));

  for (guint t = 0; t < flow->tasks->len; t++)
    {
      char *model = model_of (task_at (flow, t), rules);
      if (model != NULL && !g_hash_table_contains (seen, model))
        g_string_append_printf (text, "\n[model %s]\nsize = %s\n", model, size);
      if (model != NULL)
        g_hash_table_add (seen, model);
    }
}

/* What says no more than the task's label and model stands in no comment. */
static void
append_task (GString *text, const BnFlow *flow, guint t, const char *workflow, const BnFlowRules *rules)
{
  const BnFlowTask *task = task_at (flow, t);
  gboolean entry = task->preds->len == 0;
  g_autofree char *runtime = bn_format_duration (runtime_of (task, rules));
  g_autofree char *input = bn_format_size (bn_time_add (task->input_bytes, filled (task->n_unsized_inputs, rules)));
  g_autofree char *output = bn_format_size (bn_time_add (task->output_bytes, filled (task->n_unsized_outputs, rules)));
  g_autofree char *model = model_of (task, rules);
  g_autofree char *id = on_one_line (task->id), *name = on_one_line (task->name);
  g_autofree char *label = g_strdup_printf ("%u", t + 1);

  g_string_append_c (text, '\n');
  if (strcmp (id, label) != 0 || (strcmp (name, id) != 0 && g_strcmp0 (name, model) != 0))
    g_string_append_printf (text, "# %s: %s\n", id, name);
  g_string_append_printf (text, "[task %s/%s]\nmodel = %s\n", workflow, label, model != NULL ? model : "none");
  for (guint p = 0; p < task->preds->len; p++)
    g_string_append_printf (text, "%s%u", p == 0 ? "after = " : " ", g_array_index (task->preds, guint, p) + 1);
  g_string_append_printf (text, "%sinput = %s\noutput = %s\nruntime = %s\n", entry ? "" : "\n", input, output, runtime);
}

void
bn_flow_append_workflow (GString *text, const BnFlow *flow, const BnFlowRules *rules)
{
  g_autofree char *workflow = as_name (flow->name);

  g_string_append_printf (text, "\n[workflow %s]\n", workflow);
  for (guint t = 0; t < flow->tasks->len; t++)
    append_task (text, flow, t, workflow, rules);
}

char *
bn_flow_catalogue (const BnFlow *flow, const char *path, const char *format, const BnFlowRules *rules, GError **error)
{
  if (!check_whole (flow, path, rules, error))
    return NULL;
  GString *text = g_string_new (NULL);
  append_head (text, flow, path, format, rules);
  append_models (text, flow, rules);
  bn_flow_append_workflow (text, flow, rules);
  return g_string_free (text, FALSE);
}
