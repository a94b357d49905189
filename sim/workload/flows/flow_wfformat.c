/* flow_wfformat.c: WfCommons' WfFormat, 1.2 to 1.5.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   1.2, 1.3  workflow.jobs, later workflow.tasks: name, id, runtime or runtimeInSeconds, parents, children, files
 *             (name, link, size or sizeInBytes)
 *   1.4       the same with ids throughout
 *   1.5       workflow.specification: tasks (id, name, parents, children, inputFiles, outputFiles) and files (id,
 *             sizeInBytes); workflow.execution.tasks: id, runtimeInSeconds
 * A task is what its id says, or without one its name, if no other has it. Parents and children name ids, or
 * names that only one task has; both lists count.
 */
#include "flow_formats.h"
#include "flow_json.h"

#include <string.h>

typedef struct Reader
{
  BnFlow *flow;
  BnPlace place;
  JsonArray *tasks;
  GHashTable *by_name;   /* to position + 1; G_MAXUINT: several have it */
  GHashTable *bytes;     /* of 1.5: id of a file to its size + 1, as gint64 *; else NULL */
  GHashTable *runtimes;  /* of 1.5: id of a task to double *; else NULL  */
} Reader;

static double
runtime_in (JsonObject *task)
{
  double seconds = bn_flow_json_number (task, "runtimeInSeconds");

  return seconds >= 0 ? seconds : bn_flow_json_number (task, "runtime");
}

static gboolean
add_task (Reader *r, guint i, GError **error)
{
  JsonObject *task = bn_flow_json_object_at (r->tasks, i);
  const char *name = bn_flow_json_text (task, "name"), *id = bn_flow_json_text (task, "id");

  if (name == NULL && id == NULL)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, r->place, "task %u has neither an id nor a name", i + 1);
  if (id == NULL)
    id = name;
  if (name == NULL)
    name = id;
  const double *measured = r->runtimes != NULL ? g_hash_table_lookup (r->runtimes, id) : NULL;
  double seconds = measured != NULL ? *measured : runtime_in (task);
  guint position = bn_flow_add_task (r->flow, id, name, bn_flow_seconds (seconds), r->place, error);
  if (position == G_MAXUINT)
    return FALSE;
  gpointer known = g_hash_table_lookup (r->by_name, name);
  g_hash_table_insert (r->by_name, (gpointer) name, GUINT_TO_POINTER (known == NULL ? position + 1 : G_MAXUINT));
  return TRUE;
}

/* The task that a text stands for; G_MAXUINT: none. */
static guint
task_named (const Reader *r, const char *text)
{
  guint position = bn_flow_find (r->flow, text);

  if (position != G_MAXUINT)
    return position;
  position = GPOINTER_TO_UINT (g_hash_table_lookup (r->by_name, text));
  return position == 0 || position == G_MAXUINT ? G_MAXUINT : position - 1;
}

static gboolean
add_edges (const Reader *r, guint position, const char *list, gboolean parents, GError **error)
{
  JsonArray *others = bn_flow_json_array (bn_flow_json_object_at (r->tasks, position), list);

  for (guint i = 0; others != NULL && i < json_array_get_length (others); i++)
    {
      const char *text = bn_flow_json_text_at (others, i);
      guint other = text != NULL ? task_named (r, text) : G_MAXUINT;
      if (other == G_MAXUINT)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, r->place,
                              "task '%s': there is no one task '%s' for its %s",
                              ((BnFlowTask *) g_ptr_array_index (r->flow->tasks, position))->id,
                              text != NULL ? text : "(no text)", list);
      bn_flow_edge (r->flow, parents ? other : position, parents ? position : other);
    }
  return TRUE;
}

/* Of 1.5: a list of ids. */
static void
add_listed (const Reader *r, guint position, const char *list, gboolean makes)
{
  JsonArray *files = bn_flow_json_array (bn_flow_json_object_at (r->tasks, position), list);

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      const char *id = bn_flow_json_text_at (files, i);
      const gint64 *bytes = id != NULL && r->bytes != NULL ? g_hash_table_lookup (r->bytes, id) : NULL;
      if (id != NULL)
        bn_flow_use (r->flow, position, id, bytes != NULL ? *bytes : -1, makes);
    }
}

