/* scenario_settings.c: the values of a scenario's keys, and where they stand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_settings.h"

#include <string.h>

#include "keyfile.h"
#include "units.h"
#include "variant.h"

typedef struct Value
{
  char *text;        /* canonical */
  BnScenarioValue value;
  BnPlace place;     /* file is a scenario's path or an override's text */
  BnGiven given;
  gboolean hidden;   /* from the canonical text */
} Value;

struct BnSettings
{
  char *path;
  char *folder;
  uint32_t n_groups;
  char **group_names;      /* [n_groups]          */
  Value *values;           /* [n_groups][n_keys]; keys outside [servers] in the first */
  BnRunOptions options;
  GStringChunk *places;    /* texts of overrides  */
  uint32_t sweep_line;
};

static Value *
value_at (const BnSettings *s, uint32_t key, uint32_t group)
{
  g_assert (group < s->n_groups);
  return &s->values[(gsize) group * bn_scenario_n_keys () + key];
}

/* What a message says before "what is wrong". */
static char *
key_path (const BnSettings *s, uint32_t key, uint32_t group)
{
  BnScenarioKey k = bn_scenario_key (key);
  const char *name = strcmp (k.section, "servers") == 0 ? s->group_names[group] : "";
  return g_strconcat (k.section, *name == '\0' ? "" : ".", name, ".", k.name, NULL);
}

static gboolean
set_value (BnSettings *s, uint32_t key, uint32_t group, const char *text, BnPlace place, BnGiven given,
           GError **error)
{
  BnScenarioKey k = bn_scenario_key (key);
  Value *v = value_at (s, key, group);
  char *canonical = NULL;
  gboolean ok;
  if (k.kind != BN_KEY_OPTION)
    ok = bn_scenario_key_parse (&k, text, &v->value, &canonical, error);
  else
    {
      ok = bn_variant_set_option (&s->options, key - BN_KEY_FIRST_OPTION, text, error);
      if (ok)
        canonical = bn_variant_get_option (&s->options, key - BN_KEY_FIRST_OPTION);
    }
  if (!ok)
    {
      char *name = key_path (s, key, group);
      bn_input_prefix (error, place, given == BN_GIVEN_BY_OVERRIDE ? k.name : name);
      g_free (name);
      return FALSE;
    }
  g_free (v->text);
  v->text = canonical;
  v->place = place;
  v->given = given;
  return TRUE;
}

static gboolean
set_default (BnSettings *s, uint32_t i, uint32_t group, GError **error)
{
  BnScenarioKey key = bn_scenario_key (i);
  BnRunOptions options = bn_variant_default_options ();
  char *option = key.kind == BN_KEY_OPTION ? bn_variant_get_option (&options, i - BN_KEY_FIRST_OPTION) : NULL;
  gboolean ok = set_value (s, i, group, option == NULL ? key.usual : option, (BnPlace) { s->path, 0 },
                           BN_GIVEN_BY_NOBODY, error);
  g_free (option);
  return ok;
}

static gboolean
set_defaults (BnSettings *s, uint32_t group, GError **error)
{
  for (uint32_t i = 0; i < bn_scenario_n_keys (); i++)
    if (!set_default (s, i, group, error))
      return FALSE;
  return TRUE;
}

/* Names of the keys of a section; (transfer container). */
static const char **
section_keys (const char *section)
{
  uint32_t n = 0;
  const char **names = g_new0 (const char *, bn_scenario_n_keys () + 1);
  for (uint32_t i = 0; i < bn_scenario_n_keys (); i++)
    {
      BnScenarioKey key = bn_scenario_key (i);
      if (strcmp (key.section, section) == 0)
        names[n++] = key.name;
    }
  return names;
}

