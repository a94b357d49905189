/* row_writer.c: a thread that writes rows, so that a run on the wall clock need not wait.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "row_writer.h"

#include <semaphore.h>

#include "work_queue.h"

/* Small enough that malloc does not ask the system for each. */
#define BLOCK_ROWS 64
#define MAX_BLOCKS (BN_ROW_WRITER_MAX_ROWS / BLOCK_ROWS)

typedef struct Block
{
  guint n_rows;
  gboolean may_commit;  /* after its last row */
  BnRow rows[BLOCK_ROWS];
} Block;

struct BnRowWriter
{
  BnRowWriterConfig config;
  BnWorkQueue *queue;   /* of Block                                  */
  sem_t room;           /* of MAX_BLOCKS, what is left               */
  Block *filling;       /* the run's thread's                        */
  GThread *thread;
  gint failed;          /* atomic                                    */
  int rc;               /* these are the writer's until it has ended */
  char *message;
  gint64 rows;          /* since the last commit                     */
};

static Block *
new_block (void)
{
  Block *block = g_new (Block, 1);

  block->n_rows = 0;
  block->may_commit = FALSE;
  return block;
}

static void
note (BnRowWriter *w, int rc)
{
  if (rc == SQLITE_OK || w->rc != SQLITE_OK)
    return;
  w->rc = rc;
  w->message = g_strdup (sqlite3_errmsg (w->config.db));
  g_atomic_int_set (&w->failed, TRUE);
  if (w->config.on_failure != NULL)
    w->config.on_failure (w->config.on_failure_data);
}

static gpointer
write_blocks (gpointer data)
{
  BnRowWriter *w = data;
  Block *block;

  while ((block = bn_work_queue_pop (w->queue)) != NULL)
    {
      for (guint i = 0; i < block->n_rows; i++)
        note (w, bn_row_put (&block->rows[i], w->config.statements[block->rows[i].table]));
      w->rows += block->n_rows;
      if (block->may_commit && w->rows >= w->config.batch_rows && w->rc == SQLITE_OK)
        {
          note (w, sqlite3_exec (w->config.db, "COMMIT; BEGIN IMMEDIATE", NULL, NULL, NULL));
          w->rows = 0;
        }
      g_free (block);
      sem_post (&w->room);
    }
  return NULL;
}

BnRowWriter *
bn_row_writer_new (const BnRowWriterConfig *config)
{
  BnRowWriter *w = g_new0 (BnRowWriter, 1);

  w->config = *config;
  w->rc = SQLITE_OK;
  w->queue = bn_work_queue_new ();
  sem_init (&w->room, 0, MAX_BLOCKS);
  w->filling = new_block ();
  w->thread = g_thread_new ("results", write_blocks, w);
  return w;
}

static void
hand_over (BnRowWriter *w, gboolean may_commit)
{
  /* a signal may wake it without any room */
  while (sem_wait (&w->room) != 0)
    ;
  w->filling->may_commit = may_commit;
  bn_work_queue_push (w->queue, w->filling);
  w->filling = new_block ();
}

void
bn_row_writer_put (BnRowWriter *w, const BnRow *row)
{
  if (w->filling->n_rows == BLOCK_ROWS)
    hand_over (w, FALSE);
  w->filling->rows[w->filling->n_rows++] = *row;
}

void
bn_row_writer_may_commit (BnRowWriter *w)
{
  if (w->filling->n_rows >= BLOCK_ROWS / 2)
    hand_over (w, TRUE);
}

gboolean
bn_row_writer_failed (const BnRowWriter *w)
{
  return g_atomic_int_get (&w->failed);
}

int
bn_row_writer_finish (BnRowWriter *w, char **message)
{
  hand_over (w, FALSE);
  bn_work_queue_close (w->queue, FALSE);
  g_thread_join (w->thread);
  int rc = w->rc;
  *message = w->message;
  bn_work_queue_free (w->queue);
  sem_destroy (&w->room);
  g_free (w->filling);
  g_free (w);
  return rc;
}
