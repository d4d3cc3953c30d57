#!/bin/bash
# an active-backup bond leaves by its active card; a fail-over changes the chain and no route
. "$(dirname "$0")/../scenario.sh"
ip link add bond0 type bond mode active-backup miimon 50
ip link set eth0 master bond0
ip link set eth1 master bond0
ip link set eth0 up
ip link set eth1 up
ip link set bond0 type bond active_slave eth0
ip address add 10.1.0.2/24 dev bond0
ip link set bond0 up
until [ "$(cat /sys/class/net/bond0/carrier)" = 1 ]; do sleep 0.05; done
ip route add default via 10.1.0.1
start_netwatch
expect "a bond" ethernet bond0 eth0
cable 0 off
# The bond stays the way out: no transition, but the chain underneath it is another.
sleep 1
chain=$("$NETWATCH" status --no-probe --json | jq -c .path.ipv4.via)
if [ "$chain" = '["bond0","eth1"]' ]; then echo "  pass: the active card's cable is pulled"; else fail "the active card's cable is pulled" "bond0, eth1, not $chain"; fi
cable 1 off
expect "both cables are pulled" none
cable 1 on
expect "one is back" ethernet bond0 eth1
finish
