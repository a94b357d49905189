/* module.c: finding and opening a backend's module.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "module.h"

#include <gmodule.h>

/* The executable's folder, or NULL. Returns: (transfer full). */
static char *
executable_dir (void)
{
  g_autofree char *executable = g_file_read_link ("/proc/self/exe", NULL);

  return executable ? g_path_get_dirname (executable) : NULL;
}

/* Where the module is, or where it should be. Returns: (transfer full). */
static char *
module_path (const char *name)
{
  const char *named = g_getenv (BN_MODULE_DIR_VARIABLE);
  g_autofree char *file = g_strdup_printf ("binnacle-%s.so", name);
  g_autofree char *beside = executable_dir ();

  if (named && *named)
    return g_build_filename (named, file, NULL);
  if (beside)
    {
      g_autofree char *path = g_build_filename (beside, file, NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return g_build_filename (BN_PKGLIBDIR, file, NULL);
}

const BnBackend *
bn_module_backend (const char *name, char **reason)
{
  g_autofree char *path = module_path (name);
  gpointer symbol = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      *reason = g_strdup_printf ("module not found at %s; " BN_MODULE_DIR_VARIABLE " can name its folder", path);
      return NULL;
    }
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (!module)
    {
      *reason = g_strdup_printf ("module cannot be loaded: %s", g_module_error ());
      return NULL;
    }
  if (!g_module_symbol (module, BN_MODULE_SYMBOL, &symbol) || !symbol)
    {
      *reason = g_strdup_printf ("%s is no module of this program: it lacks %s", path, BN_MODULE_SYMBOL);
      g_module_close (module);
      return NULL;
    }
  const BnBackendModule *found = symbol;
  if (found->abi != BN_MODULE_ABI)
    {
      *reason = g_strdup_printf ("module %s has interface %u, this program has %u; install both from one build", path,
                                 found->abi, BN_MODULE_ABI);
      g_module_close (module);
      return NULL;
    }
  g_module_make_resident (module);
  return found->backend;
}
