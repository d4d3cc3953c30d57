#!/bin/bash
# a WireGuard tunnel over Wi-Fi is wifi, by way of the station; without the station it leads nowhere
. "$(dirname "$0")/../scenario.sh"
wifi
ip route add default via 10.9.0.1
mkdir -p /run/keys
for end in here there; do wg genkey | tee /run/keys/$end | wg pubkey >/run/keys/$end.public; done
ip netns exec ap ip link add wg0 type wireguard
ip netns exec ap wg set wg0 private-key /run/keys/there listen-port 51820 peer "$(cat /run/keys/here.public)" \
    allowed-ips 10.30.0.2/32
ip netns exec ap ip address add 10.30.0.1/24 dev wg0
ip netns exec ap ip link set wg0 up
# A packet into the tunnel makes it shake hands with its peer, if its own packets get through.
shakes_hands() {
    local tries=100
    until wg show wg0 latest-handshakes | awk '{ exit $2 == 0 }'; do
        ((tries-- > 0)) || { fail "the tunnel carries packets" "a handshake"; return; }
        echo >/dev/udp/10.30.0.1/9 || true
        sleep 0.1
    done
    echo "  pass: the tunnel carries packets"
}
start_netwatch
expect "before the tunnel" wifi wlan0
# As wg-quick does it: everything but the tunnel's own packets looks into a table that leads into the tunnel.
ip link add wg0 type wireguard
wg set wg0 private-key /run/keys/here fwmark 51820 peer "$(cat /run/keys/there.public)" endpoint 10.9.0.1:51820 \
    allowed-ips 0.0.0.0/0 persistent-keepalive 5
ip address add 10.30.0.2/32 dev wg0
ip link set wg0 up
ip route add default dev wg0 table 51820
ip rule add not fwmark 51820 table 51820
ip rule add table main suppress_prefixlength 0
expect "a tunnel over the station" wifi wg0 wlan0
shakes_hands
wpa_cli -p /run/supplicant -i wlan0 disconnect >/dev/null
expect "the station underneath left" none
await 5 "the reason is the tunnel's" '.path.reason == "tunnel-has-no-path"'
wpa_cli -p /run/supplicant -i wlan0 reconnect >/dev/null
expect "the station is back" wifi wg0 wlan0
ip rule delete not fwmark 51820 table 51820
expect "the tunnel is passed by" wifi wlan0

# Without rules by mark only the peer's endpoint tells the card underneath, though another has the default route.
cards 10.1.0.2/24
ip route replace default via 10.1.0.1 dev eth0 metric 50
ip route add 0.0.0.0/1 dev wg0
ip route add 128.0.0.0/1 dev wg0
expect "a tunnel whose peer is behind the station" wifi wg0 wlan0
wg set wg0 peer "$(cat /run/keys/there.public)" endpoint 10.1.0.9:51820
ip link set eth1 up
expect "the peer has moved behind the card" ethernet wg0 eth0
# Who has no capability is not told of peers, and takes the uplink of the least metric.
chain=$(setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all \
    "$NETWATCH" status --no-probe --json | jq -c .path.ipv4.via)
if [ "$chain" = '["wg0","wlan0"]' ]; then echo "  pass: a guess without a capability"; else fail "a guess without a capability" "wg0, wlan0, not $chain"; fi
finish
