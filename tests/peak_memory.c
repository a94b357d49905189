/* peak_memory.c: runs a command and says how much memory it used at most.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * peak_memory FILE COMMAND... writes the largest resident set in kB into FILE and
 * ends as the command does; 126 where a signal ended it.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  struct rusage usage;
  int status;

  if (argc < 3)
    {
      fprintf (stderr, "usage: peak_memory FILE COMMAND...\n");
      return 2;
    }
  pid_t child = fork ();
  if (child == 0)
    {
      execvp (argv[2], argv + 2);
      perror (argv[2]);
      _exit (127);
    }
  if (child < 0 || waitpid (child, &status, 0) != child || getrusage (RUSAGE_CHILDREN, &usage) != 0)
    {
      perror ("peak_memory");
      return 2;
    }
  FILE *file = fopen (argv[1], "w");
  if (!file || fprintf (file, "%ld\n", usage.ru_maxrss) < 0 || fclose (file) != 0)
    {
      perror (argv[1]);
      return 2;
    }
  return WIFEXITED (status) ? WEXITSTATUS (status) : 126;
}
