dnl sanitizers.m4: BN_SANITIZERS, whether programs can be built with them.
dnl Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

dnl Sets SANITIZE_CFLAGS and the conditional HAVE_SANITIZERS. The tests build a
dnl second copy of the program with these flags; --enable-sanitizers builds
dnl everything with them. Sets FUZZ_CFLAGS and HAVE_FUZZER, for libFuzzer, which clang has.
dnl Sets THREAD_SANITIZE_CFLAGS and HAVE_THREAD_SANITIZER, for
dnl tests of threads; that one is also run, as it does not start under every kernel.
AC_DEFUN([BN_SANITIZERS],
[
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers], [build everything with the address and undefined-behaviour sanitizers])],
    [], [enable_sanitizers=no])
  SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
  bn_saved_cflags=$CFLAGS
  CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
  AC_CACHE_CHECK([whether $CC links the address and undefined-behaviour sanitizers], [bn_cv_sanitizers],
    [AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [bn_cv_sanitizers=yes], [bn_cv_sanitizers=no])])
  CFLAGS=$bn_saved_cflags
  bn_have_sanitizers=$bn_cv_sanitizers
  AS_IF([test "x$enable_sanitizers" = xyes],
    [AS_IF([test "x$bn_have_sanitizers" = xyes], [],
       [AC_MSG_ERROR([--enable-sanitizers was given, but $CC cannot link them; with clang install libclang-rt-14-dev])])
     WARN_CFLAGS="$WARN_CFLAGS $SANITIZE_CFLAGS"])
  AC_SUBST([SANITIZE_CFLAGS])
  AM_CONDITIONAL([HAVE_SANITIZERS], [test "x$bn_have_sanitizers" = xyes])

  FUZZ_CFLAGS="-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined"
  CFLAGS="$CFLAGS $FUZZ_CFLAGS"
  AC_CACHE_CHECK([whether $CC has libFuzzer], [bn_cv_fuzzer],
    [AC_LINK_IFELSE([AC_LANG_SOURCE([[
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) { (void) data; (void) size; return 0; }
]])], [bn_cv_fuzzer=yes], [bn_cv_fuzzer=no])])
  CFLAGS=$bn_saved_cflags
  AC_SUBST([FUZZ_CFLAGS])
  AM_CONDITIONAL([HAVE_FUZZER], [test "x$bn_cv_fuzzer" = xyes && test "x$enable_sanitizers" != xyes])

  THREAD_SANITIZE_CFLAGS="-fsanitize=thread -fno-omit-frame-pointer"
  bn_saved_cflags=$CFLAGS
  CFLAGS="$CFLAGS $THREAD_SANITIZE_CFLAGS"
  AC_CACHE_CHECK([whether $CC programs run with the thread sanitizer], [bn_cv_thread_sanitizer],
    [AC_RUN_IFELSE([AC_LANG_PROGRAM([], [])], [bn_cv_thread_sanitizer=yes], [bn_cv_thread_sanitizer=no],
       [bn_cv_thread_sanitizer=no])])
  CFLAGS=$bn_saved_cflags
  AC_SUBST([THREAD_SANITIZE_CFLAGS])
  AM_CONDITIONAL([HAVE_THREAD_SANITIZER],
    [test "x$bn_cv_thread_sanitizer" = xyes && test "x$enable_sanitizers" != xyes])
])
