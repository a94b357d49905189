/* catalogue_read.c: from key files to a catalogue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Sections may stand in any order, so the files are passed over four times:
 * models and workflows, tasks, the tasks' predecessors, and what the whole must
 * satisfy.
 */
#include <string.h>

#include "catalogue_builder.h"
#include "keyfile.h"
#include "units.h"

/* Beyond these a number is a slip of the pen: 10 days, 10,000 hours, 1000 TB. */
#define MAX_RUNTIME_NS (INT64_C (240) * 3600 * BN_NS_PER_S)
#define MAX_DEADLINE_NS (INT64_C (10000) * 3600 * BN_NS_PER_S)
#define MAX_BYTES INT64_C (1000000000000000)
#define MAX_DEADLINE_PPM (INT64_C (1000000) * BN_PPM_ONE)

static const char *const section_kinds[] = { "model", "workflow", "task", NULL };
static const char *const model_keys[] = { "size", "layers", "weights-seed", "runtime@GPU", NULL };
static const char *const workflow_keys[] = { "deadline", NULL };
static const char *const task_keys[] = { "model", "after", "input", "output", "runtime", NULL };

typedef struct Task
{
  const char *file;
  const BnKeySection *section;
  uint32_t workflow;
  uint32_t position;
} Task;

typedef struct Reader
{
  BnCatalogueBuilder *builder;
  BnKeyFile **files;
  guint n_files;
  int64_t largest_gpu_bytes;
  GArray *tasks;           /* Task, in order of reading                        */
  GHashTable *task_index;  /* "workflow/label", as in section names -> its index in tasks + 1 */
  GArray *model_places;    /* BnPlace: the line of a model's size              */
} Reader;

static BnPlace
place_of (const char *file, uint32_t line)
{
  return (BnPlace) { file, line };
}

static gboolean
fail_at (GError **error, const char *file, uint32_t line, const char *format, ...) G_GNUC_PRINTF (4, 5);

static gboolean
fail_at (GError **error, const char *file, uint32_t line, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place_of (file, line), "%s", what);
  g_free (what);
  return FALSE;
}

/* "'word' is not WHAT (did you mean …?)" */
static gboolean
fail_unknown (GError **error, const char *file, uint32_t line, const char *word, const char *what,
              const char *const *known)
{
  char *quoted = bn_quote (word), *hint = bn_input_hint (word, known);
  fail_at (error, file, line, "%s is not %s%s", quoted, what, hint);
  g_free (quoted);
  g_free (hint);
  return FALSE;
}

/* "[model OPT]": the kind's index and the name, or -1 for another kind. */
static int
section_kind (const BnKeySection *section, const char **name)
{
  for (int i = 0; section_kinds[i] != NULL; i++)
    if (g_str_has_prefix (section->name, section_kinds[i]))
      {
        const char *rest = section->name + strlen (section_kinds[i]);
        if (*rest == ' ' || *rest == '\0')
          {
            *name = *rest == ' ' ? rest + 1 : rest;
            return i;
          }
      }
  return -1;
}

/* Names stand in lists, in `model@worker` and in `workflow:weight`. */
static gboolean
check_name (const char *file, const BnKeySection *section, const char *kind, const char *name, GError **error)
{
  if (*name == '\0')
    return fail_at (error, file, section->line, "a %s needs a name; write [%s NAME]", kind, kind);
  if (strpbrk (name, " ,;:@/\"'") == NULL && strlen (name) <= 200)
    return TRUE;
  char *quoted = bn_quote (name);
  fail_at (error, file, section->line,
           "%s cannot be the name of a %s; use at most 200 characters, without blanks , ; : @ / and quotes",
           quoted, kind);
  g_free (quoted);
  return FALSE;
}

/* Every key of `section` must be known. */
static gboolean
check_keys (const char *file, const BnKeySection *section, const char *const *known, GError **error)
{
  for (uint32_t i = 0; i < section->n_entries; i++)
    if (!g_strv_contains (known, section->entries[i].key)
        && !(known == model_keys && g_str_has_prefix (section->entries[i].key, "runtime@")))
      {
        char *names = g_strjoinv (", ", (char **) known);
        char *what = g_strdup_printf ("a key of [%s], which knows %s", section->name, names);
        fail_unknown (error, file, section->entries[i].line, section->entries[i].key, what, known);
        g_free (names);
        g_free (what);
        return FALSE;
      }
  return TRUE;
}

typedef gboolean (*Parser) (const char *text, int64_t *ret, GError **error);

