/* shared_object.c: whether a file is a whole shared object.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "shared_object.h"

#include <glib.h>
#include <link.h>
#include <string.h>

/* Of ElfW's class, which is that of this process. */
#define NATIVE_CLASS (sizeof (ElfW (Addr)) == 8 ? ELFCLASS64 : ELFCLASS32)

/* Whether so many entries of a size, from `start` on, end within the file. */
static bool
ends_within (guint64 start, guint64 n, guint64 entry_bytes, gsize file_bytes)
{
  return start <= file_bytes && n * entry_bytes <= file_bytes - start;
}

static bool
segments_are_within (const char *file, gsize file_bytes, const ElfW (Ehdr) *header)
{
  for (guint i = 0; i < header->e_phnum; i++)
    {
      ElfW (Phdr) segment;
      memcpy (&segment, file + header->e_phoff + i * sizeof segment, sizeof segment);
      if (segment.p_type == PT_LOAD && !ends_within (segment.p_offset, 1, segment.p_filesz, file_bytes))
        return false;
    }
  return true;
}

static bool
is_whole (const char *file, gsize file_bytes, const char **reason)
{
  ElfW (Ehdr) header;

  *reason = "is no shared object of this kind of machine";
  if (file_bytes < EI_NIDENT || memcmp (file, ELFMAG, SELFMAG) != 0 || file[EI_CLASS] != NATIVE_CLASS)
    return false;
  *reason = "is cut off; install it anew";
  if (file_bytes < sizeof header)
    return false;
  memcpy (&header, file, sizeof header);
  return header.e_phentsize == sizeof (ElfW (Phdr))
         && ends_within (header.e_phoff, header.e_phnum, header.e_phentsize, file_bytes)
         && ends_within (header.e_shoff, header.e_shnum, header.e_shentsize, file_bytes)
         && segments_are_within (file, file_bytes, &header);
}

bool
bn_shared_object_is_whole (const char *path, const char **reason)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  *reason = "cannot be read";
  return file && is_whole (g_mapped_file_get_contents (file), g_mapped_file_get_length (file), reason);
}
