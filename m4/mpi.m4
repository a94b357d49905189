dnl mpi.m4: BN_MPI, whether a sweep can run on the ranks that mpirun starts.
dnl Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

dnl --with-mpi=yes    that Open MPI is missing is an error
dnl --with-mpi=guess  use Open MPI where it is (the default)
dnl --with-mpi=no     do not look
dnl
dnl Sets MPI_CFLAGS, MPI_LIBS and the conditional HAVE_MPI. Only the module binnacle-mpi.so
dnl is linked with MPI, so that the program runs where there is none.
AC_DEFUN([BN_MPI],
[
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi=yes|no|guess], [sweeps over ranks of Open MPI @<:@guess@:>@])],
    [], [with_mpi=guess])
  bn_have_mpi=no
  AS_CASE([$with_mpi],
    [no], [bn_mpi_report=no],
    [yes|guess|''],
      [PKG_CHECK_MODULES([MPI], [ompi-c >= 4.0],
         [bn_have_mpi=yes
          bn_mpi_report="Open MPI `$PKG_CONFIG --modversion ompi-c`"],
         [AS_IF([test "x$with_mpi" = xyes],
            [AC_MSG_ERROR([--with-mpi was given, but Open MPI 4.0 was not found; install libopenmpi-dev, say])])
          bn_mpi_report="no: libopenmpi-dev is missing; sweeps run on one machine, or as shards"])],
    [AC_MSG_ERROR([--with-mpi=$with_mpi: give yes, no or guess])])
  AM_CONDITIONAL([HAVE_MPI], [test "x$bn_have_mpi" = xyes])
])
