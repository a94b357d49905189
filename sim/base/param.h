/* param.h: parameters that a table declares and a user sets by name.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A scheduler (an eviction policy, …) lists its parameters in a static array;
 * the program parses `name[key=value,…]` against that array, fills one
 * BnParamValue for each spec, in order, and prints the same array as its list.
 * <stdint.h> only; parsing is in variant.h.
 */
#ifndef BN_PARAM_H
#define BN_PARAM_H

#include "bn.h"

typedef enum
{
  BN_PARAM_BOOL,      /* on | off                                  */
  BN_PARAM_INT,       /* min .. max                                */
  BN_PARAM_REAL,      /* min .. max                                */
  BN_PARAM_DURATION,  /* min .. max in nanoseconds; read as `10ms` */
  BN_PARAM_CHOICE     /* one of `choices`                          */
} BnParamKind;

typedef struct BnParamSpec
{
  const char *name;
  const char *help;            /* one line, no full stop                     */
  BnParamKind kind;
  double min, max;             /* inclusive; unused for BOOL and CHOICE      */
  double default_value;        /* BOOL 0/1, CHOICE the index, DURATION in ns */
  const char *const *choices;  /* NULL-terminated; CHOICE only               */
} BnParamSpec;

typedef union BnParamValue
{
  int64_t integer;  /* BOOL 0/1, INT, DURATION in ns, CHOICE index */
  double real;      /* REAL                                        */
} BnParamValue;

#endif
