/* profile.c: what `binnacle calibrate` measured of a machine, as a file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "profile.h"

#include <string.h>

#include "keyfile.h"
#include "units.h"

/* Beyond these a number is a slip: ten days, 1000 TB/s. */
#define MAX_NS (INT64_C (240) * 3600 * BN_NS_PER_S)
#define MAX_PROCESSORS (INT64_C (1) << 20)
#define MAX_BYTES_PER_S INT64_C (1000000000000000)

static const char *const profile_keys[] = {
  "backend", "scale", "load-latency", "load-rate", "evict-latency", "evict-rate", "network-latency",
  "network-rate", "launch", "wake-up", "timer", "decision", "processors", "loop", "steal",
  "run-beside-load", "run-beside-evict", "load-beside-run", "evict-beside-run", "contention", NULL
};
static const char *const task_keys[] = { "runtime", "cv", "cold", NULL };

static void
free_task (gpointer data)
{
  BnProfileTask *task = data;

  g_free (task->name);
  g_free (task);
}

BnProfile *
bn_profile_new (const char *backend, int64_t scale_ppm)
{
  BnProfile *profile = g_new0 (BnProfile, 1);

  profile->backend = g_strdup (backend);
  profile->scale_ppm = scale_ppm;
  profile->tasks = g_ptr_array_new_with_free_func (free_task);
  return profile;
}

void
bn_profile_free (BnProfile *profile)
{
  if (profile == NULL)
    return;
  g_free (profile->path);
  g_free (profile->text);
  g_free (profile->backend);
  g_ptr_array_unref (profile->tasks);
  g_free (profile);
}

/* ---- reading ---- */

static gboolean
check_keys (const BnKeyFile *file, const BnKeySection *section, const char *const *known, GError **error)
{
  for (uint32_t i = 0; i < section->n_entries; i++)
    if (!g_strv_contains (known, section->entries[i].key))
      {
        g_autofree char *quoted = bn_quote (section->entries[i].key), *hint = NULL;
        g_autofree char *names = g_strjoinv (", ", (char **) known);
        hint = bn_input_hint (section->entries[i].key, known);
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, section->entries[i].line },
                              "%s is not a key of [%s]%s; it knows %s", quoted, section->name, hint, names);
      }
  return TRUE;
}

static const BnKeyEntry *
find_key (const BnKeyFile *file, const BnKeySection *section, const char *key, GError **error)
{
  const BnKeyEntry *entry = bn_key_section_find (section, key);

  if (entry == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, section->line },
                   "[%s] lacks the key '%s'; make the profile with binnacle calibrate", section->name, key);
  return entry;
}

typedef gboolean (*Parser) (const char *text, int64_t *ret, GError **error);

static gboolean
read_whole (const BnKeyFile *file, const BnKeySection *section, const char *key, Parser parse, int64_t max,
            int64_t *ret, GError **error)
{
  const BnKeyEntry *entry = find_key (file, section, key, error);

  if (entry == NULL)
    return FALSE;
  if (!parse (entry->value, ret, error))
    return bn_input_prefix (error, (BnPlace) { file->name, entry->line }, key);
  return *ret <= max || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, entry->line },
                                       "%s: %s is surely a slip; check the unit", key, entry->value);
}

static gboolean
read_share (const BnKeyFile *file, const BnKeyEntry *entry, const char *text, double low, double high, double *ret,
            GError **error)
{
  if (!bn_parse_real (text, ret, error))
    return bn_input_prefix (error, (BnPlace) { file->name, entry->line }, entry->key);
  return (*ret >= low && *ret <= high)
         || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, entry->line },
                           "%s: %s is out of range; it may be %g to %g", entry->key, text, low, high);
}

static gboolean
read_copy (const BnKeyFile *file, const BnKeySection *section, const char *latency, const char *rate,
           BnMeasuredCopy *ret, GError **error)
{
  return read_whole (file, section, latency, bn_parse_duration, MAX_NS, &ret->latency_ns, error)
         && read_whole (file, section, rate, bn_parse_rate, MAX_BYTES_PER_S, &ret->bytes_per_s, error);
}

