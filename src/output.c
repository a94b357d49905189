/* output.c: files that appear whole or not at all.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "cli.h"

struct BnOutput
{
  FILE *file;
  char *path;      /* NULL: standard output                        */
  char *tmp_path;  /* NULL: written in place (a device, a pipe, …) */
};

static void
output_free (BnOutput *output)
{
  g_free (output->path);
  g_free (output->tmp_path);
  g_free (output);
}

static gboolean
cannot_write (GError **error, const char *path, int code)
{
  g_set_error (error, code == EPIPE ? G_FILE_ERROR : BN_CLI_ERROR,
               code == EPIPE ? (int) G_FILE_ERROR_PIPE : (int) BN_CLI_ERROR_OUTPUT,
               "%s: cannot write: %s; choose a place that can be written and has room",
               path ? path : "standard output", g_strerror (code));
  return FALSE;
}

/* A new file keeps the mode that open() would have given it, not mkstemp's. */
static void
widen_mode (int fd)
{
  mode_t mask = umask (0);

  umask (mask);
  if (fchmod (fd, 0666 & ~mask) != 0)
    return;
}

BnOutput *
bn_output_open (const char *path, GError **error)
{
  BnOutput *output = g_new0 (BnOutput, 1);
  struct stat there;
  int fd;

  if (path == NULL || strcmp (path, "-") == 0)
    {
      output->file = stdout;
      return output;
    }
  output->path = g_strdup (path);
  if (stat (path, &there) == 0 && !S_ISREG (there.st_mode))
    {
      output->file = S_ISDIR (there.st_mode) ? (errno = EISDIR, NULL) : fopen (path, "w");
    }
  else
    {
      output->tmp_path = g_strconcat (path, ".XXXXXX", NULL);
      fd = g_mkstemp (output->tmp_path);
      if (fd >= 0)
        {
          widen_mode (fd);
          output->file = fdopen (fd, "w");
        }
    }
  if (output->file == NULL)
    {
      cannot_write (error, path, errno);
      output_free (output);
      return NULL;
    }
  return output;
}

FILE *
bn_output_file (BnOutput *output)
{
  return output->file;
}

gboolean
bn_output_close (BnOutput *output, GError **error)
{
  int code = 0;

  errno = 0;
  if (fflush (output->file) != 0 || ferror (output->file))
    code = errno ? errno : EIO;
  if (output->path != NULL)
    {
      if (fclose (output->file) != 0 && code == 0)
        code = errno;
      if (output->tmp_path != NULL && code == 0 && g_rename (output->tmp_path, output->path) != 0)
        code = errno;
      if (output->tmp_path != NULL && code != 0)
        g_unlink (output->tmp_path);
    }
  if (code != 0)
    cannot_write (error, output->path, code);
  output_free (output);
  return code == 0;
}

void
bn_output_abandon (BnOutput *output)
{
  if (output == NULL)
    return;
  if (output->path != NULL)
    fclose (output->file);
  if (output->tmp_path != NULL)
    g_unlink (output->tmp_path);
  output_free (output);
}

gboolean
bn_output_write (const char *path, const char *text, GError **error)
{
  BnOutput *output = bn_output_open (path, error);

  if (output == NULL)
    return FALSE;
  fputs (text, output->file);
  return bn_output_close (output, error);
}
