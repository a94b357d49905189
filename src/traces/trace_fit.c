/* trace_fit.c: the simplest process whose arrivals are like those of a trace.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_fit.h"

#include <math.h>

#include "autocorrelation.h"
#include "catalogue.h"
#include "correlated_gaps.h"
#include "fmath.h"
#include "input_error.h"

const uint32_t bn_fit_lags[BN_FIT_LAGS] = { 1, 2, 5, 10, 20, 50, 100 };

/* Gaps for each gap of lag, less than which its autocorrelation is not given. */
#define GAPS_PER_LAG 4

/* Windows without which nothing is said of counts. */
#define LEAST_WINDOWS 16

/* What [workload] takes. */
#define LEAST_CV 1e-3
#define GREATEST_CV 100

#define LEAST_DECAY 1e-3

/* Beyond it a decay cannot be told from these lags, and is printed as 1. */
#define GREATEST_DECAY 0.9999

/* Decays that are tried, and digits that are kept: of a rate, of all else. */
#define N_DECAYS 2000
#define RATE_DIGITS "%.6g"
#define DIGITS "%.4g"

#define LEAST_GENERATED 100000
#define MOST_GENERATED 1000000

struct BnTraceFit
{
  BnTraceProfile *profile;
  BnAutocorrelation *gaps;     /* seconds */
  BnDuration window_ns;        /* of the following; 0: the profile's windows count */
  BnTime window_end_ns;
  int64_t in_window, n_windows;
  double counts, squares;      /* sums over whole windows */
};

static BnTraceFit *
new_with_windows (BnDuration window_ns)
{
  BnTraceFit *fit = g_new0 (BnTraceFit, 1);

  fit->profile = bn_trace_profile_new (0);
  fit->gaps = bn_autocorrelation_new (bn_fit_lags, BN_FIT_LAGS);
  fit->window_ns = window_ns;
  return fit;
}

BnTraceFit *
bn_trace_fit_new (void)
{
  return new_with_windows (0);
}

void
bn_trace_fit_free (BnTraceFit *fit)
{
  if (fit == NULL)
    return;
  bn_trace_profile_free (fit->profile);
  bn_autocorrelation_free (fit->gaps);
  g_free (fit);
}

static void
end_window (BnTraceFit *fit, double count)
{
  fit->n_windows++;
  fit->counts += count;
  fit->squares += count * count;
}

/* Windows begin with the first arrival. */
static void
count_in_window (BnTraceFit *fit, BnTime time_ns)
{
  if (fit->profile->n_rows == 0)
    fit->window_end_ns = time_ns + fit->window_ns;
  for (; time_ns >= fit->window_end_ns; fit->window_end_ns += fit->window_ns)
    {
      end_window (fit, (double) fit->in_window);
      fit->in_window = 0;
    }
  fit->in_window++;
}

void
bn_trace_fit_add (BnTraceFit *fit, BnTime time_ns)
{
  BnImportRow row = { .time_ns = time_ns, .duration_ns = -1 };

  if (fit->window_ns > 0)
    count_in_window (fit, time_ns);
  if (fit->profile->n_rows > 0)
    bn_autocorrelation_add (fit->gaps, (double) (time_ns - fit->profile->last_ns) / BN_NS_PER_S);
  bn_trace_profile_add (fit->profile, &row);
}

static BnFigure
counts_figure (const BnTraceFit *fit)
{
  double n = (double) fit->n_windows, mean = fit->counts / n;

  if (fit->n_windows < LEAST_WINDOWS)
    return (BnFigure) { NAN, NAN };
  double cv = sqrt (fmax (fit->squares - mean * fit->counts, 0) / (n - 1)) / mean;
  return (BnFigure) { cv, cv / sqrt (2 * n) };
}

/* The last window of the profile is not over. */
static BnFigure
profile_counts_figure (const BnTraceProfile *p)
{
  BnTraceFit whole = { 0 };
  int64_t n_windows = (p->last_ns - p->first_ns) / p->window_ns;

  for (int64_t i = 0; i < n_windows; i++)
    end_window (&whole, (double) p->windows[i]);
  return counts_figure (&whole);
}

