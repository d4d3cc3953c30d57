#!/bin/bash
# two cables cut at once are both told within 30 ms; the kernel tells the second a second late
. "$(dirname "$0")/../scenario.sh"
watched_cables
first=() second=() kernel=() sent=()
for _ in {1..10}; do
    sleep 1.2
    watch_events
    now=${EPOCHREALTIME/./}
    cable 0 off
    cable 1 off
    sleep 1.3
    sent+=("$(($(changed eth1 0 4) / 1000000 - now / 1000))")
    first+=("$(told '.interfaces != ["eth0"]' eth0 0)")
    second+=("$(told '.reachability == "none"' eth1 0)")
    kernel+=("$(told_by_kernel eth1 0)")
    cable 0 on
    cable 1 on
    until [ "$(tail -n 1 "$events" | jq -c .interfaces)" = '["eth0"]' ]; do sleep 0.05; done
done
at_most 30 "the first of two cuts is told" "${first[@]}"
at_most 30 "the second is told" "${second[@]}"
late "ip monitor tells the second a third of a second late or more" "${kernel[@]}"
echo "  note: the emulator takes ${sent[*]} ms to pull both cables"
kill "$witness"
finish
