/* profile_output.c: whether a profile may be written to a place, and found out before measuring.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib/gstdio.h>

#include "keyfile.h"
#include "output.h"
#include "profile.h"

/* By its section: one of an older form, or with mistakes, is one. */
static gboolean
is_profile (const char *path)
{
  BnKeyFile *file = bn_key_file_read (path, NULL);
  gboolean found = FALSE;

  for (uint32_t i = 0; file != NULL && i < file->n_sections; i++)
    found |= strcmp (file->sections[i].name, "profile") == 0;
  bn_key_file_free (file);
  return found;
}

gboolean
bn_profile_may_write (const char *path, gboolean replace, GError **error)
{
  GStatBuf there;

  /* a device, a pipe: nothing is lost there */
  if (strcmp (path, "-") == 0 || (g_stat (path, &there) == 0 && !S_ISREG (there.st_mode) && !S_ISDIR (there.st_mode)))
    return TRUE;
  if (g_stat (path, &there) == 0 && S_ISREG (there.st_mode))
    {
      const char *why = !replace ? "exists already; name another file, or give --replace"
                        : there.st_size > 0 && !is_profile (path) ? "exists and is not a profile; name another file"
                                                                  : NULL;
      if (why != NULL)
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST, "%s: %s", path, why);
          return FALSE;
        }
    }
  BnOutput *probe = bn_output_open (path, error);
  bn_output_abandon (probe);
  return probe != NULL;
}
