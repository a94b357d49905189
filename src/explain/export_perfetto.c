/* export_perfetto.c: a run as a trace that Perfetto shows.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Slices of one track must not overlap, so what overlaps is dealt to lanes, each a
 * track of its own.
 */
#include <inttypes.h>
#include <string.h>

#include "export.h"
#include "lanes.h"
#include "textout.h"

/* Tracks of a worker, in the order in which they are shown. */
enum
{
  TRACK_EXECUTE,
  TRACK_MEMORY,
  TRACK_INPUT,
  N_TRACKS
};

#define LANES_OF_A_TRACK 10000

static const char *const track_names[N_TRACKS] = { "execute", "load and evict", "inputs" };

static const char slices_sql[]
  = "SELECT worker, CASE kind WHEN 'execute' THEN 0 ELSE 1 END AS track, start_ns, end_ns, kind, workflow, label,"
    " model, job_id, NULL AS from_worker, NULL AS bytes, task, 0 AS seq FROM v_gantt WHERE run_id = ?1"
    " UNION ALL "
    "SELECT x.to_worker, 2, x.start_ns, x.end_ns, 'transfer', w.name, s.label, NULL, x.job_id, x.from_worker,"
    " x.bytes, x.task, x.transfer FROM transfers x JOIN jobs j USING (run_id, job_id)"
    " JOIN workflows w ON w.run_id = x.run_id AND w.workflow = j.workflow"
    " JOIN workflow_tasks s ON s.run_id = x.run_id AND s.workflow = j.workflow AND s.task = x.task"
    " WHERE x.run_id = ?1 AND x.end_ns > x.start_ns"
    " ORDER BY 1, 2, 3, 4, job_id, task, seq, kind";

typedef struct Slice
{
  gint64 worker, start_ns, end_ns, job_id, from_worker, bytes;
  int track;
  gboolean for_job, from_outside;
  const char *kind, *workflow, *label, *model;
} Slice;

typedef struct Writer
{
  FILE *file;
  gboolean any;
  BnLanes *lanes;  /* of the track being written */
} Writer;

static void
begin_event (Writer *w)
{
  fputs (w->any ? ",\n" : "\n", w->file);
  w->any = TRUE;
}

/* pid 0 has a meaning of its own to the readers, so workers count from 1 there. */
static void
write_name (Writer *w, const char *what, gint64 pid, gint64 tid, const char *name, gint64 number)
{
  begin_event (w);
  fprintf (w->file, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" G_GINT64_FORMAT, what, pid);
  if (tid >= 0)
    fprintf (w->file, ",\"tid\":%" G_GINT64_FORMAT, tid);
  fprintf (w->file, ",\"args\":{\"name\":\"%s", name);
  if (number > 0)
    fprintf (w->file, " %" G_GINT64_FORMAT, number - 1);
  fputs ("\"}}", w->file);
}

/* A lane is named when it is first used. */
static guint
take_lane (Writer *w, const Slice *s)
{
  guint known = bn_lanes_count (w->lanes);
  guint lane = bn_lanes_take (w->lanes, s->start_ns, s->end_ns);

  if (lane == known)
    write_name (w, "thread_name", s->worker + 1, s->track * LANES_OF_A_TRACK + lane, track_names[s->track],
                lane == 0 ? 0 : lane + 2);
  return lane;
}

static void
write_slice (Writer *w, const Slice *s)
{
  guint lane = take_lane (w, s);
  char *name = s->track == TRACK_MEMORY ? g_strdup_printf ("%s %s", s->kind, s->model)
                                        : g_strdup_printf ("%s/%s", s->workflow, s->label);

  begin_event (w);
  fputs ("{\"ph\":\"X\",\"name\":", w->file);
  bn_write_json (w->file, name);
  fprintf (w->file, ",\"cat\":\"%s\",\"pid\":%" G_GINT64_FORMAT ",\"tid\":%u,\"ts\":", s->kind, s->worker + 1,
           s->track * LANES_OF_A_TRACK + lane);
  bn_write_us (w->file, s->start_ns);
  fputs (",\"dur\":", w->file);
  bn_write_us (w->file, s->end_ns - s->start_ns);
  fputs (",\"args\":{\"model\":", w->file);
  bn_write_json (w->file, s->model);
  if (s->for_job)
    {
      fprintf (w->file, ",\"job\":%" G_GINT64_FORMAT ",\"workflow\":", s->job_id);
      bn_write_json (w->file, s->workflow);
      fputs (",\"task\":", w->file);
      bn_write_json (w->file, s->label);
    }
  if (s->track == TRACK_INPUT && s->from_outside)
    fputs (",\"from\":\"client\"", w->file);
  else if (s->track == TRACK_INPUT)
    fprintf (w->file, ",\"from\":\"worker %" G_GINT64_FORMAT "\"", s->from_worker);
  if (s->track == TRACK_INPUT)
    fprintf (w->file, ",\"bytes\":%" G_GINT64_FORMAT, s->bytes);
  fputs ("}}", w->file);
  g_free (name);
}

static Slice
read_slice (sqlite3_stmt *stmt)
{
  return (Slice) {
    .worker = sqlite3_column_int64 (stmt, 0),
    .track = sqlite3_column_int (stmt, 1),
    .start_ns = sqlite3_column_int64 (stmt, 2),
    .end_ns = sqlite3_column_int64 (stmt, 3),
    .kind = (const char *) sqlite3_column_text (stmt, 4),
    .workflow = (const char *) sqlite3_column_text (stmt, 5),
    .label = (const char *) sqlite3_column_text (stmt, 6),
    .model = (const char *) sqlite3_column_text (stmt, 7),
    .for_job = sqlite3_column_type (stmt, 8) != SQLITE_NULL,
    .job_id = sqlite3_column_int64 (stmt, 8),
    .from_outside = sqlite3_column_type (stmt, 9) == SQLITE_NULL,
    .from_worker = sqlite3_column_int64 (stmt, 9),
    .bytes = sqlite3_column_int64 (stmt, 10),
  };
}

gboolean
bn_export_perfetto (BnReader *reader, gint64 run, FILE *file, GError **error)
{
  GError *failure = NULL;
  gint64 worker = -1;
  int track = -1;
  Writer w = { .file = file };
  sqlite3_stmt *stmt = bn_reader_query (reader, slices_sql, run, 0, error);

  if (stmt == NULL)
    return FALSE;
  w.lanes = bn_lanes_new ();
  fputs ("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", file);
  while (bn_reader_step (reader, stmt, &failure))
    {
      Slice s = read_slice (stmt);

      if (s.worker != worker)
        write_name (&w, "process_name", s.worker + 1, -1, "worker", s.worker + 1);
      if (s.worker != worker || s.track != track)
        bn_lanes_clear (w.lanes);
      worker = s.worker;
      track = s.track;
      write_slice (&w, &s);
    }
  fputs ("\n]}\n", file);
  bn_lanes_free (w.lanes);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
