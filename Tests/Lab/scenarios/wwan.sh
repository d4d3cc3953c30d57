#!/bin/bash
# a modem's session is wwan, with and without its route
. "$(dirname "$0")/../scenario.sh"
modem
start_netwatch
expect "a session without a route" none
ip route add default dev wwan0-1 scope link
expect "a session with a route" wwan wwan0-1
ip link set wwan0-1 down
expect "a session set down" none
ip link set wwan0-1 up
ip route add default dev wwan0-1 scope link
expect "a session set up" wwan wwan0-1
ip link delete wwan0-1
expect "a session that was deleted" none
finish
