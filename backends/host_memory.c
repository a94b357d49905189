/* host_memory.c: large pieces of this machine's memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "host_memory.h"

#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* mmap refuses 0 bytes. */
static size_t
length (int64_t bytes)
{
  return bytes > 0 ? (size_t) bytes : 1;
}

void *
bn_host_alloc (int64_t bytes)
{
  void *memory = mmap (NULL, length (bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return NULL;
  madvise (memory, length (bytes), MADV_HUGEPAGE);
  memset (memory, 0, length (bytes));
  return memory;
}

void
bn_host_free (void *memory, int64_t bytes)
{
  if (memory)
    munmap (memory, length (bytes));
}

/* The number behind `key` in a file of lines, or -1. An empty key: the file's first number. */
static int64_t
read_number (const char *path, const char *key)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  const char *at = strstr (text, key);
  if (!at)
    return -1;
  at += strlen (key);
  while (*at == ' ')
    at++;
  return g_ascii_isdigit (*at) ? g_ascii_strtoll (at, NULL, 10) : -1;
}

int64_t
bn_host_available_bytes (void)
{
  int64_t kib = read_number ("/proc/meminfo", "MemAvailable:");
  int64_t available = kib >= 0 ? kib * 1024 : (int64_t) sysconf (_SC_AVPHYS_PAGES) * sysconf (_SC_PAGESIZE);
  int64_t limit = read_number ("/sys/fs/cgroup/memory.max", "");
  int64_t used = read_number ("/sys/fs/cgroup/memory.current", "");

  if (limit >= 0 && used >= 0 && limit - used < available)
    available = limit > used ? limit - used : 0;
  return available;
}
