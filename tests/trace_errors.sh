#!/bin/sh
# trace_errors.sh: small traces in every spelling, and bad ones with what is said of them.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

# bad NAME MESSAGE TEXT [OPTION...]: the file of that text is refused.
bad () {
  bad_name=$1
  bad_message=$2
  printf "$3" >"$tmp/t"
  shift 3
  refuses "$bad_name" "binnacle: $bad_message" "$BINNACLE" trace info t "$@"
}

# good_rows NAME ROWS TEXT [OPTION...]: converted, with these rows (arrival and duration, blank-separated).
good_rows () {
  rows_name=$1
  rows_expected=$2
  printf "$3" >"$tmp/t"
  shift 3
  "$BINNACLE" trace convert t "$@" >"$tmp/out" 2>"$tmp/err"
  rows=$(sed 1d "$tmp/out" | cut -d, -f1,2 | tr '\n' ' ')
  if [ "$rows" = "$rows_expected " ]; then
    good "$rows_name"
  else
    wrong "$rows_name" "$rows" "$(cat "$tmp/err")"
  fi
}

head='TIMESTAMP,ContextTokens,GeneratedTokens'
pods='name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time'

bad empty_file 't: is empty; is the download complete?' ''
bad only_blanks 't: is empty; is the download complete?' '\n \n'
bad git_lfs_pointer 't: is a Git LFS pointer and not the data; fetch that with git lfs pull' \
  'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n'
bad html_page 't: is a page of HTML, an error message of a server perhaps; download it again' \
  '<!DOCTYPE html>\n<html><body>404</body></html>\n'
bad xml 't: is XML and no arrival trace; binnacle workflow reads workflows' '<?xml version="1.0"?>\n<adag/>\n'
bad json_array 't: is an array in JSON; give an object a line, or CSV' '[{"timestamp": 1}]\n'
bad unknown_header "t:1: 'a,b' is the first line of no format that is known; name the format, or give a map:\
 time=COLUMN:UNIT" 'a,b\n1,2\n'
bad only_a_header 't: holds no rows; is the download complete?' "$head\n"
bad wrong_date "t:2: TIMESTAMP: 'yesterday' is no date, as 2023-11-16 18:17:03.98" "$head\nyesterday,1,2\n"
bad day_that_is_not "t:2: TIMESTAMP: '2023-02-29 00:00:00' is no date, as 2023-11-16 18:17:03.98" \
  "$head\n2023-02-29 00:00:00,1,2\n"
bad too_few_fields 't:3: the row has 2 fields where there are 3 columns' \
  "$head\n2023-11-16 18:17:03,1,2\n2023-11-16 18:17:04,1\n"
bad out_of_order 't:3: comes before the row before it; have rows put in order (--sort, or trace-sort = on)' \
  'arrived_at,num_prefill_tokens,num_decode_tokens\n2,1,1\n1,1,1\n'
bad no_times_at_all 't: gives no arrival: of 2 rows 2 are without a time, the first in line 2' \
  "$pods\na,1,1,1,1,,LS,Pending,,,\nb,1,1,1,1,,LS,Pending,,,\n"
bad quote_inside 't:2: a quote stands inside a field; quote the whole field and double the quote' \
  "$head\n2023-11-16 18:17:03,1\"2,3\"\n"
bad quote_without_end 't:2: a quoted field is never closed; add the missing "' "$head\n2023-11-16 18:17:03,\"1,2\n"
bad nul_byte 't:2: the line holds a NUL byte; is this a trace?' "$head\n2023-11-16 18:17:03,\\0,2\n"
bad broken_json 't:2: is no object in JSON; each must be a whole one' \
  '{"timestamp": 0, "input_length": 1, "output_length": 1, "hash_ids": []}\n{"timestamp": 1,\n'
bad number_too_large "t:2: arrived_at: '99999999999' is no time, a number below 292 years" \
  'arrived_at,num_prefill_tokens,num_decode_tokens\n99999999999,1,1\n'
bad later_than_the_clock 't:2: comes later than 146 years; check the unit' \
  'arrived_at,num_prefill_tokens,num_decode_tokens\n9000000000,1,1\n'