static gboolean
fail_key (BnPlace place, const char *section, const char *name, GError **error)
{
  const char **known = section_keys (section);
  char *quoted = bn_quote (name), *hint = bn_input_hint (name, known);
  const char *elsewhere = NULL;
  for (uint32_t i = 0; i < bn_scenario_n_keys () && *hint == '\0'; i++)
    if (strcmp (bn_scenario_key (i).name, name) == 0)
      elsewhere = bn_scenario_key (i).section;
  if (elsewhere != NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s is not a key of [%s] but of [%s]; move it there", quoted,
                   section, elsewhere);
  else
    {
      char *names = g_strjoinv (", ", (char **) known);
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s is not a key of [%s]%s; it knows %s", quoted, section,
                     hint, names);
      g_free (names);
    }
  g_free (quoted);
  g_free (hint);
  g_free (known);
  return FALSE;
}

static gboolean
fail_section (BnPlace place, const char *section, GError **error)
{
  char *quoted = bn_quote (section), *hint = bn_input_hint (section, bn_scenario_sections);
  char *names = g_strjoinv (", ", (char **) bn_scenario_sections);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s is not a section of a scenario%s; there are %s", quoted,
                 hint, names);
  g_free (quoted);
  g_free (hint);
  g_free (names);
  return FALSE;
}

/* "servers fast" is group "fast"; NULL where `section` is not a server group. */
static const char *
group_of_section (const char *section)
{
  if (strcmp (section, "servers") == 0)
    return "";
  return g_str_has_prefix (section, "servers ") ? section + strlen ("servers ") : NULL;
}

/* Makes room for the groups of the file. */
static gboolean
find_groups (BnSettings *s, const BnKeyFile *file, GError **error)
{
  for (uint32_t i = 0; i < file->n_sections; i++)
    s->n_groups += group_of_section (file->sections[i].name) != NULL;
  if (s->n_groups == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { s->path, 0 },
                          "has no servers; add a section [servers] with count = 5, say");
  s->group_names = g_new0 (char *, s->n_groups + 1);
  s->values = g_new0 (Value, (gsize) s->n_groups * bn_scenario_n_keys ());
  uint32_t group = 0;
  for (uint32_t i = 0; i < file->n_sections; i++)
    {
      const char *name = group_of_section (file->sections[i].name);
      if (name == NULL)
        continue;
      BnPlace place = { s->path, file->sections[i].line };
      if (strpbrk (name, " .,=") != NULL || strlen (name) > 100)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                              "the name of a server group has at most 100 characters, without blanks . , =");
      s->group_names[group++] = g_strdup (name);
    }
  for (group = 0; group < s->n_groups; group++)
    if (!set_defaults (s, group, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_file (BnSettings *s, const BnKeyFile *file, GError **error)
{
  uint32_t next_group = 0;
  for (uint32_t i = 0; i < file->n_sections; i++)
    {
      const BnKeySection *section = &file->sections[i];
      gboolean servers = group_of_section (section->name) != NULL;
      const char *name = servers ? "servers" : section->name;
      uint32_t group = servers ? next_group++ : 0;
      if (strcmp (name, "sweep") == 0)
        {
          s->sweep_line = section->line;
          continue;
        }
      /* what is asked of a scenario is no part of it */
      if (strcmp (name, "plan") == 0)
        continue;
      if (!g_strv_contains (bn_scenario_sections, name))
        return fail_section ((BnPlace) { s->path, section->line }, name, error);
      for (uint32_t j = 0; j < section->n_entries; j++)
        {
          const BnKeyEntry *entry = &section->entries[j];
          BnPlace place = { s->path, entry->line };
          int key = bn_scenario_find_key (name, entry->key);
          if (key < 0)
            return fail_key (place, name, entry->key, error);
          if (!set_value (s, (uint32_t) key, group, entry->value, place, BN_GIVEN_BY_FILE,
                          error))
            return FALSE;
        }
    }
  return TRUE;
}

/* The group that `name` means in an override; the only one where it is "". */
static gboolean
find_group (const BnSettings *s, const char *name, BnPlace place, uint32_t *group, GError **error)
{
  for (uint32_t i = 0; i < s->n_groups; i++)
    if (strcmp (s->group_names[i], name) == 0)
      {
        *group = i;
        return TRUE;
      }
  *group = 0;
  if (*name == '\0' && s->n_groups == 1)
    return TRUE;
  char *hint = bn_input_hint (name, (const char *const *) s->group_names);
  char *names = g_strjoinv (", ", s->group_names);
  if (*name == '\0')
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                   "there are several server groups; write servers.NAME.KEY with one of %s", names);
  else if (*names == '\0')
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "the only server group has no name; write servers.KEY");
  else
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "there is no server group '%s'%s; there are %s", name, hint,
                   names);
  g_free (hint);
  g_free (names);
  return FALSE;
}

