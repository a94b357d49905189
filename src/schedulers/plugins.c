/* plugins.c: schedulers that are not the program's own: from shared objects, and in other processes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plugins.h"

#include <gmodule.h>
#include <string.h>

#include "exec_scheduler.h"
#include "input_error.h"
#include "plugin.h"
#include "presets.h"
#include "registry.h"
#include "shared_object.h"
#include "variant.h"

#define SYMBOL "binnacle_scheduler"

struct BnPlugins
{
  GPtrArray *schedulers;   /* of BnScheduler, then NULL */
  GPtrArray *modules;      /* of GModule                */
};

static void
free_scheduler (void *scheduler)
{
  if (scheduler == NULL)
    return;
  if (bn_is_exec_scheduler (scheduler))
    bn_exec_scheduler_free (scheduler);
  else
    bn_plugin_scheduler_free (scheduler);
}

static void
close_module (void *module)
{
  g_module_close (module);
}

BnPlugins *
bn_plugins_new (void)
{
  BnPlugins *plugins = g_new0 (BnPlugins, 1);

  plugins->schedulers = g_ptr_array_new_with_free_func (free_scheduler);
  g_ptr_array_add (plugins->schedulers, NULL);
  plugins->modules = g_ptr_array_new_with_free_func (close_module);
  return plugins;
}

void
bn_plugins_free (BnPlugins *plugins)
{
  if (plugins == NULL)
    return;
  g_ptr_array_unref (plugins->schedulers);
  g_ptr_array_unref (plugins->modules);
  g_free (plugins);
}

const BnScheduler *const *
bn_plugins_schedulers (const BnPlugins *plugins)
{
  return (const BnScheduler *const *) (const void *) plugins->schedulers->pdata;
}

static gboolean
refuse (const char *path, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const char *path, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 }, "%s", what);
}

static gboolean
is_among (const BnScheduler *const *schedulers, const char *name)
{
  for (guint i = 0; schedulers[i] != NULL; i++)
    if (strcmp (schedulers[i]->name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_taken (const BnPlugins *plugins, const char *name)
{
  return is_among (bn_schedulers, name) || is_among (bn_plugins_schedulers (plugins), name)
         || bn_preset_find (name) != NULL || strcmp (name, "all") == 0;
}

static void
add_scheduler (BnPlugins *plugins, BnScheduler *scheduler)
{
  g_ptr_array_index (plugins->schedulers, plugins->schedulers->len - 1) = scheduler;
  g_ptr_array_add (plugins->schedulers, NULL);
}

gboolean
bn_plugins_add_exec (BnPlugins *plugins, const char *name, char *(*path_of) (const char *path, gpointer data),
                     gpointer data, GError **error)
{
  if (is_among (bn_plugins_schedulers (plugins), name))
    return TRUE;
  BnScheduler *scheduler = bn_exec_scheduler_new (name, path_of, data, error);
  if (scheduler != NULL)
    add_scheduler (plugins, scheduler);
  return scheduler != NULL;
}

/* The dynamic linker looks for a name without a slash elsewhere. Returns: (transfer full). */
static char *
path_to_open (const char *path)
{
  return strchr (path, '/') != NULL ? g_strdup (path) : g_strconcat ("./", path, NULL);
}

/* What the file is known by, before it is trusted with anything. */
static gboolean
read_file (const char *path, GChecksum *checksum, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *bytes = NULL;
  const char *fault;
  gsize length;

  if (!g_file_get_contents (path, &bytes, &length, &reason))
    return refuse (path, error, "cannot read this plug-in: %s", reason->message);
  if (!bn_shared_object_is_whole (path, &fault))
    return refuse (path, error, "%s; build it with cc -shared -fPIC", fault);
  g_checksum_update (checksum, (const guchar *) bytes, (gssize) length);
  return TRUE;
}

/* Takes the scheduler of the module. */
static gboolean
add_module (BnPlugins *plugins, const char *path, GModule *module, GError **error)
{
  gpointer symbol = NULL;

  if (!g_module_symbol (module, SYMBOL, &symbol) || symbol == NULL)
    return refuse (path, error, "is no plug-in of this program: it lacks %s; see binnacle/scheduler.h", SYMBOL);
  const BnPluginScheduler *found = symbol;
  if (found->abi != BN_PLUGIN_ABI)
    return refuse (path, error, "is a plug-in of interface %u and this program has %u; build it with the header of this"
                                " program", found->abi, BN_PLUGIN_ABI);
  const char *fault = bn_plugin_fault (found);
  if (fault != NULL)
    return refuse (path, error, "%s", fault);
  if (is_taken (plugins, found->name))
    return refuse (path, error, "its scheduler's name, %s, is taken; give it another one", found->name);
  for (guint i = 0; i < found->n_params; i++)
    for (guint k = 0; k < bn_n_variant_options; k++)
      if (strcmp (found->params[i].name, bn_variant_options[k].name) == 0)
        return refuse (path, error, "its parameter %s is an option of every scheduler; give it another name",
                       found->params[i].name);
  add_scheduler (plugins, bn_plugin_scheduler_new (found));
  return TRUE;
}

gboolean
bn_plugins_add (BnPlugins *plugins, const char *path, GChecksum *checksum, GError **error)
{
  g_autofree char *opened = path_to_open (path);

  if (!read_file (path, checksum, error))
    return FALSE;
  GModule *module = g_module_open (opened, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    return refuse (path, error, "cannot be loaded: %s", g_module_error ());
  g_ptr_array_add (plugins->modules, module);
  return add_module (plugins, path, module, error);
}
