#!/bin/bash
# what is in a VRF does not count for the host, unless a route leaks into it
. "$(dirname "$0")/../scenario.sh"
cards 10.1.0.2/24
ip link add red type vrf table 10
ip link set red up
start_netwatch
ip route add default via 10.1.0.1
expect "a card with a default route" ethernet eth0
ip link set eth0 master red
expect "the card moves into a VRF, its routes with it" none
ip route add default via 10.1.0.1 dev eth0 table 10
sleep 0.5
expect "a default route in the VRF's table" none
ip route add default via 10.1.0.1 dev eth0
expect "a route that leaks from the host into it" ethernet eth0
ip route delete default via 10.1.0.1 dev eth0
expect "the leak is closed" none
ip link set eth0 nomaster
ip route add default via 10.1.0.1 dev eth0
expect "the card is the host's again" ethernet eth0
finish
