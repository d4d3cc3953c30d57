#!/bin/bash
# two cables cut at once are both told within 30 ms; the kernel tells the second about a second late
. "$(dirname "$0")/../scenario.sh"
cards 10.1.0.2/24 10.2.0.2/24
sysctl -qw net.ipv4.conf.all.ignore_routes_with_linkdown=1
for link in eth0 eth1; do sysctl -qw "net.ipv4.conf.$link.ignore_routes_with_linkdown=1"; done
ip route add default via 10.1.0.1 dev eth0 metric 100
ip route add default via 10.2.0.1 dev eth1 metric 200
ip -ts monitor link >/run/monitor &
start_netwatch
expect "the first card" ethernet eth0
sleep 2
witness eth0 eth1
cable 0 off
cable 1 off
expect "both cables are cut" none
sleep 1.5
first=$(cat /run/gone.eth0) second=$(cat /run/gone.eth1)
at_most 30 "the first cut is told" "$(told '.to.interfaces != ["eth0"]' "$first")"
at_most 30 "the second cut is told" "$(told '.reachability == "none"' "$second")"
kernel=$(grep -m 1 'eth1.*NO-CARRIER' /run/monitor | sed 's/^\[\([^]]*\)\].*/\1/' || true)
[ -z "$kernel" ] || echo "  note: ip monitor told the second cut after $((($(date -d "$kernel" +%s%N) - second) / 1000000)) ms"

cable 0 on
cable 1 on
expect "both cables are back" ethernet eth0
sleep 2
witness eth0
cable 0 off
expect "a cable that is pulled" ethernet eth1
at_most 30 "the first pull of a flap is told" "$(told '.to.interfaces == ["eth1"]' "$(cat /run/gone.eth0)")"
cable 0 on
expect "put back" ethernet eth0
witness eth0
cable 0 off
expect "and pulled again within the kernel's second" ethernet eth1
at_most 30 "the second pull of a flap is told" "$(told '.to.interfaces == ["eth1"]' "$(cat /run/gone.eth0)")"
finish
