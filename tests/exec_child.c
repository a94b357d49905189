/* exec_child.c: schedulers in another process for tests/exec.sh and for timing: argv[1] says how it behaves.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   zero          every task on worker 0, read without a JSON parser
 *   rows          job j on worker j mod n, and wants to be told of rows: for timing
 *   echo          as zero, place by place, and all that it hears goes to the file heard
 *   hears         as zero, with all notices, and all that it hears goes to the file heard
 *   leaves N      as zero, with all notices, and reads nothing more after the N-th answer
 *   wonders       asks for notices that there are not
 *   dies N, silent N, slow N, babbles N, lies N, foreign N, other N, long N    at the N-th question
 *   deaf          reads nothing after hello
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char line[1 << 22];

static int64_t
number (const char *key)
{
  const char *found = strstr (line, key);

  return found ? strtoll (found + strlen (key), NULL, 10) : -1;
}

static void
answer (const char *text)
{
  puts (text);
  fflush (stdout);
}

/* How the fault looks. Returns: whether to answer as usual afterwards. */
static int
misbehave (const char *how)
{
  if (strcmp (how, "dies") == 0)
    {
      fputs ("first this\nthen: out of ideas\n", stderr);
      exit (3);
    }
  if (strcmp (how, "silent") == 0)
    {
      pause ();
      exit (0);
    }
  if (strcmp (how, "slow") == 0)
    usleep (50000);
  if (strcmp (how, "babbles") == 0)
    answer ("{\"place\":[]}\n{\"place\":[]}\n{\"place\":[]}");
  if (strcmp (how, "lies") == 0)
    answer ("{\"place\":[[0,\"one\"]]}");
  if (strcmp (how, "foreign") == 0)
    answer ("worker one, please");
  if (strcmp (how, "other") == 0)
    answer ("{\"place\":[[77,0]]}");
  if (strcmp (how, "long") == 0)
    {
      for (int i = 0; i < 3 << 20; i++)
        putchar ('x');
      answer ("");
    }
  return strcmp (how, "slow") == 0 || strcmp (how, "leaves") == 0;
}

static void
say_hello (const char *how, int plans)
{
  const char *flags = !plans || strcmp (how, "rows") == 0 ? "\"loads\",\"caches\"" : "";
  const char *notices = "";

  if (strcmp (how, "hears") == 0 || strcmp (how, "leaves") == 0)
    notices = ",\"notices\":[\"job-ended\",\"task-finished\",\"worker-down\"]";
  else if (strcmp (how, "wonders") == 0)
    notices = ",\"notices\":[\"job-began\"]";
  printf ("{\"protocol\":1,\"hooks\":[\"%s\"],\"flags\":[%s]%s}\n", plans ? "plan" : "place", flags, notices);
  fflush (stdout);
  if (strcmp (how, "deaf") == 0)
    pause ();
}

/* A task that is asked about, or all of a job: those of the public workflows are at most five. */
static void
place (int plans, int64_t worker)
{
  static const int n_tasks[] = { 5, 2, 4, 4 };
  int64_t task = number ("\"task\":");

  if (!plans)
    printf ("{\"place\":[[%" PRId64 ",0]]}\n", task);
  else
    {
      int64_t workflow = number ("\"workflow\":");
      fputs ("{\"place\":[", stdout);
      for (int t = 0; t < n_tasks[workflow]; t++)
        printf ("%s[%d,%" PRId64 "]", t > 0 ? "," : "", t, worker);
      puts ("]}");
    }
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "zero";
  int plans = strcmp (how, "echo") != 0;
  long at = argc > 2 ? atol (argv[2]) : 0, n = 0;
  int64_t n_workers = 0;   /* to choose from; 0: only worker 0 */
  FILE *heard = plans && strcmp (how, "hears") != 0 ? NULL : fopen ("heard", "w");

  while (fgets (line, sizeof line, stdin))
    {
      if (heard)
        fputs (line, heard);
      if (strstr (line, "\"type\":\"hello\""))
        say_hello (how, plans);
      else if (strstr (line, "\"type\":\"cluster\""))
        for (const char *w = line; strcmp (how, "rows") == 0 && (w = strstr (w, "{\"gpu_type\":")); w++)
          n_workers++;
      else if (!strstr (line, "\"type\":\"plan\"") && !strstr (line, "\"type\":\"place\""))
        continue; /* a notice */
      else if (++n != at || misbehave (how))
        {
          place (plans, n_workers > 0 ? number ("\"job\":") % n_workers : 0);
          if (n == at && strcmp (how, "leaves") == 0)
            pause ();
        }
    }
  if (heard)
    fclose (heard);
  return 0;
}
