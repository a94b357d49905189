/* profile_fit.c: whether a profile is of the scenario that it lies over, and what it says of its tasks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "profile.h"

#include <string.h>

#include "input_error.h"
#include "units.h"

/* No copy takes longer. */
#define MAX_COPY_NS (INT64_C (24) * 3600 * BN_NS_PER_S)

char *
bn_profile_remark (const BnProfile *profile)
{
  if (profile->machine.load.bytes_per_s > 0)
    return NULL;
  return g_strdup_printf ("%s: load-rate is 0, as loads of all sizes measured took the same: a load of any size takes"
                          " the latency", profile->path != NULL ? profile->path : "profile");
}

gboolean
bn_profile_serves (const BnProfile *profile, const char *backend, GError **error)
{
  return strcmp (backend, "model") == 0 || strcmp (backend, profile->backend) == 0
         || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { profile->path, 0 },
                           "was measured of backend %s and the run is on backend %s; calibrate that one",
                           profile->backend, backend);
}

static gboolean
check_copy (const BnProfile *profile, const char *what, const BnMeasuredCopy *copy, int64_t bytes, GError **error)
{
  if (bn_measured_copy (copy, bytes) <= MAX_COPY_NS)
    return TRUE;
  g_autofree char *size = bn_format_size (bytes);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { profile->path, 0 },
                        "%s-latency and %s-rate say that %s takes more than a day; check the two", what, what, size);
}

gboolean
bn_profile_check_copies (const BnProfile *profile, const BnCatalogue *catalogue, GError **error)
{
  const BnMeasured *machine = &profile->machine;
  int64_t model_bytes = 0, moved_bytes = 0;

  for (uint32_t m = 0; m < catalogue->n_models; m++)
    model_bytes = MAX (model_bytes, catalogue->models[m].size_bytes);
  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    for (uint32_t t = 0; t < catalogue->workflows[w].n_tasks; t++)
      moved_bytes = MAX (moved_bytes, MAX (catalogue->workflows[w].tasks[t].input_bytes,
                                           catalogue->workflows[w].tasks[t].output_bytes));
  return check_copy (profile, "load", &machine->load, model_bytes, error)
         && check_copy (profile, "evict", &machine->evict, model_bytes, error)
         && check_copy (profile, "network", &machine->transfer, moved_bytes, error);
}

void
bn_profile_fit_clear (BnProfileFit *fit)
{
  g_clear_pointer (&fit->runtime_ns, g_free);
  g_clear_pointer (&fit->cv, g_free);
  g_clear_pointer (&fit->cold_ns, g_free);
}

static gboolean
fit_workflow (const BnProfile *profile, const BnWorkflow *workflow, GHashTable *by_name, BnProfileFit *ret,
              GError **error)
{
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    {
      uint32_t i = workflow->first_task + t;
      g_autofree char *name = g_strconcat (workflow->name, "/", workflow->tasks[t].label, NULL);
      const BnProfileTask *task = g_hash_table_lookup (by_name, name);
      if (task == NULL)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { profile->path, 0 },
                              "does not know task %s; calibrate with the catalogue that is run", name);
      ret->runtime_ns[i] = task->runtime_ns;
      ret->cv[i] = task->cv;
      ret->cold_ns[i] = task->cold_ns - task->runtime_ns;
    }
  return TRUE;
}

gboolean
bn_profile_fit (const BnProfile *profile, const BnCatalogue *catalogue, int64_t scale_ppm, BnProfileFit *ret,
                GError **error)
{
  if (profile->scale_ppm != scale_ppm)
    {
      g_autofree char *there = bn_format_real ((double) profile->scale_ppm / (double) BN_PPM_ONE);
      g_autofree char *here = bn_format_real ((double) scale_ppm / (double) BN_PPM_ONE);
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { profile->path, 0 },
                            "was measured at scale %sx and the scenario has %sx; calibrate at the same scale", there,
                            here);
    }
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < profile->tasks->len; i++)
    {
      BnProfileTask *task = g_ptr_array_index (profile->tasks, i);
      g_hash_table_insert (by_name, task->name, task);
    }
  *ret = (BnProfileFit) { g_new0 (BnDuration, catalogue->n_tasks + 1), g_new0 (double, catalogue->n_tasks + 1),
                          g_new0 (BnDuration, catalogue->n_tasks + 1) };
  gboolean ok = TRUE;
  for (uint32_t w = 0; w < catalogue->n_workflows && ok; w++)
    ok = fit_workflow (profile, &catalogue->workflows[w], by_name, ret, error);
  g_hash_table_unref (by_name);
  if (!ok)
    bn_profile_fit_clear (ret);
  return ok;
}
