/* variant.c: `name[key=value,…]`, a scheduler with its settings.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "variant.h"

#include <string.h>

#include "exec_scheduler.h"
#include "input_error.h"
#include "own_settings.h"
#include "param_text.h"
#include "presets.h"
#include "registry.h"
#include "units.h"

static gboolean
fail (GError **error, const char *text, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* "'text' …" */
static gboolean
fail (GError **error, const char *text, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *what = g_strdup_vprintf (format, arguments), *quoted = bn_quote (text);
  va_end (arguments);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s %s", quoted, what);
  g_free (what);
  g_free (quoted);
  return FALSE;
}

static const BnScheduler *
scheduler_named (const char *name, const BnScheduler *const *among)
{
  for (guint i = 0; among[i] != NULL; i++)
    if (strcmp (among[i]->name, name) == 0)
      return among[i];
  return NULL;
}

static void
add_names (GPtrArray *names, const BnScheduler *const *of)
{
  for (guint i = 0; of[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) of[i]->name);
}

/* Of that name, or of the preset of that name, which *preset then is. */
static const BnScheduler *
find_scheduler (const char *name, const BnScheduler *const *others, const BnPreset **preset, GError **error)
{
  *preset = bn_preset_find (name);
  const BnScheduler *found = scheduler_named (*preset != NULL ? (*preset)->scheduler : name, bn_schedulers);
  if (found == NULL && *preset == NULL)
    found = scheduler_named (name, others);
  if (found != NULL)
    return found;
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  add_names (known, bn_schedulers);
  for (guint i = 0; i < bn_n_presets; i++)
    if (scheduler_named (bn_presets[i].name, bn_schedulers) == NULL)
      g_ptr_array_add (known, (gpointer) bn_presets[i].name);
  add_names (known, others);
  g_ptr_array_add (known, NULL);
  g_autofree char *hint = bn_input_hint (name, (const char *const *) known->pdata);
  g_autofree char *names = g_strjoinv (", ", (char **) known->pdata);
  fail (error, name, "is not a scheduler%s; there are %s", hint, names);
  return NULL;
}

/* A setting is numbered: parameters of the scheduler, then options. */
static uint32_t
n_settings (const BnScheduler *s)
{
  return s->n_params + bn_n_variant_options;
}

static const BnParamSpec *
setting (const BnScheduler *s, uint32_t i)
{
  return i < s->n_params ? &s->params[i] : &bn_variant_options[i - s->n_params];
}

static gboolean
set_setting (BnVariant *v, uint32_t i, const char *text, GError **error)
{
  const BnScheduler *s = v->scheduler;
  if (i < s->n_params ? bn_param_parse (&s->params[i], text, &v->params[i], error)
                      : bn_variant_set_option (&v->options, i - s->n_params, text, error))
    return TRUE;
  return bn_input_prefix (error, (BnPlace) { 0 }, setting (s, i)->name);
}

static char *
get_setting (const BnVariant *v, uint32_t i)
{
  const BnScheduler *s = v->scheduler;
  if (i < s->n_params)
    return bn_param_format (&s->params[i], v->params[i]);
  return bn_variant_get_option (&v->options, i - s->n_params);
}

static gboolean
fail_key (const BnScheduler *s, const char *key, GError **error)
{
  const char **known = g_new0 (const char *, n_settings (s) + 1);
  for (uint32_t i = 0; i < n_settings (s); i++)
    known[i] = setting (s, i)->name;
  char *hint = bn_input_hint (key, known), *names = g_strjoinv (", ", (char **) known);
  fail (error, key, "is not a setting of %s%s; it takes %s%s", s->name, hint, names,
        bn_is_exec_scheduler (s) ? ", and what is its own as " BN_OWN_PREFIX "NAME=VALUE" : "");
  g_free (hint);
  g_free (names);
  g_free (known);
  return FALSE;
}

/* `key=value`, or a bare word: a boolean's name, or a choice of one setting. The
 * scheduler's own parameters come before the options. Sets *ret and *value. */
