#!/bin/sh
# workflows.sh: workflow files of other programs: what is read of each form, what is refused, and that they run.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
info () {
  "$BINNACLE" workflow info "$@" >out 2>err
}
# says NAME FILE LINE...: each line is in its description.
says () {
  says_name=$1
  says_file=$2
  shift 2
  info "$says_file" || wrong "$says_name" "$(cat err)"
  for line; do
    holds "$says_name: $line" grep -qx "$(echo "$line" | sed 's/: /  *  /; s/ *  \*/ \*/')" out
  done
}

# ---- forms, each the same diamond: a makes x (2 bytes), b and c use it and make y and z, d uses those ----

cat >two.dax <<'END'
<?xml version="1.0"?>
<!-- part 1: <job id="no"/> -->
<adag xmlns="http://pegasus.isi.edu/schema/DAX"
      version="2.1" name="diamond" jobCount="99" childCount="0">
	<job id="A" name="split" runtime="1.5"><argument>-i <filename file="w"/> -o x</argument>
	  <uses file="w" link="input" size="10"/><uses file="x" link="output" size="2"/></job>
	<job id="B" name="work" runtime="2"><uses file="x" link="input" size="2"/><uses file="y" link="output" size="30"/></job>
	<job id="C" name="work" runtime="4"><uses file="x" link="input"/><uses file="z" link="output" size="40"/></job>
	<job id="D" name="join" runtime="0.25"><uses file="y" link="input"/><uses file="z" link="input"/></job>
	<child ref="B"><parent ref="A"/></child>
	<child ref="D"><parent ref="B"/><parent ref="C"/></child>
</adag>
END
sed 's/uses file=/uses name=/; s/uses file=/uses name=/g; s/ runtime="[0-9.]*"//; s/<adag/<p:adag/; s/<.adag/<\/p:adag/; s/xmlns=/xmlns:p=/' \
  two.dax >three.dax
says dax_2 two.dax "name: diamond" "format: dax" "tasks: 4" "edges: 4, 4 of them with a file behind them" "entry tasks: 1" \
  "last tasks: 1" "depth: 3" "width: 2" "runtimes: 4 of 4 stated" "work: 7.75s" \
  "critical path: 5.75s: no job is quicker on GPUs of speed 1"
says dax_3 three.dax "tasks: 4" "edges: 4, 4 of them with a file behind them" \
  "runtimes: 0 of 4 stated; --runtime fills the others"
cat >control.dax <<'END'
<adag name="c"><job id="1" name="a"/><job id="2" name="b"><uses file="f" link="inout"/></job>
<job id="3" name="b"><uses file="f" link="inout"/></job><child ref="2"><parent ref="1"/></child></adag>
END
holds in_place_makes_a_circle sh -c '"$BINNACLE" workflow info control.dax 2>&1 |
  grep -q "^binnacle: control.dax:1: tasks wait for each other in a circle: 2, 3$"'

cat >old.json <<'END'
{"name":"diamond","schemaVersion":"1.2","workflow":{"makespan":1,"jobs":[
 {"name":"a","runtime":1.5,"parents":[],"children":["b","c"],"files":[{"name":"w","link":"input","size":10},{"name":"x","link":"output","size":2}]},
 {"name":"b","runtime":2,"parents":["a"],"files":[{"name":"x","link":"input","size":2},{"name":"y","link":"output","size":30}]},
 {"name":"c","runtime":4,"parents":["a"],"files":[]},
 {"name":"d","runtime":0.25,"parents":["b","c"]}]}}
END
cat >new.json <<'END'
{"name":"diamond","schemaVersion":"1.5","workflow":{"specification":{
 "tasks":[{"id":"i1","name":"work","parents":[],"children":["i2","i3"],"inputFiles":["w"],"outputFiles":["x"]},
  {"id":"i2","name":"work","parents":["i1"],"children":["i4"],"inputFiles":["x"],"outputFiles":["y"]},
  {"id":"i3","name":"work","parents":["i1"],"children":["i4"]},{"id":"i4","name":"join","parents":["i2","i3"],"children":[]}],
 "files":[{"id":"w","sizeInBytes":10},{"id":"x","sizeInBytes":2},{"id":"y","sizeInBytes":30}]},
 "execution":{"makespanInSeconds":1,"tasks":[{"id":"i3","runtimeInSeconds":4},{"id":"i1","runtimeInSeconds":1.5},
  {"id":"i2","runtimeInSeconds":2},{"id":"i4","runtimeInSeconds":0.25}]}}}
