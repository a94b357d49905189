/* profile.h: what `binnacle calibrate` measured of a machine, as a file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A key file. [profile] holds the machine's constants, [task WORKFLOW/LABEL] how long
 * each task of the catalogue ran. It lies over a scenario of the same scale: runtimes
 * take the place of the catalogue's for schedulers and the model, load times that of the
 * servers' PCIe, spreads that of the scenario's noise; servers' speeds and runtimes
 * stated for GPU types mean nothing beside a measurement. What a real backend computes
 * stays as it is.
 */
#ifndef BN_PROFILE_H
#define BN_PROFILE_H

#include <glib.h>

#include "measured.h"
#include "workflow.h"

/* The greatest coefficient of variation that a profile may have. */
#define BN_PROFILE_MAX_CV 100.0

typedef struct BnProfileTask
{
  char *name;               /* workflow/label                              */
  BnDuration runtime_ns;    /* median, its model in use before             */
  double cv;                /* of its runs                                 */
  BnDuration cold_ns;       /* median of the first run after a load        */
} BnProfileTask;

typedef struct BnProfile
{
  char *path;               /* as given, for messages                      */
  char *text;               /* the file as it is                           */
  char *backend;            /* that was measured                           */
  int64_t scale_ppm;        /* of the catalogue                            */
  BnMeasured machine;       /* without what is of tasks, and `paced`       */
  /* for a reader: */
  BnDuration launch_ns;     /* of a task that computes next to nothing: every runtime has it in it */
  BnDuration timer_ns;      /* by how much timers are late                 */
  BnDuration decision_ns;   /* a scheduler's hook                          */
  double steal;             /* share of the machine's time taken by others meanwhile */
  GPtrArray *tasks;         /* (element-type BnProfileTask)                */
} BnProfile;

/* NULL with `error` set: FILE:LINE, what is wrong, what to do. Returns: (transfer full). */
BnProfile *bn_profile_read (const char *path, GError **error);
/* The same from memory; `name` stands for the file in messages. */
BnProfile *bn_profile_parse (const char *text, const char *name, GError **error);
/* One to be filled in. Returns: (transfer full). */
BnProfile *bn_profile_new (const char *backend, int64_t scale_ppm);
void bn_profile_free (BnProfile *profile);

/* The text of a profile under construction: `path` and `text` are not used; `head` is a
 * comment, whole lines without #. Reads back to the same. Returns: (transfer full). */
char *bn_profile_format (const BnProfile *profile, const char *head);

/* Whether one may be written there: the folder takes files, and what is there already is a profile, which is
 * only replaced with `replace`. FALSE with `error` set. Nothing is changed. */
gboolean bn_profile_may_write (const char *path, gboolean replace, GError **error);

/* FALSE with `error` set where it is of another backend than a run's. The model can be of any. */
gboolean bn_profile_serves (const BnProfile *profile, const char *backend, GError **error);

/* FALSE with `error` set where a copy of the catalogue's largest model, input or output would take more than a
 * day. The catalogue is at the profile's scale. */
gboolean bn_profile_check_copies (const BnProfile *profile, const BnCatalogue *catalogue, GError **error);

/* What to know before trusting it, as a line; NULL: nothing. Returns: (transfer full). */
char *bn_profile_remark (const BnProfile *profile);

/* What it says of the tasks of one catalogue. Arrays are [n_tasks] by first_task + task. */
typedef struct BnProfileFit
{
  BnDuration *runtime_ns;
  double *cv;
  BnDuration *cold_ns;      /* beyond runtime_ns; below 0: less */
} BnProfileFit;

/* FALSE with `error` set where the scale is another or a task of the catalogue was not
 * measured; then nothing is to be cleared. */
gboolean bn_profile_fit (const BnProfile *profile, const BnCatalogue *catalogue, int64_t scale_ppm,
                         BnProfileFit *ret, GError **error);
void bn_profile_fit_clear (BnProfileFit *fit);

#endif