/* `name` is "section.key" or "servers.NAME.key"; both texts are changed. */
static gboolean
apply (BnSettings *s, char *name, char *value, BnPlace place, BnGiven given, GError **error)
{
  char *section = g_strstrip (name), *first = strchr (section, '.'), *last = strrchr (section, '.');
  *first = *last = '\0';
  const char *group_name = first == last ? "" : first + 1, *key_name = last + 1;
  gboolean servers = strcmp (section, "servers") == 0;
  uint32_t group = 0;
  int key = bn_scenario_find_key (section, key_name);
  if (!g_strv_contains (bn_scenario_sections, section))
    return fail_section (place, section, error);
  if (*group_name != '\0' && !servers)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "only [servers] has groups; write section.key=value");
  if (key < 0)
    return fail_key (place, section, key_name, error);
  return (!servers || find_group (s, group_name, place, &group, error))
         && set_value (s, (uint32_t) key, group, g_strstrip (value), place, given, error);
}

/* "section.key=value" or "servers.NAME.key=value". */
static gboolean
apply_override (BnSettings *s, const char *override, GError **error)
{
  char *quoted = bn_quote (override), *full = g_strconcat ("--set ", quoted, NULL);
  BnPlace place = { g_string_chunk_insert (s->places, full), 0 };
  g_free (full);
  g_free (quoted);
  char *copy = g_strdup (override), *value = strchr (copy, '=');
  if (value != NULL)
    *value++ = '\0';
  gboolean ok;
  if (value == NULL || strchr (copy, '.') == NULL || !g_utf8_validate (override, -1, NULL)
      || strpbrk (override, "\n\r") != NULL)
    ok = bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "is not section.key=value, such as workload.rate=4/s");
  else
    ok = apply (s, copy, value, place, BN_GIVEN_BY_OVERRIDE, error);
  g_free (copy);
  return ok;
}

static gboolean
apply_setting (BnSettings *s, const BnScenarioSetting *setting, GError **error)
{
  BnPlace place = { g_string_chunk_insert (s->places, setting->place.file), setting->place.line };
  char *name = g_strdup (setting->name), *value = g_strdup (setting->value);
  gboolean ok = strchr (name, '.') != NULL
                  ? apply (s, name, value, place, setting->override ? BN_GIVEN_BY_OVERRIDE : BN_GIVEN_BY_FILE, error)
                  : bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place,
                                   "'%s' is not section.key, such as workload.rate", setting->name);
  g_free (value);
  g_free (name);
  return ok;
}

BnSettings *
bn_settings_read (const char *path, const char *const *overrides, const BnScenarioSetting *settings, gsize n,
                  GError **error)
{
  BnKeyFile *file = bn_key_file_read (path, error);
  if (file == NULL)
    return NULL;
  BnSettings *s = g_new0 (BnSettings, 1);
  s->path = g_strdup (path);
  s->folder = g_path_get_dirname (path);
  s->options = bn_variant_default_options ();
  s->places = g_string_chunk_new (256);
  gboolean ok = find_groups (s, file, error) && read_file (s, file, error);
  bn_key_file_free (file);
  for (; ok && overrides != NULL && *overrides != NULL; overrides++)
    ok = apply_override (s, *overrides, error);
  for (gsize i = 0; i < n && ok; i++)
    ok = apply_setting (s, &settings[i], error);
  if (ok)
    return s;
  bn_settings_free (s);
  return NULL;
}