static gboolean
read_entry (const char *file, const BnKeyEntry *entry, Parser parse, int64_t max, int64_t *ret, GError **error)
{
  if (!parse (entry->value, ret, error))
    return bn_input_prefix (error, place_of (file, entry->line), entry->key);
  if (*ret > max)
    {
      char *limit = parse == bn_parse_size              ? bn_format_size (max)
                    : parse == bn_parse_multiple_ppm ? g_strdup ("1000000x")
                                                     : bn_format_duration (max);
      fail_at (error, file, entry->line, "%s: more than %s is surely a slip; check the unit", entry->key, limit);
      g_free (limit);
      return FALSE;
    }
  return TRUE;
}

/* The key must be there. */
static gboolean
read_key (const char *file, const BnKeySection *section, const char *key, Parser parse, int64_t max, int64_t *ret,
          GError **error)
{
  const BnKeyEntry *entry = bn_key_section_find (section, key);
  if (entry == NULL)
    return fail_at (error, file, section->line, "[%s] lacks the key '%s'; add a line such as %s = %s", section->name,
                    key, key, parse == bn_parse_size ? "2kB" : "10ms");
  return read_entry (file, entry, parse, max, ret, error);
}

/* What it computes, where it is really executed. */
static gboolean
read_layers (Reader *r, const char *file, const BnKeySection *section, uint32_t model, GError **error)
{
  const BnKeyEntry *layers = bn_key_section_find (section, "layers");
  const BnKeyEntry *seed = bn_key_section_find (section, "weights-seed");
  int64_t number;
  uint32_t i = 0;

  while (layers != NULL && bn_layers_names[i] != NULL && strcmp (bn_layers_names[i], layers->value) != 0)
    i++;
  if (layers != NULL && bn_layers_names[i] == NULL)
    return fail_unknown (error, file, layers->line, layers->value,
                         "a kind of layers; there are burn, mlp, conv, lstm and transformer", bn_layers_names);
  if (layers != NULL)
    bn_catalogue_builder_set_layers (r->builder, model, (BnLayers) i);
  if (seed == NULL)
    return TRUE;
  if (!bn_parse_integer (seed->value, &number, error))
    return bn_input_prefix (error, place_of (file, seed->line), seed->key);
  if (number < 0)
    return fail_at (error, file, seed->line, "weights-seed: a seed is 0 or more");
  bn_catalogue_builder_set_weights_seed (r->builder, model, (uint64_t) number);
  return TRUE;
}

static gboolean
read_model (Reader *r, const char *file, const BnKeySection *section, const char *name, GError **error)
{
  int64_t size;
  if (!check_name (file, section, "model", name, error) || !check_keys (file, section, model_keys, error))
    return FALSE;
  if (strcmp (name, "none") == 0)
    return fail_at (error, file, section->line, "'none' means no model; give the model another name");
  if (bn_catalogue_builder_find_model (r->builder, name) != BN_NONE)
    return fail_at (error, file, section->line, "model '%s' is there already, in another file; remove one", name);
  if (!read_key (file, section, "size", bn_parse_size, MAX_BYTES, &size, error))
    return FALSE;
  BnPlace place = place_of (file, bn_key_section_find (section, "size")->line);
  if (size == 0)
    return fail_at (error, file, place.line,
                    "size: a model has at least 1 byte; a task without a model has model = none");
  uint32_t model = bn_catalogue_builder_add_model (r->builder, name, size);
  g_array_append_val (r->model_places, place);
  for (uint32_t i = 0; i < section->n_entries; i++)
    if (g_str_has_prefix (section->entries[i].key, "runtime@"))
      {
        BnDuration runtime;
        if (!read_entry (file, &section->entries[i], bn_parse_duration, MAX_RUNTIME_NS, &runtime, error))
          return FALSE;
        bn_catalogue_builder_state_runtime (r->builder, model, section->entries[i].key + strlen ("runtime@"),
                                            runtime);
      }
  return read_layers (r, file, section, model, error);
}

static gboolean
read_workflow (Reader *r, const char *file, const BnKeySection *section, const char *name, GError **error)
{
  if (!check_name (file, section, "workflow", name, error) || !check_keys (file, section, workflow_keys, error))
    return FALSE;
  if (bn_catalogue_builder_find_workflow (r->builder, name) != BN_NONE)
    return fail_at (error, file, section->line, "workflow '%s' is there already, in another file; remove one", name);
  uint32_t workflow = bn_catalogue_builder_add_workflow (r->builder, name);
  bn_catalogue_builder_place_workflow (r->builder, workflow, place_of (file, section->line));
  const BnKeyEntry *entry = bn_key_section_find (section, "deadline");
  if (entry == NULL)
    return TRUE;
  gboolean multiple = g_str_has_suffix (entry->value, "x");
  int64_t value;
  if (!read_entry (file, entry, multiple ? bn_parse_multiple_ppm : bn_parse_duration,
                   multiple ? MAX_DEADLINE_PPM : MAX_DEADLINE_NS, &value, error))
    return FALSE;
  if (value == 0)
    return fail_at (error, file, entry->line, "deadline: must be above 0, for example 2s or 3x the lower bound");
  bn_catalogue_builder_set_deadline (r->builder, workflow, multiple ? BN_DEADLINE_MULTIPLE : BN_DEADLINE_TIME, value);
  return TRUE;
}