/* Of n independent gammas of mean 1, by the delta method from their first four moments: the standard error of their
 * coefficient of variation. 1 / sqrt (n) for exponentials. */
static double
error_of_cv (double cv, double n)
{
  return cv * sqrt ((1 + cv * cv) / (2 * n));
}

BnFitFigures
bn_trace_fit_figures (const BnTraceFit *fit)
{
  const BnTraceProfile *p = fit->profile;
  int64_t n_windows = fit->window_ns > 0 ? fit->n_windows : (p->last_ns - p->first_ns) / p->window_ns;
  double n_gaps = (double) (p->n_rows - 1), rate = bn_trace_profile_rate_per_s (p), cv = bn_trace_profile_cv (p);
  double ties = (double) p->n_ties / n_gaps, uncertainty = 1;
  BnFitFigures f = {
    .n_arrivals = p->n_rows,
    .rate_per_s = { rate, rate * cv / sqrt (n_gaps) },
    .cv = { cv, error_of_cv (cv, n_gaps) },
    .ties = { ties, sqrt (ties * (1 - ties) / n_gaps) },
    .window_ns = fit->window_ns > 0 ? fit->window_ns : p->window_ns,
    .counts_cv = fit->window_ns > 0 ? counts_figure (fit) : profile_counts_figure (p),
  };

  if (isfinite (f.counts_cv.value) && cv >= BN_FIT_UNIFORM_CV)
    uncertainty = fmax (f.counts_cv.value / sqrt ((double) n_windows) / (cv / sqrt (n_gaps)), 1);
  f.rate_per_s.error *= uncertainty;
  f.cv.error *= uncertainty;
  f.ties.error *= uncertainty;
  for (uint32_t i = 0; i < BN_FIT_LAGS; i++)
    {
      gboolean enough = cv >= BN_FIT_UNIFORM_CV && n_gaps >= (double) GAPS_PER_LAG * bn_fit_lags[i];
      f.at[i].value = enough ? bn_autocorrelation_at (fit->gaps, i) : NAN;
      f.at[i].error = enough ? uncertainty / sqrt (n_gaps) : NAN;
    }
  return f;
}

/* ---- which process ---- */

static double
rounded (double value, const char *digits)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, digits, value), NULL);
}

/* Distances of the normals' correlations (in absolute value) at all lags but the first from those of a process that has
 * that of the first. */
static double
squares_off (double decay, const double *normals)
{
  double sum = 0;

  for (uint32_t i = 1; i < BN_FIT_LAGS; i++)
    if (isfinite (normals[i]))
      {
        double off = normals[0] * bn_exp ((bn_fit_lags[i] - 1) * bn_log (decay)) - normals[i];
        sum += off * off;
      }
  return sum;
}

/* From the least decay that lag 1 allows up, ever nearer to 1. */
static double
best_decay (const double *normals)
{
  double least = CLAMP (normals[0], LEAST_DECAY, GREATEST_DECAY), best = least, fewest = squares_off (best, normals);
  double step = bn_log ((1 - GREATEST_DECAY) / (1 - least)) / N_DECAYS;

  for (int i = 1; i <= N_DECAYS; i++)
    {
      double decay = 1 - (1 - least) * bn_exp (i * step), squares = squares_off (decay, normals);
      if (squares < fewest)
        {
          fewest = squares;
          best = decay;
        }
    }
  return best;
}

/* The sign of the autocorrelation at a lag: a negative one alternates. */
static double
sign_at (const BnFitFigures *f, uint32_t i)
{
  return f->at[0].value < 0 && bn_fit_lags[i] % 2 == 1 ? -1 : 1;
}

/* Whether gaps made of normals with such correlations come nearer to what was measured than independent ones. */
static gboolean
is_nearer (const BnFitFigures *f, const BnGapCorrelation *correlation, double normal, double decay)
{
  double without = 0, with = 0;

  for (uint32_t i = 0; i < BN_FIT_LAGS; i++)
    if (isfinite (f->at[i].value))
      {
        double r = sign_at (f, i) * normal * bn_exp ((bn_fit_lags[i] - 1) * bn_log (decay));
        double off = bn_gap_correlation_of_normals (correlation, r) - f->at[i].value;
        with += off * off;
        without += f->at[i].value * f->at[i].value;
      }
  return with < without;
}