END
for form in old new; do
  says "wfformat_$form" $form.json "name: diamond" "format: wfformat" "tasks: 4" "depth: 3" "width: 2" \
    "runtimes: 4 of 4 stated" "work: 7.75s" "critical path: 5.75s: no job is quicker on GPUs of speed 1"
done
cat >hyper.json <<'END'
{"name":"h","processes":[{"name":"p","ins":[0],"outs":[1]},{"name":"p","ins":[1],"outs":[2]},{"name":"p","ins":[1],"outs":[3]},
 {"name":"q","ins":[2,3],"outs":[]}],"signals":[{"name":"w"},{"name":"x"},{"name":"y"},{"name":"z"}],"ins":[0],"outs":[]}
END
says hyperflow hyper.json "name: h" "format: hyperflow" "tasks: 4" "edges: 4, 4 of them with a file behind them" "width: 2"
cat >named.json <<'END'
{"processes":[{"name":"p","ins":["w"],"outs":["x"]},{"name":"q","ins":["x"],"outs":[0]}],
 "signals":[{"name":"y","size":1},{"name":"x","size":70},{"name":"w","size":500}]}
END
says hyperflow_names named.json "edges: 1, 1 of them with a file behind them" "files: 3, 3 of them with a size, 571B together"
cat >d.dot <<'END'
// a comment
digraph "diamond" { rankdir=LR; node [shape=box];
  a [label="split", runtime=1.5, size=2]; b [runtime="2"]; c [runtime=4]
  subgraph s { d [runtime=0.25] }
  a -> b -> d; a -> c -> d [weight=2] }
END
says dot d.dot "name: diamond" "format: dot" "tasks: 4" "edges: 4, 2 of them with a file behind them" "work: 7.75s"
cat >groups.dot <<'END'
# it's a line of a preprocessor
Strict Digraph g { /* isn't "one */ "node" [label="// no comment"]
  "node" -> {b; c,} -> {d "graph"} // that's all
  { b -> c } }
END
says dot_groups groups.dot "name: g" "tasks: 5" "edges: 7, 0 of them with a file behind them" "depth: 4"
"$BINNACLE" workflow info two.dax --dot >again.dot
says dot_reads_back again.dot "name: diamond" "tasks: 4" "depth: 3" "width: 2" "work: 7.75s" \
  "critical path: 5.75s: no job is quicker on GPUs of speed 1"

cat >more.dot <<'END'
digraph more { a [size=7, pos=-1.5, runtime=1]; a -> subgraph x { b, c } -> "subgraph" [labelangle=-25] }
END
says dot_subgraphs more.dot "tasks: 4" "edges: 4, 2 of them with a file behind them" "depth: 3" "width: 2"
cat >unsized.dax <<'END'
<adag name="u&#10;[workflow v]"><job id="A" name="a" runtime="1"><uses file="i" link="input"/><uses file="j" link="input"/>
<uses file="o" link="output"/><uses file="own" link="inout"/></job>
<job id="B" name="b"><uses file="o" link="input"/><uses file="k" link="input"/></job></adag>
END
info unsized.dax --runtime 3s --scale-time 2
holds what_is_stated_is_scaled grep -qx 'work  *5s' out
info unsized.dax --runtime 3s --dot
holds what_is_drawn_is_by_rule [ "$(grep -c 'runtime="[13]"' out)" = 2 ]
holds what_is_drawn_is_not_made_up grep -q '"A" .label="a", runtime="1".;' out
cat >bare.dax <<'END'
<adag name="b"><job id="1" name="a" runtime="1"><uses file="f" link="output"/></job>
<job id="2" name="b" runtime="1"><uses file="f" link="input"/></job></adag>
END
says sizes_that_are_missing bare.dax "edges: 1, 1 of them with a file behind them" \
  "files: 1, 0 of them with a size, 0 together; --size fills the others"

# ---- catalogues ----

expect converts 0 "" "$BINNACLE" workflow convert two.dax -o two.ini
holds task_is_as_stated [ "$(sed -n '/^\[task diamond.1\]/,/^$/p' two.ini | paste -sd,)" = \
  "[task diamond/1],model = none,input = 10B,output = 2B,runtime = 1.5s," ]
expect converts_by_another_name 0 "" "$BINNACLE" workflow convert two.dax --name "other one" -o other.ini
holds both_names_go_into_one_scenario "$BINNACLE" run demo -q -o both.db --scheduler jit --set workload.jobs=20 \
  --set "workload.catalogue=$PWD/two.ini $PWD/other.ini" --set 'workload.mix=diamond:1 other_one:1'
