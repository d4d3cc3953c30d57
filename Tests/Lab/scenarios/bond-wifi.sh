#!/bin/bash
# an active-backup bond of Ethernet and Wi-Fi counts as its active device: ethernet, and wifi once the wire is cut
. "$(dirname "$0")/../scenario.sh"
wifi_devices
ip link add bond0 type bond mode active-backup miimon 50 fail_over_mac active
# The driver of a device that is up does not let it be enslaved.
ip link set wlan0 down
ip link set eth0 master bond0
ip link set wlan0 master bond0
ip link set bond0 type bond primary eth0
ip link set bond0 up
station wlan0
until [ "$(cat /sys/class/net/bond0/bonding/active_slave)" = eth0 ]; do sleep 0.05; done
ip address add 10.9.0.2/24 dev bond0
ip route add default via 10.9.0.1
start_netwatch
expect "the wire" ethernet bond0 eth0
cable 0 off
expect "the wire is cut" wifi bond0 wlan0
await 5 "that is told as a transition" '.from.reachability == "ethernet" and .reachability == "wifi"'
wpa_cli -p /run/supplicant -i wlan0 disconnect >/dev/null
expect "the station leaves too" none
cable 0 on
expect "the wire is back" ethernet bond0 eth0
wpa_cli -p /run/supplicant -i wlan0 reconnect >/dev/null
associated wlan0
ip link set eth0 down
expect "the wire's card is set down" wifi bond0 wlan0
finish
