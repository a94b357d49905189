dnl warnings.m4: BN_WARNINGS, the flags that every file is compiled with.
dnl Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

dnl Sets WARN_CFLAGS; --enable-werror makes every warning an error.
AC_DEFUN([BN_WARNINGS],
[
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
    [], [enable_werror=no])
  WARN_CFLAGS="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes"
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])
