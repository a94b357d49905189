#!/bin/sh
# trace_formats.sh: rows in the form of every public trace, made up, and which arrivals they are.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1
seen=

# is FORMAT ROWS [OPTION...] <TEXT: the content says that it is this format, and these are its arrivals: arrival_ms and
# duration_ms, parted by blanks.
is () {
  is_format=$1
  is_rows=$2
  shift 2
  seen="$seen $is_format"
  cat >t
  told=$("$BINNACLE" trace info t "$@" 2>&1 | sed -n '1s/^t: \([^,]*\),.*/\1/p')
  rows=$("$BINNACLE" trace convert t "$@" 2>err | sed -n 's/^\([0-9]*[.][0-9]*,[0-9.]*\),.*/\1/p' | tr '\n' ' ')
  if [ "$told" = "$is_format" ] && [ "$rows" = "$is_rows " ]; then
    good "$is_format"
  else
    wrong "$is_format" "format $told" "$rows" "$(cat err)"
  fi
}

is azure-llm '0.000000, 52.000000,' <<'END'
TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:17:03.9799600,4808,10
2023-11-16 18:17:04.0319600,3180,8
END
is vidur '0.000000, 52.000000,' <<'END'
arrived_at,num_prefill_tokens,num_decode_tokens,pd_ratio
0.0,4808,10,480.8
0.052,3180,8,397.5
END
is qwen-bailian '61114.000000, 61114.500000,' <<'END'
{"chat_id": 1, "parent_chat_id": -1, "timestamp": 61.114, "input_length": 1, "output_length": 2, "type": "text", "turn": 1}
{"chat_id": 2, "parent_chat_id": 1, "timestamp": 61.1145, "input_length": 1, "output_length": 2, "type": "text", "turn": 2}
END
is mooncake '0.000000, 3000.000000,' <<'END'
{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}
{"timestamp": 3000, "input_length": 1, "output_length": 2, "hash_ids": []}
END
is aibrix '500.000000, 500.000000, 1500.000000,' <<'END'
{"timestamp": 500, "requests": [{"Prompt Length": 10, "Output Length": 2}, {"Prompt Length": 11, "Output Length": 3}]}
{"timestamp": 1000, "requests": []}
{"timestamp": 1500, "requests": [{"Prompt Length": 5, "Output Length": 1}]}
END
holds a_line_without_requests_is_skipped grep -q '3 rows read, 3 arrivals; 1 skipped: without requests (first in line 2)' err
holds each_request_has_its_own_fields [ "$("$BINNACLE" trace convert t 2>err | cut -d, -f3-5 | paste -sd' ')" = \
  "timestamp,Prompt Length,Output Length 500,10,2 500,11,3 1500,5,1" ]
