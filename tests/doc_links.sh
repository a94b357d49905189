#!/bin/sh
# doc_links.sh: links between documents lead to documents, also where these are installed.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

cd "$BN_SRCDIR" || exit 1
# What is installed, with its folders, as doc/Makemodule.am lists it.
sed -n '/^nobase_dist_doc_DATA/,/NULL/s/^  \([^$ ]*\) .*/\1/p' doc/Makemodule.am >"$tmp/installed"
grep '\.md$' "$tmp/installed" >"$tmp/documents"
holds there_are_documents [ "$(wc -l <"$tmp/documents")" -ge 10 ]

links=0
while read -r document; do
  grep -o ']([^)]*)' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https*:' >"$tmp/links" || continue
  while read -r link; do
    links=$((links + 1))
    target=$(realpath -m --relative-to=. "$(dirname "$document")/$link")
    grep -Fqx "$target" "$tmp/installed" || wrong "link_from_$document" "$link is not a document that is installed"
  done <"$tmp/links"
done <"$tmp/documents"
holds links_lead_somewhere [ "$links" -ge 20 ]

ls README.md doc/*.md >"$tmp/there"
holds every_document_is_installed [ -z "$(grep -Fvx -f "$tmp/installed" "$tmp/there")" ]
finish