static gboolean
read_task_model (Reader *r, const char *file, const BnKeySection *section, int32_t *model, GError **error)
{
  const BnKeyEntry *entry = bn_key_section_find (section, "model");
  *model = BN_NONE;
  if (entry == NULL || *entry->value == '\0' || strcmp (entry->value, "none") == 0)
    return TRUE;
  *model = bn_catalogue_builder_find_model (r->builder, entry->value);
  if (*model != BN_NONE)
    {
      const BnPlace *place = &g_array_index (r->model_places, BnPlace, *model);
      int64_t size = bn_catalogue_builder_model_bytes (r->builder, (uint32_t) *model);
      if (size <= r->largest_gpu_bytes)
        return TRUE;
      char *size_text = bn_format_size (size), *gpu_text = bn_format_size (r->largest_gpu_bytes);
      fail_at (error, place->file, place->line,
               "model '%s' (%s) is larger than every GPU (%s) and used by [%s]; give a server group more memory",
               entry->value, size_text, gpu_text, section->name);
      g_free (size_text);
      g_free (gpu_text);
      return FALSE;
    }
  char **known = bn_catalogue_builder_model_names (r->builder);
  fail_unknown (error, file, entry->line, entry->value, "a model; add a section [model NAME] or write none",
                (const char *const *) known);
  g_free (known);
  return FALSE;
}

static gboolean
read_task (Reader *r, const char *file, const BnKeySection *section, const char *name, GError **error)
{
  const char *slash = strchr (name, '/');
  if (slash == NULL || slash == name || slash[1] == '\0' || strpbrk (slash, " ,;\"'") != NULL)
    return fail_at (error, file, section->line, "a task is named by its workflow and a label without blanks; "
                    "write [task WORKFLOW/LABEL]");
  if (!check_keys (file, section, task_keys, error))
    return FALSE;
  char *workflow_name = g_strndup (name, (gsize) (slash - name));
  int32_t workflow = bn_catalogue_builder_find_workflow (r->builder, workflow_name);
  if (workflow == BN_NONE)
    {
      char **known = bn_catalogue_builder_workflow_names (r->builder);
      fail_unknown (error, file, section->line, workflow_name, "a workflow; add a section [workflow NAME]",
                    (const char *const *) known);
      g_free (known);
    }
  g_free (workflow_name);
  if (workflow == BN_NONE)
    return FALSE;
  if (g_hash_table_contains (r->task_index, name))
    return fail_at (error, file, section->line, "task '%s' is there already, in another file; remove one", name);
  BnTaskSpec spec = { .label = slash + 1 };
  if (!read_task_model (r, file, section, &spec.model, error)
      || !read_key (file, section, "input", bn_parse_size, MAX_BYTES, &spec.input_bytes, error)
      || !read_key (file, section, "output", bn_parse_size, MAX_BYTES, &spec.output_bytes, error)
      || !read_key (file, section, "runtime", bn_parse_duration, MAX_RUNTIME_NS, &spec.runtime_ns, error))
    return FALSE;
  spec.work_ns = spec.runtime_ns;
  const BnKeyEntry *after = bn_key_section_find (section, "after");
  BnPlace place = place_of (file, after == NULL ? section->line : after->line);
  Task task = { .file = file, .section = section, .workflow = (uint32_t) workflow };
  task.position = bn_catalogue_builder_put_task (r->builder, task.workflow, &spec, place);
  g_array_append_val (r->tasks, task);
  g_hash_table_insert (r->task_index, (gpointer) name, GUINT_TO_POINTER (r->tasks->len));
  return TRUE;
}

