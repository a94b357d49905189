/* mpi_ranks.c: joining and leaving the other processes of a command.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "mpi_ranks_private.h"

#include "cli.h"
#include "module.h"

/* What mpirun of Open MPI tells its processes; others' mpirun are told apart by theirs. */
static const char *const count_variables[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };
static const char *const number_variables[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK" };

static guint
read_variable (const char *const names[2], guint usual)
{
  for (guint i = 0; i < 2; i++)
    {
      const char *text = g_getenv (names[i]);
      guint64 value;
      if (text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &value, NULL))
        return (guint) value;
    }
  return usual;
}

guint
bn_ranks_count (void)
{
  return MAX (read_variable (count_variables, 1), 1);
}

guint
bn_ranks_number (void)
{
  return read_variable (number_variables, 0);
}

/* NULL with *reason set (transfer full). */
static const BnRanksModule *
load (char **reason)
{
  GModule *library = bn_module_open ("mpi", reason);
  gpointer symbol = NULL;

  if (library == NULL)
    return NULL;
  if (g_module_symbol (library, BN_RANKS_SYMBOL, &symbol) && symbol != NULL
      && ((const BnRanksModule *) symbol)->abi == BN_RANKS_ABI)
    {
      /* what MPI has started does not end with the module */
      g_module_make_resident (library);
      return symbol;
    }
  *reason = g_strdup_printf ("%s is of another build; install both from one", g_module_name (library));
  g_module_close (library);
  return NULL;
}

BnRanks *
bn_ranks_join (GError **error)
{
  g_autofree char *reason = NULL;
  BnRanks *ranks = g_new0 (BnRanks, 1);

  ranks->module = load (&reason);
  if (ranks->module != NULL && ranks->module->join (&ranks->number, &ranks->count, &reason) && ranks->count > 1)
    return ranks;
  if (reason == NULL)
    reason = g_strdup ("its mpirun is not the one that started this program");
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL,
               "started with %u ranks, but MPI cannot be used: %s; configure with --with-mpi, or start it without"
               " mpirun", bn_ranks_count (), reason);
  g_free (ranks);
  return NULL;
}

void
bn_ranks_say (BnRanks *ranks, guint to, BnSay what, const void *bytes, gsize n)
{
  g_autoptr (GByteArray) message = g_byte_array_sized_new ((guint) n + 1);
  guint8 kind = (guint8) what;

  g_byte_array_append (message, &kind, 1);
  if (n > 0)
    g_byte_array_append (message, bytes, (guint) n);
  ranks->module->send (to, message->data, message->len);
}

void
bn_ranks_end (BnRanks *ranks, gboolean by_force)
{
  ranks->module->leave (by_force);
  g_free (ranks);
}

void
bn_ranks_leave (BnRanks *ranks, gboolean by_force)
{
  if (ranks == NULL)
    return;
  for (guint to = 1; to < ranks->count && !by_force; to++)
    bn_ranks_say (ranks, to, BN_SAY_END, NULL, 0);
  bn_ranks_end (ranks, by_force);
}
