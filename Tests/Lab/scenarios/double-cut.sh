#!/bin/bash
# two cables cut at once, and a flap of 300 ms, are told within 30 ms; the kernel tells the second cut a second late
. "$(dirname "$0")/../scenario.sh"
cards 10.1.0.2/24 10.2.0.2/24
sysctl -qw net.ipv4.conf.all.ignore_routes_with_linkdown=1
for link in eth0 eth1; do sysctl -qw "net.ipv4.conf.$link.ignore_routes_with_linkdown=1"; done
ip route add default via 10.1.0.1 dev eth0 metric 100
ip route add default via 10.2.0.1 dev eth1 metric 200
ip -ts monitor link >/run/monitor &
start_unrecorded
expect "the first card" ethernet eth0
# The program's pages come over a shared file system at their first use, and the emulator translates them then.
cable 0 off
expect "a first pull" ethernet eth1
cable 0 on
expect "undone" ethernet eth0
witness eth0 eth1
first=() second=() kernel=() sent=()
for _ in {1..3}; do
    sleep 1.2
    watch_events
    now=${EPOCHREALTIME/./}
    cable 0 off
    cable 1 off
    await 10 "both cables are cut" '.reachability == "none"'
    sleep 1.3
    sent+=("$(($(changed eth1 0 4) / 1000000 - now / 1000))")
    first+=("$(told '.to.interfaces != ["eth0"]' eth0 0)")
    second+=("$(told '.reachability == "none"' eth1 0)")
    kernel+=("$(told_by_kernel eth1 0)")
    cable 0 on
    cable 1 on
    await 10 "and put back" '.to.interfaces == ["eth0"]'
done
at_most 30 "the first of two cuts is told" "${first[@]}"
at_most 30 "the second is told" "${second[@]}"
echo "  note: ip monitor tells the second after ${kernel[*]} ms; the emulator takes ${sent[*]} ms to pull the cables"

pulled=() back=() again=() kernel=()
for _ in {1..3}; do
    sleep 1.2
    watch_events
    cable 0 off
    sleep 0.3
    pulled+=("$(told '.to.interfaces == ["eth1"]' eth0 0)")
    cable 0 on
    sleep 0.3
    back+=("$(told '.to.interfaces == ["eth0"]' eth0 1)")
    watch_events
    cable 0 off
    await 10 "pulled, put back and pulled again within the kernel's second" '.to.interfaces == ["eth1"]'
    sleep 1.3
    again+=("$(told '.to.interfaces == ["eth1"]' eth0 0)")
    kernel+=("$(told_by_kernel eth0 0)")
    cable 0 on
    await 10 "and put back" '.to.interfaces == ["eth0"]'
done
at_most 30 "the first pull of a flap is told" "${pulled[@]}"
at_most 30 "the cable that is put back is told" "${back[@]}"
at_most 30 "the second pull of a flap is told" "${again[@]}"
echo "  note: ip monitor tells the second pull after ${kernel[*]} ms"
kill "$witness"
finish
