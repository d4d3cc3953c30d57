#!/bin/bash
# a carrier that is lost for 300 ms is told within 30 ms, and so is its return; beside other news the kernel never tells
. "$(dirname "$0")/../scenario.sh"
watched_cables

# After a quiet second the kernel tells both at once: a carrier that comes is urgent to it (net/core/link_watch.c).
lost=() back=() kernel=() returned=()
for _ in {1..10}; do
    sleep 1.2
    watch_events
    cable 0 off
    sleep 0.3
    cable 0 on
    sleep 1.2
    lost+=("$(told '.interfaces == ["eth1"]' eth0 0)")
    back+=("$(told '.interfaces == ["eth0"]' eth0 1)")
    kernel+=("$(told_by_kernel eth0 0)") returned+=("$(told_by_kernel eth0 1)")
done
at_most 30 "a flap's loss is told" "${lost[@]}"
at_most 30 "its return is told" "${back[@]}"
echo "  note: ip monitor tells the loss after ${kernel[*]} ms, the return after ${returned[*]} ms"

# After any other link's news the kernel keeps a loss to itself until its second is over: the carrier is back by then.
lost=() back=() kernel=()
for _ in {1..10}; do
    sleep 1.2
    watch_events
    cable 1 off
    sleep 0.1
    cable 0 off
    sleep 0.3
    cable 0 on
    sleep 1.2
    lost+=("$(told '.reachability == "none"' eth0 0)")
    back+=("$(told '.interfaces == ["eth0"]' eth0 1)")
    kernel+=("$(told_by_kernel eth0 0)")
    cable 1 on
done
at_most 30 "the loss of a flap beside other news is told" "${lost[@]}"
at_most 30 "its return is told" "${back[@]}"
late "ip monitor tells the loss a third of a second late or more" "${kernel[@]}"
kill "$witness"
finish
