#!/bin/bash
# GRE, IPIP and VXLAN count as what their own packets leave by, and lead nowhere without it
. "$(dirname "$0")/../scenario.sh"
wifi
cards 10.1.0.2/24
start_netwatch
expect "no route yet" none
# tunnel NAME MEDIUM CHAIN...: has everything leave by a tunnel.
tunnel() {
    local name=$1 medium=$2
    shift 2
    ip address add 10.30.0.2/24 dev "$name"
    ip link set "$name" up
    ip route add default dev "$name"
    expect "$name" "$medium" "$name" "$@"
}
leave() { wpa_cli -p /run/supplicant -i wlan0 disconnect >/dev/null; }
come_back() { wpa_cli -p /run/supplicant -i wlan0 reconnect >/dev/null; }

ip link add gre1 type gre local 10.9.0.2 remote 10.9.0.1
tunnel gre1 wifi wlan0
leave
expect "the station underneath left" none
await 5 "the reason is the tunnel's" '.path.reason == "tunnel-has-no-path"'
come_back
expect "the station is back" wifi gre1 wlan0
ip link delete gre1

ip link add ipip1 type ipip remote 10.1.0.1
tunnel ipip1 ethernet eth0
cable 0 off
expect "the cable underneath is pulled" none
await 5 "the reason is the tunnel's" '.path.reason == "tunnel-has-no-path"'
cable 0 on
expect "the cable is back" ethernet ipip1 eth0
ip route add 10.1.0.1/32 via 10.9.0.1
expect "the far end is behind the station now" wifi ipip1 wlan0
ip route replace unreachable 10.1.0.1/32
expect "there is no way to the far end" none
ip link delete ipip1
ip route delete unreachable 10.1.0.1/32

ip link add vxlan1 type vxlan id 7 remote 10.9.0.1 dstport 4789
tunnel vxlan1 wifi wlan0
leave
expect "the station underneath left" none
come_back
expect "the station is back" wifi vxlan1 wlan0
ip link delete vxlan1
ip link add vxlan1 type vxlan id 7 remote 10.1.0.1 dstport 4789 dev eth0
tunnel vxlan1 ethernet eth0
cable 0 off
expect "the cable of a VXLAN with a device is pulled" none
cable 0 on
expect "the cable is back" ethernet vxlan1 eth0
finish
