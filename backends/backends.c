/* backends.c: the list of backends, and one by name.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "backend.h"

#include <gio/gio.h>
#include <string.h>

const BnBackend *const bn_backends[] = { &bn_model_backend, &bn_cpu_backend, &bn_cuda_backend, NULL };

const BnBackend *
bn_backend_find (const char *name, GError **error)
{
  for (guint i = 0; bn_backends[i]; i++)
    if (strcmp (bn_backends[i]->name, name) == 0)
      {
        g_autofree char *reason = bn_backends[i]->unavailable ? bn_backends[i]->unavailable () : NULL;
        if (!reason)
          return bn_backends[i];
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "backend %s cannot be used here: %s", name, reason);
        return NULL;
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no backend '%s'; binnacle list backends has them",
               name);
  return NULL;
}
