/* trace_fit.h: the simplest process whose arrivals are like those of a trace.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Arrivals are measured in one pass and memory that does not grow with them: rate, coefficient of variation of the
 * gaps, ties, autocorrelation, and how much counts vary from window to window. The process has the rate and variation
 * that were measured (moments). It is the first of these that fits:
 *   uniform     the variation is below BN_FIT_UNIFORM_CV
 *   correlated  the autocorrelation at lag 1 is not 0: further from it than BN_FIT_ERRORS standard errors of
 *               independent gaps and than BN_FIT_CORRELATION. It is met at lag 1; the decay is that of least squares
 *               over the other lags, in the correlations of the normals that gaps are made of (correlated_gaps.h),
 *               where it is a plain power; what has the wrong sign there counts as 0. Over all lags it must come
 *               nearer to what was measured than independent gaps do
 *   poisson     the variation is 1: nearer to it than BN_FIT_ERRORS standard errors of it, or BN_FIT_VARIATION
 *   gamma       else
 * What the process really has is then measured, in the same way, on arrivals that it generates.
 */
#ifndef BN_TRACE_FIT_H
#define BN_TRACE_FIT_H

#include "arrivals.h"
#include "trace_profile.h"

#define BN_FIT_UNIFORM_CV 0.01
#define BN_FIT_ERRORS 3.0
#define BN_FIT_CORRELATION 0.02   /* absolute */
#define BN_FIT_VARIATION 0.02     /* absolute */

/* Lags at which the autocorrelation is measured. */
#define BN_FIT_LAGS 7
extern const uint32_t bn_fit_lags[BN_FIT_LAGS];

/* Each NaN where it is not known. Standard errors are those of independent gaps: as many as there are, or as many as
 * would have a mean as uncertain as that of the windows' counts, if that is less. */
typedef struct BnFigure
{
  double value, error;
} BnFigure;

typedef struct BnFitFigures
{
  int64_t n_arrivals;
  BnFigure rate_per_s;
  BnFigure cv;                 /* of the gaps                                          */
  BnFigure ties;               /* share of the gaps that are 0                         */
  BnFigure at[BN_FIT_LAGS];    /* autocorrelation of the gaps, at lags with four times as many gaps, unless they
                                  hardly vary: a cv below BN_FIT_UNIFORM_CV */
  BnDuration window_ns;
  BnFigure counts_cv;          /* coefficient of variation of the counts in windows of window_ns, of 16 or more */
} BnFitFigures;

typedef struct BnTraceFit BnTraceFit;

BnTraceFit *bn_trace_fit_new (void);
void bn_trace_fit_free (BnTraceFit *fit);

/* Arrivals in order of time. */
void bn_trace_fit_add (BnTraceFit *fit, BnTime time_ns);

/* What was measured. Windows are as long as makes 64 to 128 of them. */
BnFitFigures bn_trace_fit_figures (const BnTraceFit *fit);

/* Sets what a process is to *process: kind, rate, cv, autocorrelation and decay, rounded as they are printed.
 * FALSE with `error` set, which does not name the trace, where there are less than three arrivals or all come at one
 * time. */
gboolean bn_trace_fit_choose (const BnFitFigures *figures, BnArrivalsConfig *process, GError **error);

/* What arrivals of the process have: as many as `like` has, but at least 100,000 and at most 1,000,000, and windows as
 * long. A second at the most. */
BnFitFigures bn_trace_fit_of_process (const BnArrivalsConfig *process, const BnFitFigures *like, uint64_t seed);

#endif
