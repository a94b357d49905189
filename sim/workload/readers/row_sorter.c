/* row_sorter.c: rows in order of time, whatever order they came in.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "row_sorter.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN_BUFFER_BYTES (1u << 18)

/* A row as bytes: this, then the fields, each ended by NUL. */
typedef struct Packed
{
  BnTime time_ns;
  BnDuration duration_ns;
  guint64 number;      /* in order of arrival here */
  uint32_t line;
  uint32_t n_bytes;    /* of the fields */
} Packed;

typedef struct Key
{
  BnTime time_ns;
  gsize offset;        /* in rows: grows with the order, so it breaks ties */
} Key;

/* A sorted part of the file; its first row that is not given out is at `used` of buffer. */
typedef struct Run
{
  goffset at, end;     /* of the file, not read yet */
  char *buffer;
  gsize room, used, filled;
} Run;

struct BnRowSorter
{
  guint n_columns;
  gsize memory_bytes;
  guint64 n_rows;
  GByteArray *rows;    /* packed */
  GArray *keys;        /* of Key: of rows; sorted when all fits */
  guint next;          /* of keys, when all fits */
  int fd;              /* -1: no run has been written */
  goffset file_bytes;
  GArray *runs;        /* of Run */
  GArray *heap;        /* of guint: runs that hold rows, the one with the first at 0 */
  gboolean begun;      /* the top of the heap has been given out */
  char **fields;       /* [n_columns] */
};

BnRowSorter *
bn_row_sorter_new (guint n_columns, gsize memory_bytes)
{
  BnRowSorter *s = g_new0 (BnRowSorter, 1);

  s->n_columns = n_columns;
  s->memory_bytes = memory_bytes;
  s->rows = g_byte_array_new ();
  s->keys = g_array_new (FALSE, FALSE, sizeof (Key));
  s->fd = -1;
  s->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  s->heap = g_array_new (FALSE, FALSE, sizeof (guint));
  s->fields = g_new (char *, n_columns);
  return s;
}

void
bn_row_sorter_free (BnRowSorter *sorter)
{
  if (sorter == NULL)
    return;
  for (guint i = 0; i < sorter->runs->len; i++)
    g_free (g_array_index (sorter->runs, Run, i).buffer);
  g_byte_array_unref (sorter->rows);
  g_array_unref (sorter->keys);
  g_array_unref (sorter->runs);
  g_array_unref (sorter->heap);
  if (sorter->fd >= 0)
    close (sorter->fd);
  g_free (sorter->fields);
  g_free (sorter);
}

static gboolean
fail_file (GError **error, const char *what)
{
  return bn_input_fail (error, BN_INPUT_ERROR_READ, (BnPlace) { g_get_tmp_dir (), 0 },
                        "a temporary file for sorting cannot be %s: %s; set TMPDIR to a folder with room", what,
                        g_strerror (errno));
}

