dnl cuda.m4: BN_CUDA, whether CUDA code can be compiled here.
dnl Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

dnl --with-cuda=DIR    use DIR/bin/nvcc; that it is missing or does not work is an error
dnl --with-cuda=guess  use an nvcc that is found and works (the default)
dnl --with-cuda=no     do not look
dnl
dnl Sets NVCC, CUDA_HOME and the conditional HAVE_CUDA. An nvcc counts only if it
dnl compiles an empty kernel to an object. No GPU is needed for that.
AC_DEFUN([BN_CUDA],
[
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=DIR|no|guess], [CUDA toolkit to use @<:@guess@:>@])],
    [], [with_cuda=guess])
  NVCC=
  CUDA_HOME=
  AS_CASE([$with_cuda],
    [no], [],
    [guess|yes|''],
      [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin])],
    [AS_IF([test -x "$with_cuda/bin/nvcc"], [NVCC=$with_cuda/bin/nvcc],
       [AC_MSG_ERROR([no $with_cuda/bin/nvcc; give --with-cuda=DIR the folder that holds bin/nvcc, or --with-cuda=no])])])

  bn_cuda_works=no
  AS_IF([test -n "$NVCC"],
    [AC_MSG_CHECKING([whether $NVCC compiles a kernel])
     echo '__global__ void kernel (void) {}' > conftest.cu
     AS_IF(["$NVCC" -c -o conftest.cu.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1 && test -s conftest.cu.o],
       [bn_cuda_works=yes])
     rm -f conftest.cu conftest.cu.o
     AC_MSG_RESULT([$bn_cuda_works])])

  AS_IF([test "x$bn_cuda_works" = xyes],
    [CUDA_HOME=`AS_DIRNAME(["$NVCC"])`
     CUDA_HOME=`AS_DIRNAME(["$CUDA_HOME"])`
     bn_cuda_report=$CUDA_HOME],
    [AS_CASE([$with_cuda],
       [no], [bn_cuda_report="no"],
       [guess|''], [bn_cuda_report="no: none was found that works"],
       [AC_MSG_ERROR([--with-cuda=$with_cuda was given, but no working nvcc was found; config.log says why])])
     NVCC=])
  AC_SUBST([NVCC])
  AC_SUBST([CUDA_HOME])
  AM_CONDITIONAL([HAVE_CUDA], [test "x$bn_cuda_works" = xyes])
])
