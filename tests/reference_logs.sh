#!/bin/sh
# reference_logs.sh: task logs of an independent program come out to the byte.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# The logs are data of others that is not shipped here: BN_REFERENCE names their
# folder; by default they are looked for beside the checkout.
. "$BN_SRCDIR/tests/lib.sh"

reference=${BN_REFERENCE:-$BN_SRCDIR/../shared/reference/compass}
if [ -d "$reference" ]; then
  holds "every log in $reference" "$BN_SRCDIR/tests/reference" "$reference"
else
  skip "no reference logs in $reference; BN_REFERENCE=DIR names another folder"
fi
finish