static int
compare_keys (const void *a, const void *b)
{
  const Key *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
sort_keys (BnRowSorter *s)
{
  if (s->keys->len > 0)
    qsort (s->keys->data, s->keys->len, sizeof (Key), compare_keys);
}

static gsize
packed_bytes (const guint8 *at)
{
  Packed head;

  memcpy (&head, at, sizeof head);
  return sizeof head + head.n_bytes;
}

static gboolean
open_file (BnRowSorter *s, GError **error)
{
  g_autofree char *path = NULL;

  if (s->fd >= 0)
    return TRUE;
  s->fd = g_file_open_tmp ("binnacle-sort-XXXXXX", &path, NULL);
  if (s->fd < 0)
    return fail_file (error, "made");
  g_unlink (path);
  return TRUE;
}

static gboolean
write_all (BnRowSorter *s, const guint8 *bytes, gsize length, GError **error)
{
  while (length > 0)
    {
      gssize n = write (s->fd, bytes, length);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail_file (error, "written");
      bytes += n;
      length -= (gsize) n;
      s->file_bytes += n;
    }
  return TRUE;
}

/* Sorts what is in memory and writes it. */
static gboolean
spill (BnRowSorter *s, GError **error)
{
  g_autoptr (GByteArray) block = g_byte_array_sized_new (2 * RUN_BUFFER_BYTES);
  Run run = { .at = s->file_bytes };

  if (!open_file (s, error))
    return FALSE;
  sort_keys (s);
  for (guint i = 0; i < s->keys->len; i++)
    {
      const guint8 *row = s->rows->data + g_array_index (s->keys, Key, i).offset;
      g_byte_array_append (block, row, (guint) packed_bytes (row));
      if (block->len < RUN_BUFFER_BYTES && i + 1 < s->keys->len)
        continue;
      if (!write_all (s, block->data, block->len, error))
        return FALSE;
      g_byte_array_set_size (block, 0);
    }
  run.end = s->file_bytes;
  g_array_append_val (s->runs, run);
  g_byte_array_set_size (s->rows, 0);
  g_array_set_size (s->keys, 0);
  return TRUE;
}

gboolean
bn_row_sorter_add (BnRowSorter *sorter, const BnImportRow *row, GError **error)
{
  BnRowSorter *s = sorter;
  Packed head = { row->time_ns, row->duration_ns, s->n_rows++, row->line, 0 };
  Key key = { row->time_ns, s->rows->len };

  g_byte_array_append (s->rows, (const guint8 *) &head, sizeof head);
  for (guint i = 0; i < s->n_columns; i++)
    g_byte_array_append (s->rows, (const guint8 *) row->fields[i], (guint) strlen (row->fields[i]) + 1);
  head.n_bytes = (uint32_t) (s->rows->len - key.offset - sizeof head);
  memcpy (s->rows->data + key.offset, &head, sizeof head);
  g_array_append_val (s->keys, key);
  return s->rows->len + s->keys->len * sizeof (Key) < s->memory_bytes || spill (s, error);
}

/* Makes sure that a whole row is in the buffer. FALSE with *failed at the end, or at an error. */
static gboolean
load (BnRowSorter *s, Run *run, gboolean *failed, GError **error)
{
  gsize need = sizeof (Packed);

  *failed = FALSE;
  if (run->used == run->filled && run->at == run->end)
    return FALSE;
  for (;;)
    {
      gsize there = run->filled - run->used;
      if (there >= sizeof (Packed))
        need = packed_bytes ((const guint8 *) run->buffer + run->used);
      if (there >= need)
        return TRUE;
      memmove (run->buffer, run->buffer + run->used, there);
      run->used = 0;
      run->filled = there;
      if (need > run->room)
        {
          run->room = need;
          run->buffer = g_realloc (run->buffer, need);
        }
      gsize want = MIN (run->room - there, (gsize) (run->end - run->at));
      gssize n = pread (s->fd, run->buffer + there, want, run->at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          *failed = TRUE;
          return fail_file (error, "read");
        }
      run->at += n;
      run->filled += (gsize) n;
    }
}

static gboolean
is_before (const BnRowSorter *s, guint a, guint b)
{
  const Run *x = &g_array_index (s->runs, Run, a), *y = &g_array_index (s->runs, Run, b);
  Packed p, q;

  memcpy (&p, x->buffer + x->used, sizeof p);
  memcpy (&q, y->buffer + y->used, sizeof q);
  return p.time_ns != q.time_ns ? p.time_ns < q.time_ns : p.number < q.number;
}

static void
sift_down (BnRowSorter *s, guint at)
{
  guint *heap = (guint *) (void *) s->heap->data, n = s->heap->len;

  for (guint child = 2 * at + 1; child < n; at = child, child = 2 * at + 1)
    {
      if (child + 1 < n && is_before (s, heap[child + 1], heap[child]))
        child++;
      if (!is_before (s, heap[child], heap[at]))
        return;
      guint moved = heap[at];
      heap[at] = heap[child];
      heap[child] = moved;
    }
}

gboolean
bn_row_sorter_finish (BnRowSorter *sorter, GError **error)
{
  BnRowSorter *s = sorter;
  gboolean failed;

  if (s->runs->len == 0)
    {
      sort_keys (s);
      return TRUE;
    }
  if (s->keys->len > 0 && !spill (s, error))
    return FALSE;
  /* the merge needs room for runs instead */
  g_byte_array_unref (s->rows);
  s->rows = g_byte_array_new ();
  for (guint i = 0; i < s->runs->len; i++)
    {
      Run *run = &g_array_index (s->runs, Run, i);
      run->room = RUN_BUFFER_BYTES;
      run->buffer = g_malloc (run->room);
      if (load (s, run, &failed, error))
        g_array_append_val (s->heap, i);
      else if (failed)
        return FALSE;
    }
  for (guint i = s->heap->len / 2; i-- > 0;)
    sift_down (s, i);
  return TRUE;
}

static BnRowStatus
unpack (BnRowSorter *s, const char *at, BnImportRow *row)
{
  Packed head;

  memcpy (&head, at, sizeof head);
  char *text = (char *) at + sizeof head;
  for (guint i = 0; i < s->n_columns; i++, text += strlen (text) + 1)
    s->fields[i] = text;
  *row = (BnImportRow) { head.time_ns, head.duration_ns, head.line, s->fields };
  return BN_ROW;
}

/* The row given out last is left behind; its run goes to its place. */
static gboolean
advance (BnRowSorter *s, GError **error)
{
  guint top = g_array_index (s->heap, guint, 0);
  Run *run = &g_array_index (s->runs, Run, top);
  gboolean failed;

  run->used += packed_bytes ((const guint8 *) run->buffer + run->used);
  if (!load (s, run, &failed, error))
    {
      if (failed)
        return FALSE;
      g_array_remove_index_fast (s->heap, 0);
    }
  sift_down (s, 0);
  return TRUE;
}

BnRowStatus
bn_row_sorter_next (BnRowSorter *sorter, BnImportRow *row, GError **error)
{
  BnRowSorter *s = sorter;

  if (s->runs->len == 0)
    {
      if (s->next == s->keys->len)
        return BN_ROW_END;
      return unpack (s, (const char *) s->rows->data + g_array_index (s->keys, Key, s->next++).offset, row);
    }
  if (s->begun && s->heap->len > 0 && !advance (s, error))
    return BN_ROW_ERROR;
  s->begun = TRUE;
  if (s->heap->len == 0)
    return BN_ROW_END;
  const Run *run = &g_array_index (s->runs, Run, g_array_index (s->heap, guint, 0));
  return unpack (s, run->buffer + run->used, row);
}