/* Makes the process a correlated one if that is nearer. */
static void
fit_correlation (const BnFitFigures *f, BnArrivalsConfig *process)
{
  BnGapCorrelation *correlation = bn_gap_correlation_new (process->cv);
  double normals[BN_FIT_LAGS], low, high;

  for (uint32_t i = 0; i < BN_FIT_LAGS; i++)
    {
      double sign = sign_at (f, i), value = f->at[i].value;
      normals[i] = isnan (value) ? NAN
                   : sign * value <= 0 ? 0 : sign * bn_gap_correlation_to_normals (correlation, value);
    }
  double decay = rounded (best_decay (normals), DIGITS);
  bn_gap_correlation_range (correlation, decay, &low, &high);
  double value = CLAMP (rounded (f->at[0].value, DIGITS), low, high);
  if (is_nearer (f, correlation, fmin (normals[0], decay), decay))
    {
      process->kind = BN_ARRIVALS_CORRELATED;
      process->autocorr_decay = decay;
      /* towards 0 where rounding leaves the range */
      process->autocorrelation = value == low || value == high ? trunc (value * 10000) / 10000 : value;
    }
  bn_gap_correlation_free (correlation);
}

gboolean
bn_trace_fit_choose (const BnFitFigures *figures, BnArrivalsConfig *process, GError **error)
{
  const BnFitFigures *f = figures;
  double cv = f->cv.value, first = f->at[0].value, n_gaps = (double) (f->n_arrivals - 1);

  if (f->n_arrivals < 3)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "gives less than three arrivals; a process is fitted to three or better to a thousand");
  if (isnan (f->rate_per_s.value))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "gives %" G_GINT64_FORMAT " arrivals at one time, which no process does; give more of the"
                          " trace", f->n_arrivals);
  *process = (BnArrivalsConfig) {
    .kind = BN_ARRIVALS_GAMMA,
    .rate_per_s = CLAMP (rounded (f->rate_per_s.value, RATE_DIGITS), 1e-9, 1e9),
    .cv = CLAMP (rounded (cv, DIGITS), LEAST_CV, GREATEST_CV),
  };
  if (cv < BN_FIT_UNIFORM_CV)
    process->kind = BN_ARRIVALS_UNIFORM;
  else if (fabs (cv - 1) <= fmax (BN_FIT_ERRORS * error_of_cv (1, n_gaps), BN_FIT_VARIATION))
    process->kind = BN_ARRIVALS_POISSON;
  if (process->kind != BN_ARRIVALS_UNIFORM && isfinite (first)
      && fabs (first) > fmax (BN_FIT_ERRORS / sqrt (n_gaps), BN_FIT_CORRELATION))
    fit_correlation (f, process);
  return TRUE;
}

/* ---- what it has ---- */

static BnCatalogue *
one_workflow (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();

  bn_catalogue_builder_add_workflow (b, "job");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, BN_NS_PER_S, NULL, 0);
  return bn_catalogue_builder_finish (b, NULL);
}

BnFitFigures
bn_trace_fit_of_process (const BnArrivalsConfig *process, const BnFitFigures *like, uint64_t seed)
{
  static const double weight = 1;
  BnArrivalsConfig config = *process;
  BnCatalogue *catalogue = one_workflow ();
  BnTraceFit *fit = new_with_windows (like->window_ns);
  BnJobSpec job;

  config.weights = &weight;
  config.n_workers = 1;
  config.seed = seed;
  config.max_jobs = CLAMP (like->n_arrivals, LEAST_GENERATED, MOST_GENERATED);
  config.until_ns = BN_ARRIVALS_LAST_NS;
  BnArrivals *arrivals = bn_arrivals_new (&config, catalogue, NULL);
  while (bn_arrivals_next (arrivals, &job, NULL) == BN_ARRIVALS_JOB)
    bn_trace_fit_add (fit, job.create_ns);
  BnFitFigures figures = bn_trace_fit_figures (fit);
  bn_arrivals_free (arrivals);
  bn_trace_fit_free (fit);
  bn_catalogue_free (catalogue);
  return figures;
}
