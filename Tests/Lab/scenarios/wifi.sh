#!/bin/bash
# a station on a WPA2 access point is wifi; a lost association is none, and back again
. "$(dirname "$0")/../scenario.sh"
wifi
ip route add default via 10.9.0.1
start_netwatch
expect "an associated station" wifi wlan0
await 5 "the network's name and the access point are told" '.path.interfaces[] | select(.name == "wlan0") |
    .wireless.ssid == "netwatch-lab" and (.wireless.bssid | test("^[0-9a-f:]{17}$")) and .wireless.frequency == 2412'
wpa_cli -p /run/supplicant -i wlan0 disconnect >/dev/null
expect "a station that left, its address and route still there" none
await 5 "the reason is the carrier" '.path.reason == "no-carrier"'
wpa_cli -p /run/supplicant -i wlan0 reconnect >/dev/null
expect "associated again" wifi wlan0
kill "$(cat /run/hostapd.pid)"
expect "the access point is gone" none
access_point
associated wlan0
expect "the access point is back" wifi wlan0
kill "$(cat /run/supplicant.pid)"
ip link set wlan0 down
ip link set wlan0 name home
station home
ip route replace default via 10.9.0.1 dev home
expect "a renamed station" wifi home
finish
