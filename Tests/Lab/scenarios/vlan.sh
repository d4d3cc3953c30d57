#!/bin/bash
# a VLAN leaves by the card underneath it, and ends with that card's carrier
. "$(dirname "$0")/../scenario.sh"
cards 192.0.2.2/24
ip link add link eth0 name eth0.10 type vlan id 10
ip address add 10.10.0.2/24 dev eth0.10
ip link set eth0.10 up
start_netwatch
expect "no route yet" none
ip route add default via 10.10.0.1
expect "a VLAN on a card" ethernet eth0.10 eth0
cable 0 off
expect "the card's cable is pulled" none
cable 0 on
expect "the cable is back" ethernet eth0.10 eth0
ip link set eth0 down
expect "the card is set down" none
ip link set eth0 up
until [ "$(cat /sys/class/net/eth0.10/carrier 2>/dev/null)" = 1 ]; do ip link set eth0.10 up; sleep 0.1; done
ip route replace default via 10.10.0.1
expect "the card and the route are back" ethernet eth0.10 eth0
finish