holds edges_are_there grep -qx 'after = 2 3' two.ini
expect converts_with_rules 0 "" "$BINNACLE" workflow convert three.dax --runtime 10s --scale-time 2 --model by-name \
  --model-size 2GB --size 1MB -o three.ini
holds rules_are_in_its_head grep -qx '# Runtimes that it does not state: 10s.' three.ini
holds models_by_name [ "$(grep -c '^\[model ' three.ini)" = 3 ]
refuses nothing_is_made_up "binnacle: three.dax:5: 4 of 4 tasks have no runtime, the first is A; give them one, as --runtime 10s" \
  "$BINNACLE" workflow convert three.dax
refuses file_is_not_overwritten "binnacle: two.ini: exists already; name another file" \
  "$BINNACLE" workflow convert two.dax -o two.ini
# of the three files without a size two are what a client sends, and one is handed on
expect fills_sizes 0 "" "$BINNACLE" workflow convert unsized.dax --runtime 1s --size 1MB -o unsized.ini
holds each_file_counts_once [ "$(grep -E '^(input|output)' unsized.ini | paste -sd,)" = \
  "input = 2MB,output = 1MB,input = 1MB,output = 0" ]
holds a_name_is_one_line [ "$(grep -c '^.workflow' unsized.ini)" = 1 ]
expect size_of_a_node_is_handed_on 0 "" "$BINNACLE" workflow convert more.dot --runtime 1s -o more.ini
holds nodes_hand_on_their_size [ "$(grep '^output' more.ini | paste -sd,)" = "output = 7B,output = 0,output = 0,output = 0" ]
cat >s.ini <<'END'
[scenario]
record = tasks
[schedulers]
compare = all
[servers]
count = 4
memory = 14GB
[workload]
rate = 0.2/s
jobs = 30
END
for catalogue in two three; do
  expect "it_runs_through_all_schedulers_$catalogue" 0 "" "$BINNACLE" run s.ini --set workload.catalogue=$catalogue.ini -q -o $catalogue.db
  expect "rules_hold_$catalogue" 0 "" "$BINNACLE" check $catalogue.db
done

# ---- what is refused ----

refuse_text () {
  printf "$2" >"$1"
  refuses "$1" "binnacle: $3" "$BINNACLE" workflow info "$1"
}
refuse_text empty.dax '' "empty.dax: is empty"
refuse_text lfs.dax 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n' \
  "lfs.dax: is a pointer of Git LFS, not the file itself; fetch it with git lfs pull"
refuse_text page.dax '<!DOCTYPE html>\n<html></html>\n' \
  "page.dax: is a web page, an error page perhaps; download the file itself"
refuse_text some.txt 'hello\n' \
  "some.txt: looks like no workflow file that is known (dax, wfformat, hyperflow, dot); name its format if it is one"
refuse_text none.dax '<adag>\n</adag>\n' "none.dax: has no task in it"
refuse_text twice.dax '<adag><job id="a"/>\n<job id="a"/></adag>' \
  "twice.dax:2: a second task has the id 'a'; ids tell tasks apart"
refuse_text noid.dax '<adag>\n<job name="a"/></adag>' "noid.dax:2: a <job> without an id"
refuse_text ref.dax '<adag><job id="a"/>\n<child ref="a">\n<parent ref="b"/></child></adag>' \
  'ref.dax:3: <parent ref="b">: there is no job of that id before it'
refuse_text time.dax '<adag>\n<job id="a" runtime="-3"/></adag>' "time.dax:2: runtime: '-3' is negative"
refuse_text cut.dax '<adag>\n<job id="a">\n' "cut.dax:3: is no whole XML: Error on line 3 char 2: Document ended unexpectedly with\
 elements still open — “job” was the last element opened"
refuse_text cycle.dot 'digraph { a -> b -> c -> a }' "cycle.dot:1: tasks wait for each other in a circle: a, c, b"
refuse_text behind.dot 'digraph { z; b -> c; c -> b; c -> z }' \
  "behind.dot:1: tasks wait for each other in a circle: c, b"
refuse_text group.dot 'digraph { {a b}\n-> c }' \
  "group.dot:1: edges from a group that begins a statement are not read; write one for each node"
refuse_text open.dot 'digraph { a -> b\n' "open.dot:1: the file ends before the graph does: a } is missing"
refuse_text undirected.dot 'digraph { a -- b }' "undirected.dot:1: edges of a DAG are written a -> b"
refuse_text parent.json '{"workflow":{"tasks":[{"id":"a","name":"x","parents":["z"]}]}}' \
  "parent.json: task 'a': there is no one task 'z' for its parents"