static gboolean
read_after (Reader *r, const Task *task, GError **error)
{
  const BnKeyEntry *entry = bn_key_section_find (task->section, "after");
  if (entry == NULL)
    return TRUE;
  const char *name = task->section->name + strlen ("task ");
  int workflow_length = (int) (strchr (name, '/') - name);
  char **labels = g_strsplit_set (entry->value, " \t,", -1);
  GArray *preds = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  gboolean ok = TRUE;
  for (guint i = 0; labels[i] != NULL && ok; i++)
    if (*labels[i] != '\0')
      {
        char *full = g_strdup_printf ("%.*s/%s", workflow_length, name, labels[i]);
        guint found = GPOINTER_TO_UINT (g_hash_table_lookup (r->task_index, full));
        if (found > 0)
          g_array_append_val (preds, g_array_index (r->tasks, Task, found - 1).position);
        else
          {
            char *quoted = bn_quote (labels[i]);
            ok = fail_at (error, task->file, entry->line,
                          "after: %s is not a task of workflow '%.*s'; name labels of its tasks", quoted,
                          workflow_length, name);
            g_free (quoted);
          }
        g_free (full);
      }
  if (ok)
    bn_catalogue_builder_set_preds (r->builder, task->workflow, task->position,
                                    (const uint32_t *) (const void *) preds->data, preds->len);
  g_array_unref (preds);
  g_strfreev (labels);
  return ok;
}

/* Sections of the kinds of this pass: models and workflows, or tasks. */
static gboolean
read_pass (Reader *r, gboolean tasks, GError **error)
{
  for (guint f = 0; f < r->n_files; f++)
    for (uint32_t i = 0; i < r->files[f]->n_sections; i++)
      {
        const char *file = r->files[f]->name, *name = "";
        const BnKeySection *section = &r->files[f]->sections[i];
        int kind = section_kind (section, &name);
        if (kind < 0)
          return fail_unknown (error, file, section->line, section->name,
                               "a kind of section; a catalogue has [model NAME], [workflow NAME] and "
                               "[task WORKFLOW/LABEL]",
                               section_kinds);
        if ((kind == 2) != tasks)
          continue;
        if (!(kind == 0   ? read_model (r, file, section, name, error)
              : kind == 1 ? read_workflow (r, file, section, name, error)
                          : read_task (r, file, section, name, error)))
          return FALSE;
      }
  return TRUE;
}

static gboolean
read_all (Reader *r, GError **error)
{
  if (!read_pass (r, FALSE, error) || !read_pass (r, TRUE, error))
    return FALSE;
  for (guint i = 0; i < r->tasks->len; i++)
    if (!read_after (r, &g_array_index (r->tasks, Task, i), error))
      return FALSE;
  char **workflows = bn_catalogue_builder_workflow_names (r->builder);
  gboolean any = workflows[0] != NULL;
  g_free (workflows);
  return any || fail_at (error, r->files[r->n_files - 1]->name, 0,
                         "holds no workflow; add a section [workflow NAME]");
}

/* Takes the files. */
static BnCatalogue *
build (BnKeyFile **files, guint n_files, int64_t largest_gpu_bytes, GError **error)
{
  Reader r = { .files = files, .n_files = n_files, .largest_gpu_bytes = largest_gpu_bytes };
  r.builder = bn_catalogue_builder_new ();
  r.tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  r.task_index = g_hash_table_new (g_str_hash, g_str_equal);
  r.model_places = g_array_new (FALSE, FALSE, sizeof (BnPlace));
  BnCatalogue *catalogue = NULL;
  if (read_all (&r, error))
    catalogue = bn_catalogue_builder_finish (r.builder, error);
  else
    bn_catalogue_builder_free (r.builder);
  g_array_unref (r.tasks);
  g_hash_table_unref (r.task_index);
  g_array_unref (r.model_places);
  for (guint i = 0; i < n_files; i++)
    bn_key_file_free (files[i]);
  return catalogue;
}

BnCatalogue *
bn_catalogue_read (const char *const *paths, int64_t largest_gpu_bytes, GError **error)
{
  guint n = g_strv_length ((char **) paths), n_read = 0;
  g_assert (n > 0);
  BnKeyFile **files = g_new0 (BnKeyFile *, n);
  while (n_read < n && (files[n_read] = bn_key_file_read (paths[n_read], error)) != NULL)
    n_read++;
  BnCatalogue *catalogue = NULL;
  if (n_read == n)
    catalogue = build (files, n, largest_gpu_bytes, error);
  else
    for (guint i = 0; i < n_read; i++)
      bn_key_file_free (files[i]);
  g_free (files);
  return catalogue;
}

BnCatalogue *
bn_catalogue_parse (const char *text, gsize length, const char *name, int64_t largest_gpu_bytes, GError **error)
{
  BnKeyFile *file = bn_key_file_parse (text, length, name, error);
  return file == NULL ? NULL : build (&file, 1, largest_gpu_bytes, error);
}