/* "1, 0.93": how fast each of 1, 2, … busy workers is. */
static gboolean
read_contention (const BnKeyFile *file, const BnKeySection *section, BnMeasured *machine, GError **error)
{
  const BnKeyEntry *entry = find_key (file, section, "contention", error);
  gboolean ok = entry != NULL;
  g_auto (GStrv) words = ok ? g_strsplit_set (entry->value, ", \t", -1) : NULL;

  for (guint i = 0; ok && words[i] != NULL; i++)
    {
      if (*words[i] == '\0')
        continue;
      if (machine->n_speeds == BN_MEASURED_MAX_SPEEDS)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, entry->line },
                              "contention: more than %d numbers; leave out the last ones", BN_MEASURED_MAX_SPEEDS);
      double *speed = &machine->speeds[machine->n_speeds++];
      ok = read_share (file, entry, words[i], 0.001, 1, speed, error);
      if (ok && speed > machine->speeds && speed[0] > speed[-1])
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, entry->line },
                              "contention: %s is above the number before it, and more busy workers are never faster;"
                              " write 1, 0.9, 0.8, say", words[i]);
    }
  if (ok && (machine->n_speeds == 0 || machine->speeds[0] < 1))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, entry->line },
                          "contention: begins with 1, the speed of one busy worker; write 1, 0.9, say");
  return ok;
}

static gboolean
read_speed (const BnKeyFile *file, const BnKeySection *section, const char *key, double *ret, GError **error)
{
  const BnKeyEntry *entry = find_key (file, section, key, error);

  return entry != NULL && read_share (file, entry, entry->value, 0.001, 1, ret, error);
}

static gboolean
read_machine (BnProfile *profile, const BnKeyFile *file, const BnKeySection *section, GError **error)
{
  BnMeasured *machine = &profile->machine;
  const BnKeyEntry *backend = find_key (file, section, "backend", error), *steal;

  if (!check_keys (file, section, profile_keys, error) || backend == NULL)
    return FALSE;
  profile->backend = g_strdup (backend->value);
  return read_whole (file, section, "scale", bn_parse_multiple_ppm, BN_PPM_ONE * 1000, &profile->scale_ppm, error)
         && read_copy (file, section, "load-latency", "load-rate", &machine->load, error)
         && read_copy (file, section, "evict-latency", "evict-rate", &machine->evict, error)
         && read_copy (file, section, "network-latency", "network-rate", &machine->transfer, error)
         && read_whole (file, section, "launch", bn_parse_duration, MAX_NS, &profile->launch_ns, error)
         && read_whole (file, section, "wake-up", bn_parse_duration, MAX_NS, &machine->wake_ns, error)
         && read_whole (file, section, "timer", bn_parse_duration, MAX_NS, &profile->timer_ns, error)
         && read_whole (file, section, "decision", bn_parse_duration, MAX_NS, &profile->decision_ns, error)
         && read_whole (file, section, "processors", bn_parse_integer, MAX_PROCESSORS, &machine->n_processors, error)
         && read_whole (file, section, "loop", bn_parse_duration, MAX_NS, &machine->loop_ns, error)
         && (steal = find_key (file, section, "steal", error)) != NULL
         && read_share (file, steal, steal->value, 0, 1, &profile->steal, error)
         && read_speed (file, section, "run-beside-load", &machine->run_beside_load, error)
         && read_speed (file, section, "run-beside-evict", &machine->run_beside_evict, error)
         && read_speed (file, section, "load-beside-run", &machine->load_beside_run, error)
         && read_speed (file, section, "evict-beside-run", &machine->evict_beside_run, error)
         && read_contention (file, section, machine, error);
}

static gboolean
read_task (BnProfile *profile, const BnKeyFile *file, const BnKeySection *section, GError **error)
{
  BnProfileTask *task = g_new0 (BnProfileTask, 1);
  const BnKeyEntry *cv;

  task->name = g_strdup (section->name + strlen ("task "));
  g_ptr_array_add (profile->tasks, task);
  return check_keys (file, section, task_keys, error)
         && read_whole (file, section, "runtime", bn_parse_duration, MAX_NS, &task->runtime_ns, error)
         && (cv = find_key (file, section, "cv", error)) != NULL
         && read_share (file, cv, cv->value, 0, BN_PROFILE_MAX_CV, &task->cv, error)
         && read_whole (file, section, "cold", bn_parse_duration, MAX_NS, &task->cold_ns, error);
}