bad scaled_beyond_the_clock 't:2: comes later than 146 years; check the unit' 't\n1\n2\n' --map time=t:s --from-zero \
  --scale-time 1e9 --scale-rate 1e-9
bad nothing_left_by_limits \
  't: gives no arrival: of 1 rows 1 are before the time from which rows are kept, the first in line 2' \
  "$head\n2023-11-16 18:17:03,1,2\n" --from 1s

bad format_unknown "'azure-lm' is not a format of traces (did you mean 'azure-llm'?); binnacle list traces has them all" \
  'a\n1\n' --format azure-lm
bad format_of_another_file "t:1: there is no column 'TIMESTAMP'; there are 'a'" 'a\n1\n' --format azure-llm
bad csv_without_a_map 'csv needs a map that says what is where, as time=COLUMN:UNIT' 'a\n1\n' --format csv
bad map_without_a_unit "map: 'a': give a column and its unit, as arrival:ms" 'a\n1\n' --map time=a
bad map_with_another_unit "map: 'd': is no unit of time; use ns, us, ms, s, min, h or date" 'a\n1\n' --map time=a:d
bad map_without_a_time "map: 'start=a,end=b': says nothing of the time; add time=COLUMN:UNIT" 'a\n1\n' \
  --map start=a,end=b
bad map_with_two_times "map: 'b:s': time and duration are given once each" 'a,b\n1,2\n' --map time=a:s,time=b:s
bad map_with_too_many_unknowns "map: 'unknown': is given too often" 'a\n1\n' --map time=a:s,unknown=x,unknown=y,unknown=z
bad map_key_unknown \
  "map: 'tim': is not known; use time, duration, start, end, separator, header or unknown" 'a\n1\n' --map tim=a:s
bad map_column_unknown "t:1: there is no column 'arival' (did you mean 'arrival'?); there are 'arrival, b'" \
  'arrival,b\n1,2\n' --map time=arival:s
bad map_for_a_format 'a map is for csv; swf knows its columns' 'a\n1\n' --map time=a:s --format swf
bad two_dates_further_apart_than_the_clock "t:2: TIMESTAMP: '1900-01-01 00:00:00' is no date, as 2023-11-16 18:17:03.98" \
  "$head\n1900-01-01 00:00:00,1,2\n2199-12-31 00:00:00,1,2\n" --sort
bad limit_of_nothing 'trace: --limit: give a number of rows, 1 or more' 'a\n1\n' --limit 0
bad sample_of_nothing 'trace: --sample: give a share above 0 and at most 1' 'a\n1\n' --sample 0
bad limit_below_nothing 'trace: --limit: give a number of rows, 1 or more' 'a\n1\n' --limit -1
refuses no_such_file 'binnacle: none: cannot be opened: No such file or directory; check the path' \
  "$BINNACLE" trace info none
refuses a_folder 'binnacle: .: is a folder; name a file in it' "$BINNACLE" trace info .
refuses no_such_word 'binnacle: trace: inf: not known; use info, convert, fit or generate' "$BINNACLE" trace inf t

good_rows crlf_bom_and_no_last_line_end '0.000000, 0.000200,' \
  '\357\273\277TIMESTAMP,ContextTokens,GeneratedTokens\r\n2024-02-29 23:59:59.9999999,5,6\r\n2024-03-01 00:00:00.0000001,7,8'
good_rows zones_are_taken_into_account '0.000000, 3600000.000000,' \
  "$head\n2024-05-10 02:00:00+02:00,1,2\n2024-05-10T01:00:00Z,1,2\n"
good_rows ties_keep_their_order '1000.000000,2000.000000 1000.000000,1000.000000 3000.000000,' \
  't,d\n3,\n1,2\n1,1\n' --map time=t:s,duration=d:s --sort
good_rows the_end_is_not_the_arrival '1000.000000,500.000000 1100.000000,0.000000' \
  'app,func,end_timestamp,duration\na,f,1.5,0.5\na,g,1.1,0.0\n'
