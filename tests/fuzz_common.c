/* fuzz_common.c: what fuzz targets share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer calls a target with nothing but bytes, so what its command line said has to lie in a variable here.
 */
#include "config.h" /* memfd_create is not in every C library */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

static guint only = G_MAXUINT;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  if (*argc < 3 || strcmp ((*argv)[1], "--only") != 0)
    return 0;
  g_autofree const char **names = bn_fuzz_readers ();
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], (*argv)[2]) == 0)
      only = i;
  if (only == G_MAXUINT)
    {
      fprintf (stderr, "--only %s: no such reader\n", (*argv)[2]);
      exit (EXIT_FAILURE);
    }
  (*argv)[2] = (*argv)[0];
  *argv += 2;
  *argc -= 2;
  return 0;
}

guint
bn_fuzz_only (void)
{
  return only;
}

void
bn_fuzz_check (gboolean holds)
{
  if (!holds)
    abort ();
}

void
bn_fuzz_check_error (gboolean failed, GError **error)
{
  bn_fuzz_check (failed == (*error != NULL));
  if (*error != NULL)
    bn_fuzz_check (g_utf8_validate ((*error)->message, -1, NULL) && strchr ((*error)->message, '\n') == NULL);
  g_clear_error (error);
}

char *
bn_fuzz_file (const uint8_t *data, size_t size, int *ret_fd)
{
  *ret_fd = memfd_create ("input", MFD_CLOEXEC);
  bn_fuzz_check (*ret_fd >= 0 && write (*ret_fd, data, size) == (gssize) size);
  return g_strdup_printf ("/proc/self/fd/%d", *ret_fd);
}
