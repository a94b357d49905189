/* plot.h: the pictures of a results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Every picture is a gnuplot script in plots/ and a query of the database's views.
 * The query's rows are left as NAME.csv beside NAME.svg (png, pdf), so that each
 * number of a picture can be read. Runs with the same variant are drawn together.
 * Which runs are drawn is chosen once for all pictures; their numbers then stand in
 * the temporary table `drawn` of the reader's connection.
 */
#ifndef BN_PLOT_H
#define BN_PLOT_H

#include <stdio.h>

#include "bn.h"
#include "gnuplot.h"
#include "reader.h"

typedef struct BnPlotRequest
{
  const char *dir;      /* made where it is missing                                  */
  const char *format;   /* a name of bn_plot_formats                                 */
  const char *only;     /* a name of bn_plots, or NULL: all                          */
  gint64 run;           /* 0: all chosen, and for a picture of one run the first     */
  BnTime from_ns, to_ns; /* window of the timeline; from_ns BN_TIME_NEVER: chosen    */

  /* of pictures of several scenarios; NULL: chosen */
  const char *name;      /* of the files made; NULL: the picture's                   */
  const char *x, *by;    /* varied keys, `by` between commas                         */
  const char *y;         /* metrics between commas                                   */
  const char *ratio_to;  /* a variant                                                */
  double stable_limit;   /* bars: see BnRatioRequest                                 */
  gboolean log_scale;
} BnPlotRequest;

typedef struct BnPlot
{
  const char *name;
  const char *summary;
  BnReaderNeeds needs;
  gboolean one_run;               /* request->run is never 0 when it is prepared        */
  gboolean of_cells;              /* of several scenarios; the others are of one        */
  gboolean of_plans;              /* of what a plan found; alone drawn of a file with a plan */
  gboolean of_replays;            /* of runs and their simulations (runs.replay_of)     */
  /* Writes the CSV and the settings that the script needs beyond those all need.
     *n_rows 0: there is nothing to draw. */
  gboolean (*prepare) (const struct BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                       BnGnuplot *gnuplot, gint64 *n_rows, GError **error);
  const char *over_seeds;         /* what is made of several seeds, for the caption     */
  const char *rows_sql;           /* of a plot over runs, those in `drawn`              */
  const char *arrays[3];          /* names of gnuplot arrays                            */
  const char *array_sql[3];       /* one column each                                    */
} BnPlot;

extern const BnPlot bn_plots[];
extern const guint bn_n_plots;

/* What a picture can be: "svg", "png", "pdf"; NULL-terminated. */
extern const char *const bn_plot_formats[];

/* The picture of one plot's name, or NULL with `error` set. */
const BnPlot *bn_plot_find (const char *name, GError **error);

/* Chooses what is drawn: run `run` (0: all), and of it what `schedulers` names
 * (NULL: all), a list as in a scenario: variants, or schedulers with all their
 * variants where no variant has that very name. Called once a reader. */
gboolean bn_plot_choose_runs (BnReader *reader, gint64 run, const char *schedulers, GError **error);

/* Leaves out of the runs chosen those that do not meet the conditions (where.h). */
gboolean bn_plot_narrow_runs (BnReader *reader, const char *const *conditions, GError **error);

/* Draws `plot`. Adds the files it made to `made` (element-type filename). *drawn
 * is FALSE, and nothing is made, where the file has nothing to draw. */
gboolean bn_plot_draw (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, GPtrArray *made,
                       gboolean *drawn, GError **error);

/* ---- between plot.c and its neighbours ---- */

/* The prepare of every plot that is one query over runs. */
gboolean bn_plot_prepare_query (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                                BnGnuplot *gnuplot, gint64 *n_rows, GError **error);

/* The prepare of the timeline. */
gboolean bn_plot_prepare_gantt (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                                BnGnuplot *gnuplot, gint64 *n_rows, GError **error);

/* The same of a run and its simulation, one above the other. */
gboolean bn_plot_prepare_gantt_both (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                                     BnGnuplot *gnuplot, gint64 *n_rows, GError **error);

/* The prepare of the pictures of several scenarios. */
gboolean bn_plot_prepare_sweep (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                                BnGnuplot *gnuplot, gint64 *n_rows, GError **error);
gboolean bn_plot_prepare_bars (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                               BnGnuplot *gnuplot, gint64 *n_rows, GError **error);

/* The prepare of the picture of a plan. */
gboolean bn_plot_prepare_plan (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                               BnGnuplot *gnuplot, gint64 *n_rows, GError **error);

/* The window of the timeline of a run that nobody asked for: about as wide as can
 * be read, and where the run loads and evicts most; the first of several. */
gboolean bn_plot_choose_window (BnReader *reader, gint64 run, gint64 n_workers, BnTime *from_ns, BnTime *to_ns,
                                GError **error);

/* Sets `caption` and `source`: what was run (run 0: all that is drawn), and with
 * which program. `over_seeds` is said where there are several. */
gboolean bn_plot_set_caption (BnReader *reader, gint64 run, const char *over_seeds, BnGnuplot *gnuplot,
                              GError **error);

#endif