/* Before 1.5: objects. */
static void
add_files (const Reader *r, guint position)
{
  JsonArray *files = bn_flow_json_array (bn_flow_json_object_at (r->tasks, position), "files");

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *file = bn_flow_json_object_at (files, i);
      const char *name = bn_flow_json_text (file, "name"), *link = bn_flow_json_text (file, "link");
      int64_t bytes = bn_flow_json_bytes (file, "sizeInBytes");
      if (bytes < 0)
        bytes = bn_flow_json_bytes (file, "size");
      if (name != NULL && link != NULL)
        bn_flow_use (r->flow, position, name, bytes, strcmp (link, "output") == 0);
    }
}

static void
index_specification (Reader *r, JsonObject *specification, JsonObject *execution)
{
  JsonArray *files = bn_flow_json_array (specification, "files"), *tasks = bn_flow_json_array (execution, "tasks");

  r->bytes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  r->runtimes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *file = bn_flow_json_object_at (files, i);
      gint64 bytes = bn_flow_json_bytes (file, "sizeInBytes");
      if (bn_flow_json_text (file, "id") != NULL)
        g_hash_table_insert (r->bytes, (gpointer) bn_flow_json_text (file, "id"), g_memdup2 (&bytes, sizeof bytes));
    }
  for (guint i = 0; tasks != NULL && i < json_array_get_length (tasks); i++)
    {
      JsonObject *task = bn_flow_json_object_at (tasks, i);
      double seconds = runtime_in (task);
      if (bn_flow_json_text (task, "id") != NULL)
        g_hash_table_insert (r->runtimes, (gpointer) bn_flow_json_text (task, "id"),
                             g_memdup2 (&seconds, sizeof seconds));
    }
}

static gboolean
read_tasks (Reader *r, GError **error)
{
  guint n = json_array_get_length (r->tasks);
  gboolean ok = TRUE;

  for (guint i = 0; i < n && ok; i++)
    ok = add_task (r, i, error);
  for (guint i = 0; i < n && ok; i++)
    {
      ok = add_edges (r, i, "parents", TRUE, error) && add_edges (r, i, "children", FALSE, error);
      add_files (r, i);
      add_listed (r, i, "inputFiles", FALSE);
      add_listed (r, i, "outputFiles", TRUE);
    }
  return ok;
}

static gboolean
read_wfformat (BnFlow *flow, const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonObject *root = bn_flow_json_parse (parser, text, length, path, error);
  JsonObject *workflow = bn_flow_json_object (root, "workflow");
  JsonObject *specification = bn_flow_json_object (workflow, "specification");
  Reader r = { .flow = flow, .place = { path, 0 }, .by_name = g_hash_table_new (g_str_hash, g_str_equal) };

  if (specification != NULL)
    {
      index_specification (&r, specification, bn_flow_json_object (workflow, "execution"));
      r.tasks = bn_flow_json_array (specification, "tasks");
    }
  else
    r.tasks = bn_flow_json_array (workflow, "tasks") != NULL ? bn_flow_json_array (workflow, "tasks")
                                                             : bn_flow_json_array (workflow, "jobs");
  if (bn_flow_json_text (root, "name") != NULL)
    bn_flow_set_name (flow, bn_flow_json_text (root, "name"));
  gboolean ok = root != NULL
                && (r.tasks != NULL
                      ? read_tasks (&r, error)
                      : bn_input_fail (error, BN_INPUT_ERROR_CONTENT, r.place,
                                       "has no workflow.jobs, workflow.tasks or workflow.specification.tasks"));
  g_hash_table_unref (r.by_name);
  g_clear_pointer (&r.bytes, g_hash_table_unref);
  g_clear_pointer (&r.runtimes, g_hash_table_unref);
  return ok;
}

static gboolean
detect (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '{' && strstr (text, "\"workflow\"") != NULL
         && (strstr (text, "\"jobs\"") != NULL || strstr (text, "\"tasks\"") != NULL);
}

const BnFlowFormat bn_flow_wfformat = { "wfformat", "WfCommons WfFormat 1.2 to 1.5 (JSON)", detect, read_wfformat };
