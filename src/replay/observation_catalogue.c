/* observation_catalogue.c: models and workflows of a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "catalogue.h"
#include "observation_parts.h"
#include "units.h"

/* Beyond these a row is damaged: the catalogue's own limits at the largest scale. */
#define MAX_NS (INT64_C (240000) * 3600 * BN_NS_PER_S)
#define MAX_BYTES INT64_C (1000000000000000000)

/* The catalogue's text, and the runtimes that lay over its work. */
typedef struct Text
{
  GString *text;
  GArray *runtimes_ns;  /* BnDuration, in order of first_task + task; -1: as its work */
  gboolean measured;    /* one of them is not                                          */
  gint64 n_models, n_workflows;
  gboolean sound;       /* numbers are what they can be                                */
} Text;

static void
append_key (GString *text, const char *key, char *value)
{
  g_string_append_printf (text, "%s = %s\n", key, value);
  g_free (value);
}

static void
append_model (sqlite3_stmt *stmt, void *data)
{
  Text *t = data;
  const char *gpu_type = (const char *) sqlite3_column_text (stmt, 4);
  gint64 size_bytes = bn_observation_whole (stmt, 1, 1, MAX_BYTES, &t->sound);

  /* one row for each runtime stated, or one without */
  if (sqlite3_column_int (stmt, 6) == 1)
    {
      g_string_append_printf (t->text, "[model %s]\n", (const char *) sqlite3_column_text (stmt, 0));
      bn_observation_whole (stmt, 7, t->n_models, t->n_models, &t->sound);
      t->n_models++;
      append_key (t->text, "size", bn_format_size (size_bytes));
      append_key (t->text, "layers", g_strdup ((const char *) sqlite3_column_text (stmt, 2)));
      /* one above what a file can state is that of its name */
      if (g_ascii_strtoull ((const char *) sqlite3_column_text (stmt, 3), NULL, 10) <= INT64_MAX)
        append_key (t->text, "weights-seed", g_strdup ((const char *) sqlite3_column_text (stmt, 3)));
    }
  if (gpu_type == NULL)
    return;
  g_autofree char *key = g_strconcat ("runtime@", gpu_type, NULL);
  append_key (t->text, key, bn_format_duration (bn_observation_whole (stmt, 5, 0, MAX_NS, &t->sound)));
}

static void
append_workflow (sqlite3_stmt *stmt, void *data)
{
  Text *t = data;

  bn_observation_whole (stmt, 3, t->n_workflows, t->n_workflows, &t->sound);
  t->n_workflows++;
  g_string_append_printf (t->text, "[workflow %s]\n", (const char *) sqlite3_column_text (stmt, 0));
  if (sqlite3_column_type (stmt, 1) != SQLITE_NULL)
    append_key (t->text, "deadline", bn_format_duration (bn_observation_whole (stmt, 1, 0, MAX_NS, &t->sound)));
  if (sqlite3_column_type (stmt, 2) != SQLITE_NULL)
    {
      g_autofree char *multiple = bn_format_real ((double) bn_observation_whole (stmt, 2, 0, INT64_MAX, &t->sound)
                                                  / (double) BN_PPM_ONE);
      append_key (t->text, "deadline", g_strconcat (multiple, "x", NULL));
    }
}

static void
append_task (sqlite3_stmt *stmt, void *data)
{
  Text *t = data;
  const char *model = (const char *) sqlite3_column_text (stmt, 2);
  const char *after = (const char *) sqlite3_column_text (stmt, 3);
  BnDuration work_ns = bn_observation_whole (stmt, 6, 0, MAX_NS, &t->sound);
  BnDuration runtime_ns = bn_observation_whole (stmt, 7, 0, MAX_NS, &t->sound);
  BnDuration overlay_ns = runtime_ns != work_ns ? runtime_ns : -1;

  g_string_append_printf (t->text, "[task %s/%s]\n", (const char *) sqlite3_column_text (stmt, 0),
                          (const char *) sqlite3_column_text (stmt, 1));
  append_key (t->text, "model", g_strdup (model != NULL ? model : "none"));
  append_key (t->text, "after", g_strdup (after != NULL ? after : ""));
  append_key (t->text, "input", bn_format_size (bn_observation_whole (stmt, 4, 0, MAX_BYTES, &t->sound)));
  append_key (t->text, "output", bn_format_size (bn_observation_whole (stmt, 5, 0, MAX_BYTES, &t->sound)));
  append_key (t->text, "runtime", bn_format_duration (work_ns));
  g_array_append_val (t->runtimes_ns, overlay_ns);
  t->measured |= overlay_ns >= 0;
}

static const char models_sql[]
  = "SELECT m.name, m.size_bytes, m.layers, m.weights_seed, s.gpu_type, s.runtime_ns,"
    " ROW_NUMBER () OVER (PARTITION BY m.model ORDER BY s.gpu_type), m.model FROM models m"
    " LEFT JOIN model_runtimes s USING (run_id, model) WHERE m.run_id = ?1 ORDER BY m.model, s.gpu_type";
static const char workflows_sql[]
  = "SELECT name, deadline_ns, deadline_ppm, workflow FROM workflows WHERE run_id = ?1 ORDER BY workflow";
static const char tasks_sql[]
  = "SELECT w.name, t.label, m.name, (SELECT group_concat (p.label, ' ') FROM workflow_edges e JOIN workflow_tasks p"
    "  ON p.run_id = e.run_id AND p.workflow = e.workflow AND p.task = e.pred WHERE e.run_id = ?1"
    "  AND e.workflow = t.workflow AND e.task = t.task), t.input_bytes, t.output_bytes, t.work_ns, t.runtime_ns"
    " FROM workflow_tasks t JOIN workflows w USING (run_id, workflow)"
    " LEFT JOIN models m ON m.run_id = t.run_id AND m.model = t.model WHERE t.run_id = ?1 ORDER BY t.workflow, t.task";

gboolean
bn_observation_catalogue (BnReader *reader, gint64 run, BnScenario *scenario, GError **error)
{
  Text t = { .text = g_string_new (NULL), .runtimes_ns = g_array_new (FALSE, FALSE, sizeof (BnDuration)),
             .sound = TRUE };
  gboolean ok = bn_observation_each_row (reader, models_sql, run, append_model, &t, error)
                && bn_observation_each_row (reader, workflows_sql, run, append_workflow, &t, error)
                && bn_observation_each_row (reader, tasks_sql, run, append_task, &t, error);

  if (ok && !t.sound)
    ok = bn_observation_fail (reader, run, error, "does not say what models and workflows it had");
  if (ok)
    scenario->catalogue = bn_catalogue_parse (t.text->str, t.text->len, bn_reader_path (reader), INT64_MAX, error);
  if (scenario->catalogue != NULL && t.measured)
    {
      BnCatalogueChange change = { BN_PPM_ONE, (const BnDuration *) (const void *) t.runtimes_ns->data };
      BnCatalogue *changed = bn_catalogue_changed (scenario->catalogue, &change);
      bn_catalogue_free (scenario->catalogue);
      scenario->catalogue = changed;
    }
  g_string_free (t.text, TRUE);
  g_array_unref (t.runtimes_ns);
  return scenario->catalogue != NULL;
}