is burstgpt '5000.000000, 45000.000000,' <<'END'
Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
5,,1.5,ChatGPT,472,18,490,API log
45,7,2.5,GPT-4,0,0,0,Conversation log
END
is azure-functions-2021 '1000.000000,2500.000000 2000.000000,500.000000' --sort <<'END'
app,func,end_timestamp,duration,start_timestamp_ms
a,g,2.5,0.5,2000
a,f,3.5,2.5,1000
END
is azure-vm '0.000000,2591700000.000000 5000.000000,2000.000000' <<'END'
x/Xs+=,y,z==,0,2591700,99.369869,3.4240942342446719,10.194309,Interactive,1,1.75
x,y,z,5,7,1,1,1,Unkown,1,1
END
is alibaba-v2018 '87076000.000000,8000.000000' <<'END'
M1,1,j_1,1,Terminated,87076,87084,100.0,0.39
R2_1,1,j_1,1,Waiting,0,0,,
END
is alibaba-v2020-job '10000.000000,10500.000000' <<'END'
j1,i1,u,Terminated,10,20.5
j2,i2,u,Waiting,,
END
is alibaba-v2020-task '10000.000000,10000.000000' <<'END'
j1,tensorflow,1,Terminated,10,20,600,29.3,100,V100
j2,worker,1,Waiting,,,600,,,
END
is alibaba-v2023 '0.000000,12537496000.000000 427061000.000000,' <<'END'
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
"a",1,0,1,460,"A10|G2",LS,Running,0,12537496,0
b,1,1,0,0,,BE,Pending,427061,,
END
is alibaba-v2025 '475000.000000,25000.000000' <<'END'
instance_sn,role,app_name,cpu_request,gpu_request,max_instance_per_node,creation_time,scheduled_time,deletion_time
i,HN,a,12,1,-1,475.00000000000006,475.00000000000006,500
j,CN,a,12,0,1,,,9
END
is alibaba-genai-v2026 '0.000000, 0.000000,4500.000000' <<'END'
gmt_create,predict_type,predict_status,exec_time_seconds,groupId
2024-09-01 00:00:00,T,PENDING,0.0,
2024-09-01 00:00:00,T,SUCCEED,4.5,g
END
is alibaba-spot-v2026 '0.000000,300000.000000 9000.000000,' <<'END'
job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type
a,1,A10,12,1,1,0,300,HP
b,1,A10,12,0.5,2,9,,Spot
END
is helios '0.000000,1000.000000 16000.000000,0.000000' <<'END'
job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1,u,v,8,64,1,COMPLETED,2020-04-01 00:06:44,2020-04-01 00:06:45,2020-04-01 00:06:46,1,1
2,u,v,0,1,1,CANCELLED,2020-04-01 00:07:00,None,None,0,0
END
is helios '0.000000,10000.000000' <<'END'
job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
1,u,1,8,1,Other,COMPLETED,2023-03-01 00:00:00+08:00,2023-03-01 00:00:05+08:00,2023-03-01 00:00:15+08:00,10,5,80
END
is philly '0.000000,440000.000000 5000.000000,' <<'END'
[
    {
        "status": "Pass",
        "jobid": "j1",
        "attempts": [
            {"start_time": "2017-10-09 07:02:40", "end_time": "2017-10-09 07:02:57", "detail": [{"ip": "}{\"]"}]},
            {"start_time": "2017-10-09 07:03:00", "end_time": "2017-10-09 07:10:00", "detail": []}
        ],
        "submitted_time": "2017-10-09 07:01:55"
    }, {"jobid": "j2", "attempts": [], "submitted_time": "2017-10-09 07:02:00"},
    {"jobid": "j3", "attempts": [{"start_time": "None"}], "submitted_time": "None"}
]
END
holds a_job_without_a_time_is_skipped grep -q '3 rows read, 2 arrivals; 1 skipped: without a time (first in line 11)' err
is borg-2019 '2517305308.183000, 2517305309.000000,3.000000' --sort <<'END'
,time,instance_events_type,collection_id,instance_index,resource_request,start_time,end_time
0,0,2,94591244395,144,"{'cpus': 0.02, 'memory': 0.01}",2000000,5000000
1,2517305309000,2,26,335,"[0
 1]",2000000,2003000
2,2517305308183,2,260697606809,335,"{'cpus': 0.02,
 'memory': 0.01}",2000000,9223372036854775807
3,9223372036854775807,2,3,335,,2000000,5000000
END
holds before_and_after_the_trace_are_no_times grep -q '4 rows read, 2 arrivals; 2 skipped: without a time (first in line 2)' err
is elasticflow-philly '1500.000000,4250.000000' <<'END'
job_id,submit_time,model_name,ddl,num_gpu,duration,num_iters,batch_size
0,1.5,vgg16,9,8,4.25,100,64
END
is gavel '0.000000,' <<'END'
Transformer (batch size 128)	cd %s && python3 train.py -data "x", y	-step	1	5352613	0.000000	4
END
is gavel-10 '2500.000000,' <<'END'
ResNet-18	python3 main.py	img	--num_steps	1	925982	4	1	-1.000000	2.5
END
is swf '588530000.000000,306000.000000' <<'END'
; MaxJobs: 9
    1   588530    937  306 142.00    -1   -1  35100    -1  1  97  -1 307  3 -1 -1 -1 -1
