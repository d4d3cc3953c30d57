#!/bin/bash
# fail-over among Ethernet, Wi-Fi and WWAN by metric
. "$(dirname "$0")/../scenario.sh"
cards 10.1.0.2/24
wifi
modem
# As hosts with several uplinks are set: the kernel then passes over links without a carrier.
sysctl -qw net.ipv4.conf.all.ignore_routes_with_linkdown=1
for link in eth0 wlan0 wwan0-1; do sysctl -qw "net/ipv4/conf/$link/ignore_routes_with_linkdown=1"; done
ip route add default via 10.1.0.1 dev eth0 metric 100
ip route add default via 10.9.0.1 dev wlan0 metric 600
ip route add default dev wwan0-1 scope link metric 700
start_netwatch
expect "the least metric" ethernet eth0
await 5 "the spares are known to be usable" '[.path.interfaces[] | select(.ipv4.isUsable) | .name] |
    contains(["eth0", "wlan0", "wwan0-1"])'
cable 0 off
expect "the cable is pulled" wifi wlan0
wpa_cli -p /run/supplicant -i wlan0 disconnect >/dev/null
expect "the station leaves too" wwan wwan0-1
ip link set wwan0-1 down
expect "nothing is left" none
wpa_cli -p /run/supplicant -i wlan0 reconnect >/dev/null
expect "the station is back" wifi wlan0
cable 0 on
expect "the cable is back" ethernet eth0
ip route delete default dev eth0 metric 100
expect "the route itself is taken away" wifi wlan0
finish
