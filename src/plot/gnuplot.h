/* gnuplot.h: runs a gnuplot script with settings, without a shell.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_GNUPLOT_H
#define BN_GNUPLOT_H

#include <glib.h>

/* Settings under construction: gnuplot statements, run before the script. */
typedef struct BnGnuplot BnGnuplot;

/* NULL with `error` set where there is no gnuplot. */
BnGnuplot *bn_gnuplot_new (GError **error);
void bn_gnuplot_free (BnGnuplot *gnuplot);

/* name = value. Text is quoted; line ends in it become blanks. */
void bn_gnuplot_set_text (BnGnuplot *gnuplot, const char *name, const char *value);
void bn_gnuplot_set_number (BnGnuplot *gnuplot, const char *name, double value);

/* An array with n >= 1 elements: begin, then n times add_text or add_number. */
void bn_gnuplot_begin_array (BnGnuplot *gnuplot, const char *name);
void bn_gnuplot_add_text (BnGnuplot *gnuplot, const char *value);
void bn_gnuplot_add_number (BnGnuplot *gnuplot, gint64 value);
void bn_gnuplot_end_array (BnGnuplot *gnuplot);

/* Runs `script` after the settings. FALSE with `error` set to what gnuplot said
 * where it fails. */
gboolean bn_gnuplot_run (BnGnuplot *gnuplot, const char *script, GError **error);

#endif