good_rows pods_never_scheduled_have_no_duration '0.000000,10000.000000 5000.000000,' \
  "$pods\na,1,1,1,1,T4|T4,LS,Running,0,12,2\nb,1,1,1,1,,LS,Pending,5,9,\n"
good_rows quoted_fields_hold_anything '1000.000000, 2000.000000,' 't,x\n1,"a,b ""c"""\n2,e\n' --map time=t:s
holds quoted_fields_are_kept grep -qx '1000.000000,,1,"a,b ""c"""' "$tmp/out"
good_rows columns_without_a_header '7.000000,1.000000' '7\t0.001\n' \
  --map 'time=1:ms,duration=2:s,header=no,separator=tab'
good_rows blanks_round_fields '1500.000000,' ' t , x \n 1.5 , 2 \n' --map time=t:s
good_rows minus_one_is_unknown '0.000000,937000.000000 5000.000000,' \
  '; MaxJobs: 9\n 1 0 5 937 306 142.00 -1 -1 35100 -1 1 97 -1 307 3 -1 -1 -1\n9 5 1 -1 1 1 -1 -1 1 -1 1 1 -1 3 3 -1 -1 -1'
good_rows burst_by_name '5000.000000, 5000.000000,' \
  'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,,1,G,0,0,0,API log\n5,2,1,G,1,1,2,x\n'
good_rows seconds_where_mooncake_has_milliseconds '1500.000000,' \
  '{"chat_id": 1, "parent_chat_id": -1, "timestamp": 1.5, "input_length": 1, "output_length": 2, "hash_ids": [1]}\n'
good_rows limits_in_order '50.000000, 550.000000,' 't\n0\n1\n2\n3\n' --map time=t:s --from 1s --to 4s --scale-rate 2 \
  --from-zero --shift 50ms --limit 2
good_rows two_texts_say_nothing '1000.000000, 2000.000000, 3000.000000,5000.000000' 't,d\n1,None\n2,-1\n3,5\n' \
  --map time=t:s,duration=d:s,unknown=None,unknown=-1
good_rows exponents_and_long_fractions '1200.000000, 475000.000000,' 't\n1.2e0\n475.00000000000006\n' --map time=t:s
good_rows an_import_goes_on_where_told '1000.000000, 3000.000000,' 't\n1\nx\n3\n' --map time=t:s --keep-going
holds what_was_refused_is_counted grep -qx "binnacle: trace: 3 rows read, 2 arrivals; 1 refused: t:3: t: 'x' is no time,\
 a number below 292 years (first in line 3)" "$tmp/err"
good_rows a_stray_quote_costs_its_own_row '1000.000000, 3000.000000, 5000.000000,' \
  't,x\n1,"a,b"\n2,5" disk\n3,\t"c ""d"" e"\n4,"7" disk\n5,f\n' --map time=t:s --keep-going
holds stray_quotes_are_counted grep -qx "binnacle: trace: 5 rows read, 3 arrivals; 2 refused: t:3: a quote stands inside a\
 field; quote the whole field and double the quote (first in line 3)" "$tmp/err"
bad a_malformed_window_has_its_line 't: gives no arrival: of 1 rows 1 are malformed, the first in line 1' \
  'x,1,1,Gamma,1,1\n' --format servegen --keep-going
good_rows before_time_0_is_before_the_trace '1000.000000,' 't\n-5\n1\n' --map time=t:s
holds what_was_skipped_is_counted grep -qx "binnacle: trace: 2 rows read, 1 arrivals; 1 skipped: before time 0\
 (first in line 2)" "$tmp/err"

bad windows_out_of_order 't:2: begins before the window before it ends; windows must be in order' \
  '600,1,1,Gamma,1,1\n0,1,1,Gamma,1,1\n'
bad window_of_a_text 't:2: is no window: its begin, rate and coefficient of variation must be numbers' \
  '0,1,1,Gamma,1,1\n600,x,1,,1,1\n'
bad windows_that_are_all_idle \
  't: gives no arrival: of 2 rows 2 are windows without requests, the first in line 1' '0,0,0,,0,0\r\n600,0,0,,0,0\r\n'