static gboolean
resolve (const BnScheduler *s, char *item, uint32_t *ret, const char **value, GError **error)
{
  char *equals = strchr (item, '=');
  if (equals != NULL)
    {
      *equals = '\0';
      char *key = g_strstrip (item);
      *value = g_strstrip (equals + 1);
      for (uint32_t i = 0; i < n_settings (s); i++)
        if (strcmp (setting (s, i)->name, key) == 0)
          {
            *ret = i;
            return TRUE;
          }
      return fail_key (s, key, error);
    }
  uint32_t n_found = 0, n_own = 0;
  *value = item;
  for (uint32_t i = 0; i < n_settings (s); i++)
    {
      gboolean is_switch = setting (s, i)->kind == BN_PARAM_BOOL && strcmp (setting (s, i)->name, item) == 0;
      if (!is_switch && bn_param_find_choice (setting (s, i), item) < 0)
        continue;
      if (is_switch)
        *value = "on";
      if (i < s->n_params)
        n_own++;
      if (n_own == 0 || i < s->n_params)
        {
          *ret = i;
          n_found++;
        }
    }
  if (n_found == 0)
    return fail_key (s, item, error);
  if (n_found > 1)
    return fail (error, item, "could be the value of several settings of %s; write key=%s", s->name, item);
  return TRUE;
}

/* Cuts `text` at its commas, but for those within brackets. Blanks around members
 * go. Returns: (transfer full). */
static char **
split_at_commas (const char *text)
{
  GPtrArray *members = g_ptr_array_new ();
  int depth = 0;
  const char *start = text;
  for (const char *p = text;; p++)
    {
      depth += *p == '[';
      depth -= *p == ']';
      if (*p != '\0' && (*p != ',' || depth > 0))
        continue;
      g_ptr_array_add (members, g_strstrip (g_strndup (start, (gsize) (p - start))));
      start = p + 1;
      if (*p == '\0')
        break;
    }
  g_ptr_array_add (members, NULL);
  return (char **) g_ptr_array_free (members, FALSE);
}

static gboolean
read_settings (BnVariant *v, const char *text, GError **error)
{
  char **items = split_at_commas (text);
  gboolean *seen = g_new0 (gboolean, n_settings (v->scheduler));
  gboolean ok = TRUE;
  for (guint i = 0; items[i] != NULL && ok; i++)
    {
      char *item = items[i];
      uint32_t number = 0;
      const char *value = NULL;
      if (*item == '\0')
        continue;
      if (bn_is_exec_scheduler (v->scheduler) && g_str_has_prefix (item, BN_OWN_PREFIX))
        {
          ok = bn_own_settings_add (&v->own_settings, item, error);
          continue;
        }
      ok = resolve (v->scheduler, item, &number, &value, error);
      if (ok && seen[number])
        ok = fail (error, setting (v->scheduler, number)->name, "is set twice; set it once");
      if (ok)
        {
          seen[number] = TRUE;
          ok = set_setting (v, number, value, error);
        }
    }
  g_free (seen);
  g_strfreev (items);
  return ok;
}

/* The scheduler with its defaults, or with what the preset sets. */
static BnVariant *
plain_variant (const BnScheduler *scheduler, const BnPreset *preset, const BnRunOptions *base)
{
  BnVariant *v = g_new0 (BnVariant, 1);
  v->scheduler = scheduler;
  v->options = *base;
  v->params = g_new0 (BnParamValue, scheduler->n_params + 1);
  for (uint32_t i = 0; i < scheduler->n_params; i++)
    v->params[i] = bn_param_default (&scheduler->params[i]);
  if (preset != NULL && !read_settings (v, preset->settings, NULL))
    g_assert_not_reached ();
  return v;
}

/* As short as it parses back: a switch that is on and an own choice by their word
 * alone. `plain` is what the name alone means. */
static char *
canonical_name (const BnVariant *v, const BnVariant *plain, const char *plain_name)
{
  GString *name = g_string_new (plain_name);
  for (uint32_t i = 0; i < n_settings (v->scheduler); i++)
    {
      char *mine = get_setting (v, i), *usual = get_setting (plain, i);
      if (strcmp (mine, usual) != 0)
        {
          const BnParamSpec *spec = setting (v->scheduler, i);
          const char *word = spec->kind == BN_PARAM_BOOL && strcmp (mine, "on") == 0 ? spec->name
                             : spec->kind == BN_PARAM_CHOICE && i < v->scheduler->n_params ? mine : NULL;
          char *probe = g_strdup (word), *full = g_strconcat (spec->name, "=", mine, NULL);
          uint32_t number;
          const char *value;
          gboolean bare = word != NULL && resolve (v->scheduler, probe, &number, &value, NULL) && number == i;
          g_string_append_printf (name, "%s%s", strchr (name->str, '[') == NULL ? "[" : ",", bare ? word : full);
          g_free (probe);
          g_free (full);
        }
      g_free (mine);
      g_free (usual);
    }
  for (char **own = v->own_settings; own != NULL && *own != NULL; own++)
    g_string_append_printf (name, "%s" BN_OWN_PREFIX "%s", strchr (name->str, '[') == NULL ? "[" : ",", *own);
  if (strchr (name->str, '[') != NULL)
    g_string_append_c (name, ']');
  return g_string_free (name, FALSE);
}