refuse_text vague.json '{"workflow":{"tasks":[{"id":"a","name":"x"},{"id":"b","name":"x"},{"id":"c","name":"y","parents":["x"]}]}}' \
  "vague.json: task 'c': there is no one task 'x' for its parents"
# brackets in texts of either kind and in comments, which the parser knows, are no brackets
for nest in '[' '["]",' "['\"]'," '[/*"*/'; do
  deep=$(printf '%0200d' 0 | sed "s|0|$nest|g")
  refuse_text deep.json "{\"workflow\":{\"tasks\":$deep" "deep.json: is nested too deeply; is this a workflow?"
done
refuse_text signal.json '{"processes":[{"name":"a","ins":[5]}],"signals":[]}' \
  "signal.json: process 1: one of its ins or outs is not the number of a signal with a name"
refuse_text process.json '{"processes":[{"name":"a"},1],"signals":[]}' "process.json: process 2 is no object"
refuses unknown_format "binnacle: 'dag' is no format of workflows; there are dax, wfformat, hyperflow, dot" \
  "$BINNACLE" workflow info two.dax --format dag
refuses unknown_word "binnacle: workflow draw: there are info and convert" "$BINNACLE" workflow draw two.dax
refuses half_a_model "binnacle: --model and --model-size: give both, as --model shared --model-size 2GB, or neither" \
  "$BINNACLE" workflow convert two.dax --model shared

# ---- wrapped ----

gzip -c two.dax >two.gz
says gzip two.gz "name: diamond" "format: dax"
expect standard_input 0 "" sh -c '"$BINNACLE" workflow info - <two.gz'
refuses empty_standard_input "binnacle: standard input: is empty" "$BINNACLE" workflow info -

# ---- large ----

awk 'BEGIN { print "<adag name=\"big\">"; for (i = 0; i < 10000; i++) printf "<job id=\"j%d\" name=\"n\" runtime=\"1\"><uses file=\"f%d\" \
link=\"input\" size=\"1\"/><uses file=\"f%d\" link=\"output\" size=\"1\"/></job>\n", i, int ((i - 1) / 2), i; print "</adag>" }' >big.dax
info big.dax
holds ten_thousand_tasks grep -qx 'tasks  *10000' out
awk 'BEGIN { print "<adag>"; for (i = 0; i < 16384; i++) printf "<job id=\"j%d\"><uses file=\"f\" link=\"%s\"/></job>\n", i,
  i % 2 ? "input" : "output"; print "</adag>" }' >crossed.dax
refuses too_many_edges "binnacle: crossed.dax: has 67108864 edges; at most 16777216 are read" "$BINNACLE" workflow info crossed.dax

# ---- public files, where they are ----

public=$BN_SRCDIR/../shared/traces
if [ -d "$public/pegasus-dax" ]; then
  says blackdiamond "$public/pegasus-dax/blackdiamond.dax" "tasks: 4" "edges: 4, 4 of them with a file behind them" "entry tasks: 1"
  says broadband "$public/pegasus-dax/broadband.dax" "tasks: 64" "edges: 72, 72 of them with a file behind them" "entry tasks: 8"
  says genome "$public/pegasus-dax/genome.dax" "tasks: 39" "edges: 44, 44 of them with a file behind them" "entry tasks: 2"
  says rseqflow "$public/pegasus-dax/rseqflow.dax" "tasks: 26" "edges: 51, 45 of them with a file behind them" "entry tasks: 2"
  says sipht "$public/pegasus-dax/sipht.dax" "tasks: 31" "edges: 34, 34 of them with a file behind them" "entry tasks: 23"
  says inspiral "$public/dslab-dax/inspiral-100.xml" "tasks: 100" "edges: 119, 119 of them with a file behind them" \
    "entry tasks: 23" "work: 21023.96s"
  says cybershake "$public/dslab-dax/cybershake-100.xml" "tasks: 100" "edges: 192, 192 of them with a file behind them" \
    "entry tasks: 2" "work: 2236.61s"
  says montage "$public/hyperflow-montage/workflow.json" "tasks: 143" "edges: 351, 351 of them with a file behind them" \
    "last tasks: 1"
  says eager "$public/opendc-samples/wfformat-trace.json" "tasks: 26" "edges: 44, 0 of them with a file behind them" \
    "entry tasks: 1" "work: 1844.353s" "critical path: 1388.427s: no job is quicker on GPUs of speed 1"
else
  echo "# the public files are not here: they were not read"
fi

finish
