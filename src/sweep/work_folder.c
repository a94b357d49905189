/* work_folder.c: a folder beside a file that is being made, for one process at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "cli.h"

#define LOCK_NAME "lock"

/* Whoever ends between our opening and our locking takes the folder away. */
#define MAX_ATTEMPTS 100

struct BnWorkFolder
{
  char *path;
  char *lock_path;
  int lock_fd;       /* -1: none */
};

static void
free_folder (BnWorkFolder *folder)
{
  if (folder->lock_fd >= 0)
    close (folder->lock_fd);
  g_free (folder->lock_path);
  g_free (folder->path);
  g_free (folder);
}

/* Whether the file that is open as `fd` still has this name. */
static gboolean
has_name (int fd, const char *path)
{
  struct stat ours, named;

  return fstat (fd, &ours) == 0 && stat (path, &named) == 0 && ours.st_dev == named.st_dev
         && ours.st_ino == named.st_ino;
}

/* A record lock: it is this process's alone, so that children that outlive it for a moment do not hold it. */
static int
lock_file (int fd)
{
  struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  if (fcntl (fd, F_SETLK, &whole) == 0)
    return 0;
  return errno == EACCES ? EAGAIN : errno;
}

/* Returns: 0, or an errno; EAGAIN: another process has it. */
static int
lock (BnWorkFolder *folder)
{
  int code = EAGAIN;
  GStatBuf st;

  for (guint i = 0; i < MAX_ATTEMPTS; i++)
    {
      if (g_mkdir (folder->path, 0777) != 0 && errno != EEXIST)
        return errno;
      if (g_lstat (folder->path, &st) != 0 || !S_ISDIR (st.st_mode))
        return ENOTDIR;
      folder->lock_fd = g_open (folder->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (folder->lock_fd < 0 && errno == ENOENT)
        continue;
      if (folder->lock_fd < 0)
        return errno;
      code = lock_file (folder->lock_fd);
      if (code == 0 && has_name (folder->lock_fd, folder->lock_path))
        return 0;
      close (folder->lock_fd);
      folder->lock_fd = -1;
      if (code != 0)
        return code;
    }
  return EAGAIN;
}

/* What is ours by its name; what somebody else has put there stays. */
static gboolean
is_ours (const char *name)
{
  return g_str_has_prefix (name, "unit-") || g_str_has_prefix (name, "new.") || g_str_has_prefix (name, "merged.db");
}

static void
remove_files (const BnWorkFolder *folder)
{
  GDir *dir = g_dir_open (folder->path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_ours (name))
      {
        g_autofree char *path = g_build_filename (folder->path, name, NULL);
        g_unlink (path);
      }
  if (dir != NULL)
    g_dir_close (dir);
}

BnWorkFolder *
bn_work_folder_new (const char *path, GError **error)
{
  BnWorkFolder *folder = g_new0 (BnWorkFolder, 1);

  folder->path = g_strconcat (path, ".cells", NULL);
  folder->lock_path = g_build_filename (folder->path, LOCK_NAME, NULL);
  folder->lock_fd = -1;
  int code = lock (folder);
  if (code == 0)
    {
      remove_files (folder);
      return folder;
    }
  if (code == EAGAIN)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
                 "%s: another command is writing it; wait until that has ended, or name another file", path);
  else
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
                 "%s: cannot make a folder beside it: %s; name a file in a folder that can be written and has room",
                 path, g_strerror (code));
  free_folder (folder);
  return NULL;
}

const char *
bn_work_folder_path (const BnWorkFolder *folder)
{
  return folder->path;
}

void
bn_work_folder_free (BnWorkFolder *folder)
{
  if (folder == NULL)
    return;
  remove_files (folder);
  g_unlink (folder->lock_path);
  g_rmdir (folder->path);
  free_folder (folder);
}