/* Cuts "label:" off the front of *text; NULL without one. */
static char *
take_label (char **text, GError **error)
{
  gsize length = strcspn (*text, ":[");
  if ((*text)[length] != ':' || g_str_has_prefix (*text, BN_EXEC_PREFIX))
    return NULL;
  char *label = g_strstrip (g_strndup (*text, length));
  *text = g_strchug (*text + length + 1);
  if (*label != '\0' && strcmp (label, "bound") != 0 && g_utf8_strlen (label, -1) <= 100 && strpbrk (label, ",]=\n") == NULL)
    return label;
  fail (error, label, "cannot be a label; write LABEL: SCHEDULER with at most 100 letters, without , ] =, other than bound");
  g_free (label);
  return NULL;
}

/* Whether the bracket at `open` is closed by the last character and no other. */
static gboolean
closes_at_the_end (const char *open)
{
  int depth = 0;
  for (const char *p = open; *p != '\0'; p++)
    {
      depth += *p == '[';
      depth -= *p == ']';
      if (depth == 0)
        return p[1] == '\0';
    }
  return FALSE;
}

BnVariant *
bn_variant_parse (const char *text, const BnRunOptions *base, GError **error)
{
  static const BnScheduler *const none[] = { NULL };

  return bn_variant_parse_among (text, none, base, error);
}

BnVariant *
bn_variant_parse_among (const char *text, const BnScheduler *const *others, const BnRunOptions *base, GError **error)
{
  GError *problem = NULL;
  char *copy = g_strstrip (g_strdup (text)), *rest = copy;
  char *label = take_label (&rest, &problem), *settings = NULL;
  const BnScheduler *scheduler = NULL;
  const BnPreset *preset = NULL;
  BnVariant *v = NULL;
  gsize length = strlen (rest);
  char *open = strchr (rest, '[');
  if (problem == NULL && open != NULL)
    {
      if (!closes_at_the_end (open))
        fail (&problem, text, "does not end its brackets properly; write name[key=value,…]");
      rest[length - 1] = '\0';
      *open = '\0';
      settings = open + 1;
    }
  if (problem == NULL)
    scheduler = find_scheduler (g_strchomp (rest), others, &preset, &problem);
  if (scheduler != NULL)
    {
      BnVariant *plain = plain_variant (scheduler, preset, base);
      v = plain_variant (scheduler, preset, base);
      v->source = g_strstrip (g_strdup (text));
      if (settings == NULL || read_settings (v, settings, &problem))
        v->name = label != NULL ? g_strdup (label) : canonical_name (v, plain, rest);
      bn_variant_free (plain);
    }
  g_free (label);
  g_free (copy);
  if (problem == NULL)
    return v;
  g_propagate_error (error, problem);
  bn_variant_free (v);
  return NULL;
}

void
bn_variant_free (BnVariant *variant)
{
  if (variant == NULL)
    return;
  g_free (variant->name);
  g_free (variant->source);
  g_free (variant->params);
  g_strfreev (variant->own_settings);
  g_free (variant);
}

char **
bn_variant_split (const char *list)
{
  GPtrArray *members = g_ptr_array_new ();
  char **parts = split_at_commas (list);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (strcmp (parts[i], "all") == 0)
        for (const BnScheduler *const *s = bn_schedulers; *s; s++)
          g_ptr_array_add (members, g_strdup ((*s)->name));
      else if (*parts[i] != '\0')
        g_ptr_array_add (members, g_strdup (parts[i]));
    }
  g_strfreev (parts);
  g_ptr_array_add (members, NULL);
  return (char **) g_ptr_array_free (members, FALSE);
}

char *
bn_variant_settings (const BnVariant *variant)
{
  GString *text = g_string_new (NULL);
  for (uint32_t i = 0; i < n_settings (variant->scheduler); i++)
    {
      char *value = get_setting (variant, i);
      g_string_append_printf (text, "%s=%s\n", setting (variant->scheduler, i)->name, value);
      g_free (value);
    }
  for (char **own = variant->own_settings; own != NULL && *own != NULL; own++)
    g_string_append_printf (text, BN_OWN_PREFIX "%s\n", *own);
  return g_string_free (text, FALSE);
}
