/* fuzz_replay.c: gives a fuzz target the files of a folder, whole, cut and damaged.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   fuzz_trace_replay FOLDER [ROUNDS]
 *   fuzz_trace_replay --readers       names for --only of the target, one a line
 *
 * Each file in every mode; then ROUNDS (100) times with a few bytes changed, by a seed that is
 * the same each time. Needs no libFuzzer, so that every build repeats it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "rng.h"

static void
give (guint mode, const char *text, gsize length)
{
  g_autofree guint8 *bytes = g_malloc (length + 1);

  bytes[0] = (guint8) mode;
  memcpy (bytes + 1, text, length);
  LLVMFuzzerTestOneInput (bytes, length + 1);
}

/* Some bytes become others that mean something to a scanner, and perhaps the end is lost. */
static void
give_damaged (const char *text, gsize length, BnRng *rng)
{
  static const char bytes[] = "\0\n\r\",;:{}[]<>/=&\t -+.0123456789eT\\\xff\xef";
  g_autofree char *copy = g_memdup2 (text, length);

  for (guint64 n = 1 + bn_rng_below (rng, 4); n > 0; n--)
    copy[bn_rng_below (rng, length)] = bytes[bn_rng_below (rng, sizeof bytes - 1)];
  if (bn_rng_below (rng, 4) == 0)
    length = bn_rng_below (rng, length);
  give ((guint) bn_rng_below (rng, bn_fuzz_n_modes ()), copy, length);
}

static int
list_readers (void)
{
  g_autofree const char **names = bn_fuzz_readers ();

  for (guint i = 0; names[i] != NULL; i++)
    puts (names[i]);
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--readers") == 0)
    return list_readers ();
  GDir *folder = argc > 1 ? g_dir_open (argv[1], 0, NULL) : NULL;
  int n_rounds = argc > 2 ? atoi (argv[2]) : 100, n_files = 0;
  const char *name;
  BnRng rng;

  bn_rng_init (&rng, 1, "replay");
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (argv[1], name, NULL), *text = NULL;
      gsize length;
      if (!g_file_get_contents (path, &text, &length, NULL) || length == 0)
        continue;
      n_files++;
      for (guint mode = 0; mode < bn_fuzz_n_modes (); mode++)
        give (mode, text, length);
      for (int i = 0; i < n_rounds; i++)
        give_damaged (text, length, &rng);
    }
  if (folder != NULL)
    g_dir_close (folder);
  printf ("%d files\n", n_files);
  return n_files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
