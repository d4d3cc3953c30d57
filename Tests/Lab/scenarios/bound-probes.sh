#!/bin/bash
# probes bound to wifi and to wwan leave by those devices and by no other, though the default route is a cable's
. "$(dirname "$0")/../scenario.sh"
here=$(dirname "$0")/..
cards 10.1.0.2/24
wifi
modem
# Nobody is behind the cable. With a neighbour, what goes there leaves the card all the same.
ip neighbour add 10.1.0.1 lladdr 52:54:00:00:00:01 dev eth0
ip route add default via 10.1.0.1 dev eth0 metric 100
ip route add default via 10.9.0.1 dev wlan0 metric 600
ip route add default dev wwan0-1 scope link metric 700
ip -n ap link set lo up
ip -n ap address add 198.51.100.1/32 dev lo
ip netns exec ap python3 -m http.server --bind 198.51.100.1 80 >/run/web.log 2>&1 &
until [ -n "$(ip netns exec ap ss -ltnH 'sport = :80')" ]; do sleep 0.1; done
"$here/packet-witness.py" 198.51.100.{1..3} >/run/packets &
until [ -s /run/packets ]; do sleep 0.05; done

"$here/embedded.py" "$NETWATCH_LIBRARY" '{"interval": 1, "timeout": 2, "retryDelay": 1, "targets": [
    {"name": "wifi", "url": "http://198.51.100.1/", "medium": "wifi"},
    {"name": "wwan", "url": "http://198.51.100.2/", "medium": "wwan"},
    {"name": "echo", "url": "icmp://198.51.100.2", "medium": "wwan"},
    {"name": "cable", "url": "tcp://198.51.100.3:80"}]}' >"$events" 2>/run/errors &
netwatch=$!
await 30 "the target behind the access point answers" '.statuses.wifi == "up"'
await 5 "the cable has the default route" '.path.ipv4.interface == "eth0"'
# counted NUMBER DEVICE WORDS: packets for 198.51.100.NUMBER have left, all of them by the device.
counted() {
    local by
    by=$(awk -v address="198.51.100.$1" '$2 == address { count[$1]++ } END { for (link in count) print link, count[link] }' /run/packets)
    if [[ $by == "$2 "* && $by != *$'\n'* ]]; then
        echo "  pass: $3: $by packets"
    else
        fail "$3" "packets by $2 alone, not: ${by:-none}"
    fi
}
for address in 198.51.100.2 198.51.100.3; do
    until [ "$(grep -c "$address\$" /run/packets)" -ge 10 ]; do sleep 0.1; done
done
# Whose fault the silence is cannot be told: nobody else is behind the modem or the cable.
await 5 "what nobody answers is not well" '.statuses | [.wwan, .cable] | index("up") == null'
counted 1 wlan0 "what is bound to wifi leaves by the station"
counted 2 wwan0-1 "what is bound to wwan leaves by the modem"
counted 3 eth0 "what is not bound leaves by the default route"

# Without a device of its medium nothing is sent, by no other either.
ip link set wwan0-1 down
sleep 1
before=$(grep -c '198.51.100.2$' /run/packets)
sleep 4
after=$(grep -c '198.51.100.2$' /run/packets)
if [ "$before" = "$after" ]; then
    echo "  pass: without the modem nothing is sent for it"
else
    fail "without the modem nothing is sent for it" "no packet, not $((after - before))"
fi
finish
