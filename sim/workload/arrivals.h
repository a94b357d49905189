/* arrivals.h: when which workflow arrives where, one at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A stream of jobs in order of time. Its memory does not grow with its length, but for
 * a resampled trace: 24 bytes a row.
 * Three random streams of the run's seed feed it (`arrivals`, `workflows`,
 * `ingress`), so the same seed gives every scheduler the same jobs, and changing
 * the mix leaves the times as they were.
 *
 * Processes (rate = jobs per second):
 *   poisson  exponential gaps of mean 1/rate
 *   uniform  a gap of exactly 1/rate
 *   gamma    gaps of mean 1/rate and coefficient of variation `cv`
 *   correlated
 *            the same, each hanging together with those before it (correlated_gaps.h)
 *   onoff    two states with exponential stays of mean `on` and `off`; Poisson
 *            with rate * (on + off) / on while on, silent while off; starts on
 *            with probability on / (on + off), so that it is stationary
 *   trace    a file of arrivals, see below
 *   list     jobs that somebody has in memory: those of a recorded run
 * The rate of any but the last two may change over time (rate_shape.h): `rate` is then multiplied by the
 * shape's, and `on` and `off`, as gaps, are lengths of operational time.
 * The first job of the first four comes one gap after 0. Times are summed in
 * double seconds and each is rounded to nanoseconds by itself, so rounding does
 * not add up; `uniform` multiplies instead of adding.
 *
 * A trace is a CSV file with a header. One column holds the time, in a stated
 * unit and not falling; one may name the workflow and one the ingress worker
 * (both are drawn as above where the column is not named). Quoted fields, CRLF,
 * a BOM and a missing last line end are accepted. Or it is of a public format
 * (readers/trace_import.h), which says what is where; rules may then say which workflow a
 * row becomes (workflow_map.h). As it is, a trace is the same for
 * every seed; resampled, it is another one for each: blocks of its gaps, with the rows
 * that they lead to, drawn by the stream `arrivals` (sim/stat/bootstrap.h).
 */
#ifndef BN_ARRIVALS_H
#define BN_ARRIVALS_H

#include <gio/gio.h>

#include "rate_shape.h"
#include "workflow.h"

typedef enum
{
  BN_ARRIVALS_POISSON,
  BN_ARRIVALS_UNIFORM,
  BN_ARRIVALS_GAMMA,
  BN_ARRIVALS_CORRELATED,
  BN_ARRIVALS_ONOFF,
  BN_ARRIVALS_TRACE,
  BN_ARRIVALS_LIST
} BnArrivalsKind;

typedef struct BnJobSpec
{
  BnTime create_ns;
  uint32_t workflow;
  int32_t ingress;
  double factor;   /* all its true runtimes are multiplied by it, beside noise; 0 says nothing: 1 */
} BnJobSpec;

static inline double
bn_job_spec_factor (const BnJobSpec *spec)
{
  return spec->factor > 0 ? spec->factor : 1;
}

typedef struct BnArrivalsConfig
{
  BnArrivalsKind kind;
  double rate_per_s;          /* > 0; unused for TRACE and LIST      */
  double cv;                  /* > 0; GAMMA and CORRELATED           */
  double autocorrelation;     /* CORRELATED: of the gaps, at lag 1   */
  double autocorr_decay;      /* CORRELATED: within (0, 1)           */
  BnDuration on_ns, off_ns;   /* > 0; ONOFF                          */
  BnRateShape shape;          /* of the rate; unused for TRACE and LIST */
  const char *trace_path;     /* TRACE                               */
  const char *time_column;    /* header of the time column           */
  BnDuration time_unit_ns;    /* what 1 in that column means         */
  const char *trace_format;   /* TRACE: a name of readers/trace_format.h, "" for what the content says;
                                 NULL: CSV, read by the columns that follow */
  const char *trace_map;      /* with a format: of readers/row_reader.h, or NULL */
  bool trace_sort;            /* with a format: rows are put in order of time */
  const char *workflow_column; /* or NULL                            */
  const char *workflow_rules;  /* of workflow_map.h: from that column's texts; NULL: they are names */
  const char *ingress_column;  /* or NULL                            */
  const char *factor_rule;     /* of linear_rule.h, for BnJobSpec.factor; NULL: none */
  double time_scale;          /* times are multiplied by it; 1 = as they are */
  double trace_block;         /* >= 1: resampled in blocks of so many gaps on average; 0: not */
  const double *weights;      /* [catalogue->n_workflows], >= 0, sum > 0     */
  int64_t max_jobs;           /* stop after so many; INT64_MAX       */
  BnTime until_ns;            /* no job is created at or after it; BN_TIME_NEVER */
  uint32_t n_workers;         /* ingress is uniform on 0 .. n-1      */
  uint64_t seed;
  const BnJobSpec *jobs;      /* LIST: [n_listed], borrowed, in order of time */
  int64_t n_listed;           /* LIST; limits are not used, weights only by those
                                 who want to know the mix                    */
} BnArrivalsConfig;

