/* address_space.c: whether threads that multiply find the address space that they ask for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "address_space.h"

#include <gio/gio.h>
#include <sys/mman.h>

#include "nn.h"
#include "units.h"

/* The heap that malloc of the GNU C library takes for a thread, if it can; for so many a processor at most. */
#define HEAP_BYTES (INT64_C (64) << 20)
#define HEAPS_PER_PROCESSOR 8

#define MB INT64_C (1000000)

/* Pages that nobody touches cost nothing, so the kernel is simply asked. */
static gboolean
can_be_mapped (int64_t bytes)
{
  void *at = mmap (NULL, (size_t) bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (at == MAP_FAILED)
    return FALSE;
  munmap (at, (size_t) bytes);
  return TRUE;
}

gboolean
bn_address_space_check (uint32_t n_multiply, uint32_t n_threads, GError **error)
{
  int64_t buffers = bn_nn_blas_bytes (n_multiply);
  int64_t heaps = MIN (n_threads, HEAPS_PER_PROCESSOR * g_get_num_processors ()) * HEAP_BYTES;

  if (buffers == 0 || can_be_mapped (buffers + heaps))
    return TRUE;
  g_autofree char *size = bn_format_size ((buffers + heaps) / MB * MB);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               "%s in %u threads would need %s more of address space than is in use, and the system grants less; "
               "raise the limit (ulimit -v), or give fewer servers or slots",
               bn_nn_blas_name (), n_multiply, size);
  return FALSE;
}
