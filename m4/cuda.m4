dnl cuda.m4: BN_CUDA, whether CUDA code can be compiled here, and for which GPUs.
dnl Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

dnl --with-cuda=DIR    use DIR/bin/nvcc; that it is missing or does not work is an error
dnl --with-cuda=guess  use an nvcc that is found and works (the default)
dnl --with-cuda=no     do not look
dnl
dnl Sets NVCC, CUDA_HOME and the conditional HAVE_CUDA; CUDA_TARGETS, nvcc's flags for
dnl every GPU this project names that this nvcc knows (T4 to Hopper, and PTX of the
dnl last of them for what comes after); CUDA_NEEDS_VERSION, the least version that a
dnl driver must support: code of a toolkit runs on all drivers of its major version.
dnl An nvcc counts only if it compiles a kernel for one target. No GPU is needed for that.
AC_DEFUN([BN_CUDA],
[
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=DIR|no|guess], [CUDA toolkit to use @<:@guess@:>@])],
    [], [with_cuda=guess])
  NVCC=
  CUDA_HOME=
  CUDA_TARGETS=
  CUDA_NEEDS_VERSION=
  WITH_CUDA_CPPFLAGS=
  AS_CASE([$with_cuda],
    [no], [],
    [guess|yes|''],
      [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin])],
    [AS_IF([test -x "$with_cuda/bin/nvcc"], [NVCC=$with_cuda/bin/nvcc],
       [AC_MSG_ERROR([no $with_cuda/bin/nvcc; give --with-cuda=DIR the folder that holds bin/nvcc, or --with-cuda=no])])])

  bn_cuda_works=no
  AS_IF([test -n "$NVCC"],
    [AC_MSG_CHECKING([for which GPUs $NVCC compiles])
     echo '__global__ void kernel (void) {}' > conftest.cu
     bn_cuda_known=
     bn_cuda_missing=
     bn_cuda_last=
     for bn_cc in 75 80 86 89 90; do
       AS_IF(["$NVCC" -gencode arch=compute_$bn_cc,code=sm_$bn_cc -cubin -o conftest.cubin conftest.cu \
              >&AS_MESSAGE_LOG_FD 2>&1 && test -s conftest.cubin],
         [bn_cuda_works=yes
          bn_cuda_last=$bn_cc
          bn_cuda_known="$bn_cuda_known sm_$bn_cc"
          CUDA_TARGETS="$CUDA_TARGETS -gencode arch=compute_$bn_cc,code=sm_$bn_cc"],
         [bn_cuda_missing="$bn_cuda_missing sm_$bn_cc"])
     done
     rm -f conftest.cu conftest.cubin
     AS_IF([test "x$bn_cuda_works" = xyes],
       [CUDA_TARGETS="$CUDA_TARGETS -gencode arch=compute_$bn_cuda_last,code=compute_$bn_cuda_last"
        bn_cuda_known="$bn_cuda_known, PTX compute_$bn_cuda_last"
        AS_IF([test -n "$bn_cuda_missing"], [bn_cuda_known="$bn_cuda_known; not$bn_cuda_missing"])])
     AC_MSG_RESULT([$bn_cuda_works$bn_cuda_known])])

  AS_IF([test "x$bn_cuda_works" = xyes],
    [CUDA_HOME=`AS_DIRNAME(["$NVCC"])`
     CUDA_HOME=`AS_DIRNAME(["$CUDA_HOME"])`
     CUDA_NEEDS_VERSION=`"$NVCC" --version | $SED -n 's/.*release \(@<:@0-9@:>@*\)\..*/\1/p'`000
     WITH_CUDA_CPPFLAGS=-DBN_WITH_CUDA=1
     bn_cuda_report="$CUDA_HOME:$bn_cuda_known"],
    [AS_CASE([$with_cuda],
       [no], [bn_cuda_report="no"],
       [guess|''], [bn_cuda_report="no: none was found that works"],
       [AC_MSG_ERROR([--with-cuda=$with_cuda was given, but no working nvcc was found; config.log says why])])
     NVCC=])
  AC_SUBST([NVCC])
  AC_SUBST([CUDA_HOME])
  AC_SUBST([CUDA_TARGETS])
  AC_SUBST([CUDA_NEEDS_VERSION])
  AC_SUBST([WITH_CUDA_CPPFLAGS])
  AM_CONDITIONAL([HAVE_CUDA], [test "x$bn_cuda_works" = xyes])
])