static gboolean
read_sections (BnProfile *profile, const BnKeyFile *file, GError **error)
{
  const BnKeySection *machine = NULL;

  for (uint32_t i = 0; i < file->n_sections; i++)
    {
      const BnKeySection *section = &file->sections[i];
      g_autofree char *quoted = bn_quote (section->name);
      if (strcmp (section->name, "profile") == 0)
        machine = section;
      else if (!g_str_has_prefix (section->name, "task "))
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, section->line },
                              "%s is not a section of a profile; there are profile and task WORKFLOW/LABEL", quoted);
      else if (!read_task (profile, file, section, error))
        return FALSE;
    }
  if (machine == NULL)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { file->name, 0 },
                          "is no profile: it has no section [profile]; make one with binnacle calibrate");
  return read_machine (profile, file, machine, error);
}

BnProfile *
bn_profile_parse (const char *text, const char *name, GError **error)
{
  BnKeyFile *file = bn_key_file_parse (text, strlen (text), name, error);

  if (file == NULL)
    return NULL;
  BnProfile *profile = bn_profile_new (NULL, 0);
  profile->path = g_strdup (name);
  profile->text = g_strdup (text);
  gboolean ok = read_sections (profile, file, error);
  bn_key_file_free (file);
  if (ok)
    return profile;
  bn_profile_free (profile);
  return NULL;
}

BnProfile *
bn_profile_read (const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &reason))
    {
      bn_input_fail (error, BN_INPUT_ERROR_READ, (BnPlace) { path, 0 },
                     "cannot read this profile: %s; make one with binnacle calibrate", reason->message);
      return NULL;
    }
  if (strlen (text) != length)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { path, 0 }, "is no text; give a profile");
      return NULL;
    }
  return bn_profile_parse (text, path, error);
}

/* ---- writing ---- */

static void
append_duration (GString *text, const char *key, BnDuration ns)
{
  g_autofree char *value = bn_format_duration (ns);

  g_string_append_printf (text, "%s = %s\n", key, value);
}

static void
append_rate (GString *text, const char *key, int64_t bytes_per_s)
{
  g_autofree char *value = bn_format_rate (bytes_per_s);

  g_string_append_printf (text, "%s = %s\n", key, value);
}

static void
append_real (GString *text, const char *before, double value, const char *after)
{
  g_autofree char *number = bn_format_real (value);

  g_string_append_printf (text, "%s%s%s", before, number, after);
}

static void
append_machine (GString *text, const BnProfile *profile)
{
  const BnMeasured *machine = &profile->machine;

  g_string_append_printf (text, "[profile]\nbackend = %s\n", profile->backend);
  append_real (text, "scale = ", (double) profile->scale_ppm / (double) BN_PPM_ONE, "x\n");
  append_duration (text, "load-latency", machine->load.latency_ns);
  append_rate (text, "load-rate", machine->load.bytes_per_s);
  append_duration (text, "evict-latency", machine->evict.latency_ns);
  append_rate (text, "evict-rate", machine->evict.bytes_per_s);
  append_duration (text, "network-latency", machine->transfer.latency_ns);
  append_rate (text, "network-rate", machine->transfer.bytes_per_s);
  append_duration (text, "launch", profile->launch_ns);
  append_duration (text, "wake-up", machine->wake_ns);
  append_duration (text, "timer", profile->timer_ns);
  append_duration (text, "decision", profile->decision_ns);
  g_string_append_printf (text, "processors = %" G_GINT64_FORMAT "\n", machine->n_processors);
  append_duration (text, "loop", machine->loop_ns);
  append_real (text, "steal = ", profile->steal, "\n");
  append_real (text, "run-beside-load = ", machine->run_beside_load, "\n");
  append_real (text, "run-beside-evict = ", machine->run_beside_evict, "\n");
  append_real (text, "load-beside-run = ", machine->load_beside_run, "\n");
  append_real (text, "evict-beside-run = ", machine->evict_beside_run, "\n");
  for (uint32_t i = 0; i < machine->n_speeds; i++)
    append_real (text, i == 0 ? "contention = " : ", ", machine->speeds[i], "");
  g_string_append_c (text, '\n');
}

char *
bn_profile_format (const BnProfile *profile, const char *head)
{
  GString *text = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (head, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_string_append_printf (text, "# %s\n", lines[i]);
  append_machine (text, profile);
  for (guint i = 0; i < profile->tasks->len; i++)
    {
      const BnProfileTask *task = g_ptr_array_index (profile->tasks, i);
      g_string_append_printf (text, "\n[task %s]\n", task->name);
      append_duration (text, "runtime", task->runtime_ns);
      append_real (text, "cv = ", task->cv, "\n");
      append_duration (text, "cold", task->cold_ns);
    }
  return g_string_free (text, FALSE);
}
