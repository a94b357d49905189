/* scenario_backend.c: who does the work, at which scale, and what is known of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "catalogue.h"
#include "scenario_parts.h"

gboolean
bn_scenario_is_real (const BnScenario *scenario)
{
  return !(scenario->backend->capabilities & BN_BACKEND_VIRTUAL_TIME);
}

gboolean
bn_scenario_backend_usable (const BnScenario *scenario, GError **error)
{
  if (bn_backend_find (scenario->backend->name, error) == NULL)
    return FALSE;
  if (!scenario->backend_settings.verify || scenario->backend->capabilities & BN_BACKEND_COMPUTES)
    return TRUE;
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { scenario->path, 0 },
                 "backend.verify: backend %s computes nothing that could be verified; take another, or leave it off",
                 scenario->backend->name);
  return FALSE;
}

gboolean
bn_scenario_backend (BnSettings *s, BnScenario *scenario, GError **error)
{
  const char *profile = bn_settings_text (s, BN_KEY_WORKLOAD_PROFILE, 0);

  scenario->backend = bn_backends[bn_settings_integer (s, BN_KEY_BACKEND_NAME, 0)];
  scenario->backend_settings = (BnBackendSettings) BN_BACKEND_SETTINGS_INIT;
  scenario->backend_settings.threads = (uint32_t) bn_settings_integer (s, BN_KEY_BACKEND_THREADS, 0);
  scenario->backend_settings.paced = bn_settings_integer (s, BN_KEY_BACKEND_PACE, 0) != 0;
  scenario->backend_settings.verify = bn_settings_integer (s, BN_KEY_BACKEND_VERIFY, 0) != 0;
  scenario->watchdog_ns = bn_settings_integer (s, BN_KEY_BACKEND_WATCHDOG, 0);
  scenario->speed = bn_settings_real (s, BN_KEY_WORKLOAD_SPEED, 0);
  scenario->scale_ppm = bn_settings_integer (s, BN_KEY_WORKLOAD_SCALE, 0);
  /* a real run is an observation */
  if (bn_scenario_is_real (scenario))
    bn_settings_set_default (s, BN_KEY_SCENARIO_RECORD, "tasks");
  if (*profile == '\0')
    return TRUE;
  g_autofree char *path = bn_settings_path (s, BN_KEY_WORKLOAD_PROFILE, profile);
  scenario->profile = bn_profile_read (path, error);
  return scenario->profile != NULL && bn_profile_serves (scenario->profile, scenario->backend->name, error);
}

void
bn_scenario_use_measured (BnScenario *scenario)
{
  scenario->measured = scenario->profile->machine;
  scenario->measured.paced = scenario->backend_settings.paced;
  scenario->measured.n_tasks = scenario->catalogue->n_tasks;
  scenario->measured.runtime_ns = scenario->fit.runtime_ns;
  scenario->measured.cold_ns = scenario->fit.cold_ns;
  scenario->backend_settings.measured = &scenario->measured;
}

gboolean
bn_scenario_lay_profile (BnScenario *scenario, GError **error)
{
  const BnProfile *profile = scenario->profile;
  BnCatalogueChange change = { .scale_ppm = scenario->scale_ppm };
  gboolean ok = profile == NULL
                || bn_profile_fit (profile, scenario->catalogue, scenario->scale_ppm, &scenario->fit, error);

  if (!ok || (profile == NULL && scenario->scale_ppm == BN_PPM_ONE))
    return ok;
  change.runtime_ns = scenario->fit.runtime_ns;
  BnCatalogue *changed = bn_catalogue_changed (scenario->catalogue, &change);
  bn_catalogue_free (scenario->catalogue);
  scenario->catalogue = changed;
  if (profile == NULL)
    return TRUE;
  if (!bn_profile_check_copies (profile, scenario->catalogue, error))
    return FALSE;
  bn_scenario_use_measured (scenario);
  return TRUE;
}