# a first line longer than what the format is told from, and texts full of brackets
ids=$(seq 20000 | tr '\n' ',')
good_rows long_lines_of_json '1.000000, 2.000000,' \
  "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [${ids}0]}
{\"timestamp\": 2, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [${ids}0]}\n"
brackets=$(printf '%0200d' 0 | tr 0 '[')
good_rows brackets_in_texts '1.000000,' "{\"timestamp\": 1, \"requests\": [{\"Prompt Length\": 1, \"p\": \"$brackets\"}]}\n"
nested=$(printf '%0200d' 0 | sed 's/0/["]",/g')
bad nested_json 't:1: the object is nested too deeply; is this a trace?' \
  "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": $nested}\n"

# a sample is the same each time, another with another seed
{ echo t; seq 1000; } >long.csv
"$BINNACLE" trace convert long.csv --map time=t:s --sample 0.3 -o a.csv 2>/dev/null
"$BINNACLE" trace convert long.csv --map time=t:s --sample 0.3 -o b.csv 2>/dev/null
"$BINNACLE" trace convert long.csv --map time=t:s --sample 0.3 --seed 2 -o c.csv 2>/dev/null
holds a_sample_repeats cmp a.csv b.csv
holds a_sample_has_a_seed sh -c '! cmp -s a.csv c.csv'
holds a_sample_has_its_share sh -c 'n=$(wc -l <a.csv); [ "$n" -gt 250 ] && [ "$n" -lt 350 ]'

# Memory does not grow with the trace: a hundred times the rows, and at most a megabyte more.
memory_of () {
  { echo t; seq "$1"; } >rows.csv
  "$BN_BUILDDIR/tests/peak_memory" kb "$BINNACLE" trace info rows.csv --map time=t:s >/dev/null
  cat kb
}
few=$(memory_of 5000)
many=$(memory_of 500000)
holds "memory_is_flat ($few kB, $many kB)" [ "$many" -le $((few + 1024)) ]

# by content: gzip and tar whatever the name, junk of macOS first
printf '%s\n2023-11-16 18:17:03,1,2\n' "$head" >data.csv
mkdir folder && cp data.csv folder/data.csv && printf 'junk' >folder/._data.csv
tar -cf junk.bin folder/._data.csv folder/data.csv
gzip -c data.csv >packed.csv
gzip -c junk.bin >junk.csv
"$BINNACLE" trace convert data.csv -o plain.out 2>/dev/null
for file in packed.csv junk.bin junk.csv; do
  "$BINNACLE" trace convert "$file" -o other.out 2>/dev/null
  holds "reads $file by content" cmp plain.out other.out
  "$BINNACLE" trace convert - <"$file" >other.out 2>/dev/null
  holds "reads $file from standard input" cmp plain.out other.out
done
for packer in bzip2 xz zstd; do
  command -v $packer >/dev/null || continue
  $packer -c data.csv >packed.bin
  "$BINNACLE" trace convert packed.bin -o other.out 2>/dev/null
  holds "reads what $packer made" cmp plain.out other.out
done
cp data.csv second.csv && tar -cf two.bin data.csv folder/._data.csv second.csv
"$BINNACLE" trace convert two.bin -o other.out 2>err
holds "what_is_not_read_of_an_archive_is_named" grep -qx "binnacle: trace: 1 rows read, 1 arrivals; not read: 'second.csv',\
 behind the first file of the archive" err
head -c 30 packed.csv >cut.gz
refuses cut_gzip "binnacle: cut.gz: cannot be read: truncated gzip input; is the file whole?" "$BINNACLE" trace info cut.gz
printf 'old' >kept.csv
"$BINNACLE" trace convert cut.gz -o kept.csv 2>/dev/null
holds a_failed_conversion_leaves_what_was_there grep -q old kept.csv

"$BINNACLE" list traces >formats
sed -n '/^```text$/,/^```$/p' "$BN_SRCDIR/doc/traces.md" | sed '1d;$d' >documented
holds the_document_lists_the_formats cmp formats documented
finish
