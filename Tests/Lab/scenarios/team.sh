#!/bin/bash
# a team device leaves by its live port, as its daemon chooses it
. "$(dirname "$0")/../scenario.sh"
mkdir -p /run/teamd
teamd -d -U -c '{"device": "team0", "runner": {"name": "activebackup"}, "link_watch": {"name": "ethtool"},
    "ports": {"eth0": {"prio": 100}, "eth1": {"prio": 10}}}' >/run/teamd.log 2>&1 || { cat /run/teamd.log; exit 1; }
ip address add 10.1.0.2/24 dev team0
ip link set team0 up
until [ "$(cat /sys/class/net/team0/carrier)" = 1 ]; do sleep 0.05; done
ip route add default via 10.1.0.1
active() { teamdctl team0 state item get runner.active_port; }
until [ "$(active)" = eth0 ]; do sleep 0.05; done
start_netwatch
expect "a team" ethernet team0 eth0
cable 0 off
until [ "$(active)" = eth1 ]; do sleep 0.05; done
# The team stays the way out: no transition, but the chain underneath it is another.
chain=$("$NETWATCH" status --no-probe --json | jq -c .path.ipv4.via)
if [ "$chain" = '["team0","eth1"]' ]; then echo "  pass: the active port's cable is pulled"; else fail "the active port's cable is pulled" "team0, eth1, not $chain"; fi
cable 1 off
expect "both cables are pulled" none
cable 1 on
expect "one is back" ethernet team0 eth1
finish
