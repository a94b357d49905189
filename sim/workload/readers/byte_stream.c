/* byte_stream.c: the bytes of a file as blocks, whatever they are wrapped in.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "byte_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (1 << 16)

struct BnByteStream
{
  char *name;
  int fd;
  struct archive *archive;
  gboolean ended;
  char *unread;         /* the file of an archive behind the one that was read; NULL: none */
  GChecksum *checksum;  /* NULL unless wanted */
  char raw[BLOCK_BYTES];
};

static la_ssize_t
read_raw (struct archive *archive, void *data, const void **block)
{
  BnByteStream *stream = data;
  gssize n;

  do
    n = read (stream->fd, stream->raw, BLOCK_BYTES);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    archive_set_error (archive, errno, "%s", g_strerror (errno));
  else if (stream->checksum != NULL)
    g_checksum_update (stream->checksum, (const guchar *) stream->raw, n);
  *block = stream->raw;
  return n;
}

static gboolean
fail_archive (const BnByteStream *stream, GError **error)
{
  const char *why = archive_error_string (stream->archive);

  return bn_input_fail (error, BN_INPUT_ERROR_READ, (BnPlace) { stream->name, 0 },
                        "cannot be read: %s; is the file whole?", why != NULL ? why : "not known why");
}

/* What macOS puts beside each file in an archive, and folders, hold no rows. */
static gboolean
is_member (struct archive_entry *entry)
{
  const char *path = archive_entry_pathname (entry);
  const char *slash = path == NULL ? NULL : strrchr (path, '/');
  const char *base = slash != NULL ? slash + 1 : path;

  /* libarchive calls what is in no archive "data", without a type */
  return (archive_entry_filetype (entry) == AE_IFREG || archive_entry_filetype (entry) == 0)
         && (base == NULL || !g_str_has_prefix (base, "._"));
}

/* The next member; NULL: there is none, or, with *failed, it cannot be read. */
static struct archive_entry *
next_member (BnByteStream *stream, gboolean *failed)
{
  struct archive_entry *entry;
  int status;

  do
    status = archive_read_next_header (stream->archive, &entry);
  while (status >= ARCHIVE_WARN && status != ARCHIVE_EOF && !is_member (entry));
  *failed = status < ARCHIVE_WARN;
  return *failed || status == ARCHIVE_EOF ? NULL : entry;
}

/* To the first member. An empty file has none: it ends at once. */
static gboolean
find_member (BnByteStream *stream, GError **error)
{
  gboolean failed;

  stream->ended = next_member (stream, &failed) == NULL;
  return !failed || fail_archive (stream, error);
}

/* The member that is read has ended. */
static void
look_behind (BnByteStream *stream)
{
  gboolean failed;
  struct archive_entry *entry = next_member (stream, &failed);

  if (entry == NULL)
    return;
  const char *path = archive_entry_pathname (entry);
  stream->unread = g_strdup (path != NULL ? path : "without a name");
}

static gboolean
open_fd (BnByteStream *stream, const char *path, gboolean digest, GError **error)
{
  BnPlace place = { stream->name, 0 };
  struct stat status;
  /* O_NONBLOCK: a pipe that will be refused must not keep us waiting for a writer */
  int flags = O_RDONLY | O_CLOEXEC | (digest ? O_NONBLOCK : 0);

  stream->fd = strcmp (path, "-") == 0 ? dup (STDIN_FILENO) : open (path, flags);
  if (stream->fd < 0 || fstat (stream->fd, &status) != 0)
    return bn_input_fail (error, BN_INPUT_ERROR_READ, place, "cannot be opened: %s; check the path",
                          g_strerror (errno));
  if (S_ISDIR (status.st_mode))
    return bn_input_fail (error, BN_INPUT_ERROR_READ, place, "is a folder; name a file in it");
  if (digest && !S_ISREG (status.st_mode))
    return bn_input_fail (error, BN_INPUT_ERROR_READ, place,
                          "is not a regular file, and is read more than once; write it to a file first");
  return TRUE;
}

BnByteStream *
bn_byte_stream_open (const char *path, gboolean digest, GError **error)
{
  BnByteStream *stream = g_new0 (BnByteStream, 1);

  stream->name = g_strdup (strcmp (path, "-") == 0 ? "standard input" : path);
  stream->checksum = digest ? g_checksum_new (G_CHECKSUM_SHA256) : NULL;
  stream->archive = archive_read_new ();
  archive_read_support_filter_gzip (stream->archive);
  archive_read_support_filter_bzip2 (stream->archive);
  archive_read_support_filter_xz (stream->archive);
  archive_read_support_filter_zstd (stream->archive);
  archive_read_support_format_tar (stream->archive);
  archive_read_support_format_zip_streamable (stream->archive);
  archive_read_support_format_raw (stream->archive);
  archive_read_support_format_empty (stream->archive);
  if (open_fd (stream, path, digest, error))
    {
      if (archive_read_open (stream->archive, stream, NULL, read_raw, NULL) != ARCHIVE_OK)
        fail_archive (stream, error);
      else if (find_member (stream, error))
        return stream;
    }
  bn_byte_stream_close (stream);
  return NULL;
}

void
bn_byte_stream_close (BnByteStream *stream)
{
  if (stream == NULL)
    return;
  archive_read_free (stream->archive);
  if (stream->fd >= 0)
    close (stream->fd);
  if (stream->checksum != NULL)
    g_checksum_free (stream->checksum);
  g_free (stream->name);
  g_free (stream->unread);
  g_free (stream);
}

const char *
bn_byte_stream_name (const BnByteStream *stream)
{
  return stream->name;
}

gboolean
bn_byte_stream_next (BnByteStream *stream, const char **block, gsize *length, GError **error)
{
  const void *data = NULL;
  la_int64_t offset;
  int status;

  *length = 0;
  while (!stream->ended && *length == 0)
    {
      status = archive_read_data_block (stream->archive, &data, length, &offset);
      stream->ended = status == ARCHIVE_EOF;
      if (!stream->ended && status < ARCHIVE_WARN)
        return fail_archive (stream, error);
      if (stream->ended)
        look_behind (stream);
    }
  *block = data;
  return TRUE;
}

gboolean
bn_byte_stream_is_plain (const BnByteStream *stream)
{
  return archive_format (stream->archive) == ARCHIVE_FORMAT_RAW && archive_filter_count (stream->archive) == 1;
}

const char *
bn_byte_stream_unread (const BnByteStream *stream)
{
  return stream->unread;
}

const char *
bn_byte_stream_digest (BnByteStream *stream)
{
  const void *rest;

  g_assert (stream->ended && stream->checksum != NULL);
  /* what stands behind the first member of an archive belongs to the file */
  while (read_raw (stream->archive, stream, &rest) > 0)
    continue;
  return g_checksum_get_string (stream->checksum);
}