END
is gwf '4000.000000, 16000.000000,11000.000000' --sort <<'END'
WorkflowID, JobID     , SubmitTime, RunTime   , NProcs    , ReqNProcs , Dependencies
0         , 1         , 16        , 11        , 1         , 1         ,
0         , 2         , 4         , -1        , 1         , 1         , 1 3
END
is binnacle '0.000000,1.000001 0.500000,' <<'END'
arrival_ms,duration_ms,workflow
0,1.000001,a
0.5,,"b"
END
servegen='0,0.5,0.92,Gamma,1.16,8.05
600,0,0,,0,0'
is servegen "$(echo "$servegen" >s; "$BINNACLE" trace convert s 2>err | sed 1d | cut -d, -f1,2 | paste -sd' ')" <<END
$servegen
END
holds windows_drive_arrivals [ "$(sed -n 's/.*rows read, \([0-9]*\) arrivals.*/\1/p' err)" -gt 200 ]

# ---- numbers of arrivals: as many as they say, each in its interval ----

# intervals NAME UNIT_MS EXPECTED: how many arrivals lie in each interval of t.
intervals () {
  "$BINNACLE" trace convert t --sort 2>err | sed 1d | awk -F, -v unit="$2" '{ print int ($1 / unit) }' | uniq -c |
    awk '{ printf "%s:%s ", $2, $1 }' >out
  holds "$1" [ "$(cat out)" = "$3" ]
}
minutes=$(seq -s, 1 1440)
zeros=$(seq 1 1439 | sed 's/.*/,0/' | tr -d '\n')
cat >t <<END
HashOwner,HashApp,HashFunction,Trigger,$minutes
o,a,f,http,3$zeros
o,a,g,timer$zeros,2
o,a,h,queue,0$zeros
END
intervals a_minute_has_its_number 60000 '0:3 1439:2 '
holds a_function_never_called_is_skipped grep -q '3 rows read, 5 arrivals; 1 skipped: without requests (first in line 4)' err
holds the_minute_is_a_column [ "$("$BINNACLE" trace convert t --sort 2>err | cut -d, -f3-7 | sort | uniq -c | sed 's/^ *//' |
  paste -sd' ')" = "1 HashOwner,HashApp,HashFunction,Trigger,minute 3 o,a,f,http,1 2 o,a,g,timer,1440" ]
refuses functions_come_in_no_order \
  "binnacle: t:3: comes before the row before it; have rows put in order (--sort, or trace-sort = on)" \
  sh -c "sed -n '1p;3p' t >u; sed -n 2p t >>u; mv u t; '$BINNACLE' trace info t"
rates='3 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1'
printf '%s' "$rates" >t
intervals a_second_has_its_number 1000 '0:3 2:2 24:1 '
"$BINNACLE" trace convert t >blanks 2>err
echo "[$(echo "$rates" | sed 's/ /, /g')]" >t
"$BINNACLE" trace convert t >list 2>err
holds a_list_is_the_same cmp -s blanks list
"$BINNACLE" trace convert t --seed 2 >other 2>err
holds another_seed_draws_others [ "$(cmp -s list other; echo $?)" = 1 ]
seen="$seen azure-functions-2019 request-rates request-rates-list"

holds every_format_was_here [ "$(for f in $seen; do echo "$f"; done | sort -u)" = \
  "$("$BINNACLE" list traces | grep '^[a-z]' | sort)" ]

# ---- and what is wrong with them ----

# bad NAME MESSAGE TEXT
bad () {
  printf '%s\n' "$3" >t
  refuses "$1" "binnacle: $2" "$BINNACLE" trace info t
}
bad no_number_of_arrivals 't:1: field 24 is no number of arrivals, from 0 to 1000000000' \
  '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 x'
bad too_many_arrivals 't:1: field 1 is no number of arrivals, from 0 to 1000000000' \
  '1000000001 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24'
bad requests_are_no_list 't:1: the object has no array requests' '{"timestamp": 500, "requests": 3}'
bad an_object_never_ends 't:1: the object never ends; is the download complete?' \
  '[{"jobid": "j1", "submitted_time": "2017-10-09 07:01:55", "attempts": []'
bad no_comma_between_objects 't:2: a comma should follow the object' '[
{"jobid": "j1", "submitted_time": "2017-10-09 07:01:55", "attempts": []}{}]'
bad no_object_in_an_array 't:2: here an object in JSON, { ... }, should begin' \
  '[{"jobid": "j1", "submitted_time": "2017-10-09 07:01:55", "attempts": []},
"j2"]'
bad another_array 't: is an array in JSON; give an object a line, or CSV' '[{"job": 1}]'
finish