void
bn_settings_free (BnSettings *settings)
{
  if (settings == NULL)
    return;
  if (settings->values != NULL)
    for (gsize i = 0; i < (gsize) settings->n_groups * bn_scenario_n_keys (); i++)
      g_free (settings->values[i].text);
  g_free (settings->values);
  g_strfreev (settings->group_names);
  g_string_chunk_free (settings->places);
  g_free (settings->path);
  g_free (settings->folder);
  g_free (settings);
}

uint32_t
bn_settings_sweep_line (const BnSettings *s)
{
  return s->sweep_line;
}

BnGiven
bn_settings_given (const BnSettings *s, uint32_t key)
{
  return value_at (s, key, 0)->given;
}

BnPlace
bn_settings_place (const BnSettings *s, uint32_t key)
{
  return value_at (s, key, 0)->place;
}

void
bn_settings_reset (BnSettings *s, uint32_t key)
{
  gboolean ok = set_default (s, key, 0, NULL);
  g_assert (ok);
}

void
bn_settings_set_default (BnSettings *s, uint32_t key, const char *text)
{
  if (value_at (s, key, 0)->given != BN_GIVEN_BY_NOBODY)
    return;
  gboolean ok = set_value (s, key, 0, text, (BnPlace) { s->path, 0 }, BN_GIVEN_BY_NOBODY, NULL);
  g_assert (ok);
}

void
bn_settings_hide (BnSettings *s, uint32_t key)
{
  value_at (s, key, 0)->hidden = TRUE;
}

uint32_t
bn_settings_n_groups (const BnSettings *s)
{
  return s->n_groups;
}

const char *
bn_settings_group_name (const BnSettings *s, uint32_t group)
{
  g_assert (group < s->n_groups);
  return s->group_names[group];
}

const char *
bn_settings_text (const BnSettings *s, uint32_t key, uint32_t group)
{
  return value_at (s, key, group)->text;
}

int64_t
bn_settings_integer (const BnSettings *s, uint32_t key, uint32_t group)
{
  return value_at (s, key, group)->value.integer;
}

double
bn_settings_real (const BnSettings *s, uint32_t key, uint32_t group)
{
  return value_at (s, key, group)->value.real;
}

const BnRunOptions *
bn_settings_options (const BnSettings *s)
{
  return &s->options;
}

gboolean
bn_settings_fail (const BnSettings *s, uint32_t key, uint32_t group, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *what = g_strdup_vprintf (format, arguments), *name = key_path (s, key, group);
  va_end (arguments);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, value_at (s, key, group)->place, "%s: %s", name, what);
  g_free (what);
  g_free (name);
  return FALSE;
}

gboolean
bn_settings_prefix (const BnSettings *s, uint32_t key, GError **error)
{
  char *name = key_path (s, key, 0);
  bn_input_prefix (error, value_at (s, key, 0)->place, name);
  g_free (name);
  return FALSE;
}

char *
bn_settings_path (const BnSettings *s, uint32_t key, const char *path)
{
  gboolean from_here = value_at (s, key, 0)->given == BN_GIVEN_BY_OVERRIDE || strcmp (s->folder, ".") == 0;
  if (g_path_is_absolute (path) || from_here)
    return g_strdup (path);
  return g_build_filename (s->folder, path, NULL);
}

char *
bn_settings_canonical (const BnSettings *s)
{
  GString *text = g_string_new (NULL);
  for (const char *const *section = bn_scenario_sections; *section != NULL; section++)
    {
      uint32_t n_groups = strcmp (*section, "servers") == 0 ? s->n_groups : 1;
      for (uint32_t group = 0; group < n_groups; group++)
        for (uint32_t i = 0; i < bn_scenario_n_keys (); i++)
          if (strcmp (bn_scenario_key (i).section, *section) == 0 && !value_at (s, i, group)->hidden)
            {
              char *name = key_path (s, i, group);
              g_string_append_printf (text, "%s = %s\n", name, value_at (s, i, group)->text);
              g_free (name);
            }
    }
  return g_string_free (text, FALSE);
}
