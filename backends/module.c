/* module.c: finding and opening a backend's module.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "module.h"

#include "shared_object.h"

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

/* What a library says of itself. Returns: its backend, or NULL with `reason` set (transfer full). */
static const BnBackend *
backend_of (GModule *module, const char *path, char **reason)
{
  gpointer symbol = NULL;

  if (!g_module_symbol (module, BN_MODULE_SYMBOL, &symbol) || !symbol)
    {
      *reason = g_strdup_printf ("%s is no module of this program: it lacks %s", path, BN_MODULE_SYMBOL);
      return NULL;
    }
  const BnBackendModule *found = symbol;
  if (found->abi != BN_MODULE_ABI)
    {
      *reason = g_strdup_printf ("module %s has interface %u, this program has %u; install both from one build", path,
                                 found->abi, BN_MODULE_ABI);
      return NULL;
    }
  if (!found->backend)
    {
      *reason = g_strdup_printf ("module %s names no backend; install it anew", path);
      return NULL;
    }
  if (found->backend->struct_size != sizeof (BnBackend))
    {
      *reason = g_strdup_printf ("module %s has a backend of %u bytes, this program's have %zu; install both from one "
                                 "build", path, found->backend->struct_size, sizeof (BnBackend));
      return NULL;
    }
  return found->backend;
}

GModule *
bn_module_open (const char *name, char **reason)
{
  g_autofree char *path = module_path (name);
  const char *fault;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      *reason = g_strdup_printf ("module not found at %s; " BN_MODULE_DIR_VARIABLE " can name its folder", path);
      return NULL;
    }
  if (!bn_shared_object_is_whole (path, &fault))
    {
      *reason = g_strdup_printf ("module %s %s", path, fault);
      return NULL;
    }
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (!module)
    *reason = g_strdup_printf ("module cannot be loaded: %s", g_module_error ());
  return module;
}

const BnBackend *
bn_module_backend (const char *name, char **reason)
{
  GModule *module = bn_module_open (name, reason);
  const BnBackend *backend = module ? backend_of (module, g_module_name (module), reason) : NULL;

  if (backend)
    g_module_make_resident (module);
  else if (module)
    g_module_close (module);
  return backend;
}