typedef enum
{
  BN_ARRIVALS_JOB,   /* *spec is filled                         */
  BN_ARRIVALS_END,   /* no more, now or later                   */
  BN_ARRIVALS_ERROR  /* *error is set: the trace broke off, the next job would come
                        after BN_ARRIVALS_LAST_NS, or `until` is before the first job */
} BnArrivalsStatus;

/* What a rule may give: runtimes are bounded, and so is their product with it. */
#define BN_ARRIVALS_MIN_FACTOR 1e-6
#define BN_ARRIVALS_MAX_FACTOR 100

/* Half the clock, 146 years: what jobs then do still has times. */
#define BN_ARRIVALS_LAST_NS (BN_TIME_NEVER / 2)

typedef struct BnArrivals BnArrivals;

/* `config` is copied, its strings and weights included; `catalogue` is borrowed
 * and must outlive the stream. NULL with `error` set when the trace cannot be
 * opened or its header lacks a named column. A stream that has ended or failed
 * says so again at every further call. */
BnArrivals *bn_arrivals_new (const BnArrivalsConfig *config, const BnCatalogue *catalogue, GError **error);
BnArrivalsStatus bn_arrivals_next (BnArrivals *arrivals, BnJobSpec *spec, GError **error);
void bn_arrivals_free (BnArrivals *arrivals);

/* What a trace holds, read once before anything is written: so that a bad row is
 * an error before the run and not in the middle of it. */
typedef struct BnTraceSummary
{
  int64_t n_rows;             /* that become jobs: within max_jobs and before until_ns */
  BnTime first_ns, last_ns;   /* of those, after scaling               */
  double mean_factor;         /* of their runtimes; 1 without a rule   */
  char sha256[65];            /* of all of the file's bytes, hexadecimal */
  int64_t n_skipped;          /* well formed, but no arrivals, in all the file */
  const char *skipped;        /* why the first of them is none, constant; NULL without any */
  uint32_t skipped_line;      /* its line                              */
  gboolean more_files;        /* it is the first of an archive: others are not read */
} BnTraceSummary;

/* Reads all of the trace of `config` (kind TRACE), rows beyond the limits too.
 * Counts the rows that become jobs in rows_by_workflow[catalogue->n_workflows] by
 * what they name; all stay 0 without that column. FALSE with FILE:LINE and what
 * to do for a trace that gives no job, an unsorted one, a bad number or NaN, an
 * unknown workflow, an ingress that is not a worker, a wrong number of fields or
 * a line longer than 1 MiB. */
gboolean bn_arrivals_scan_trace (const BnArrivalsConfig *config, const BnCatalogue *catalogue,
                                 BnTraceSummary *summary, int64_t *rows_by_workflow, GError **error);

/* Sets *ret to the block length for resampling the trace of `config`, a whole number >= 1,
 * by the ranks of its gaps (bn_bootstrap_block_length): in the gaps themselves a few long
 * silences, which are most of the variance, hide that short gaps go with short ones.
 * Workflows and ingresses that hang together for longer are not seen. FALSE with `error` set as above. */
gboolean bn_arrivals_block_length (const BnArrivalsConfig *config, const BnCatalogue *catalogue, double *ret,
                                   GError **error);

#endif
