# What every scenario is written in. A scenario sources this file, builds its network, starts netwatch, and says what it
# expects; the first line that fails prints the last event beside it. `$NETWATCH` is the program.
set -euo pipefail

events=/run/events
failures=0

# The machine's own cables and radios.

cable() { echo "set_link nic$1 $2" >"$LAB_MONITOR"; }

# cards ADDRESS... gives eth0, eth1, … an address each and waits for their carriers.
cards() {
    local number=0 address
    for address in "$@"; do
        ip address add "$address" dev "eth$number"
        ip link set "eth$number" up
        number=$((number + 1))
    done
    while ((number-- > 0)); do
        until [ "$(cat "/sys/class/net/eth$number/carrier")" = 1 ]; do sleep 0.02; done
    done
}

# A WPA2 access point "netwatch-lab" in a namespace `ap`, at 10.9.0.1, and the station wlan0 with 10.9.0.2.
wifi() {
    modprobe -r mac80211_hwsim
    modprobe mac80211_hwsim radios=2
    ip netns add ap
    iw phy "$(cat /sys/class/net/wlan1/phy80211/name)" set netns name ap
    cat >/run/hostapd.conf <<CONFIGURATION
interface=wlan1
driver=nl80211
ssid=netwatch-lab
hw_mode=g
channel=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=a lab's pass phrase
CONFIGURATION
    cat >/run/supplicant.conf <<CONFIGURATION
ctrl_interface=/run/supplicant
network={
    ssid="netwatch-lab"
    psk="a lab's pass phrase"
}
CONFIGURATION
    access_point
    ip netns exec ap ip address add 10.9.0.1/24 dev wlan1
    ip address add 10.9.0.2/24 dev wlan0
    station wlan0
}
access_point() { ip netns exec ap hostapd -B -P /run/hostapd.pid /run/hostapd.conf >/run/hostapd.log; }
# station LINK starts the supplicant on it and waits until it is associated.
station() {
    wpa_supplicant -B -i "$1" -D nl80211 -c /run/supplicant.conf -f /run/supplicant.log -P /run/supplicant.pid
    associated "$1"
}
associated() {
    local tries=300
    until [ "$(cat "/sys/class/net/$1/operstate")" = up ]; do
        ((tries-- > 0)) || { echo "  the station did not associate"; cat /run/supplicant.log; exit 1; }
        sleep 0.1
    done
}

# A modem of the kernel's WWAN simulator with one session, wwan0-1, at 10.20.0.2.
modem() {
    modprobe -r wwan_hwsim
    modprobe wwan_hwsim devices=1
    until [ -e /sys/class/wwan/wwan0 ]; do sleep 0.05; done
    ip link add dev wwan0-1 parentdev wwan0 type wwan linkid 1
    ip address add 10.20.0.2/32 dev wwan0-1
    ip link set wwan0-1 up
}

# The program and what it says.

start_netwatch() {
    "$NETWATCH" --json --no-probe "$@" >"$events" 2>/run/errors &
    netwatch=$!
    await 15 "a snapshot" '.kind == "snapshot" or .seq >= 1'
}

# await SECONDS WORDS FILTER: the latest line satisfies a jq filter before the time is over.
await() {
    local deadline=$((SECONDS + $1))
    # Without a line jq's exit status would be 0 too: its word is what counts.
    until [ "$(tail -n 1 "$events" | jq "$3" 2>/dev/null)" = true ]; do
        if ((SECONDS >= deadline)) || ! kill -0 "$netwatch" 2>/dev/null; then
            fail "$2" "$3"
            return
        fi
        sleep 0.05
    done
    echo "  pass: $2"
}

# expect WORDS STATUS [INTERFACE...]: the reachability, and the interface chain of IPv4.
expect() {
    local words=$1 status=$2 filter
    shift 2
    filter=".reachability == \"$status\""
    [ $# = 0 ] || filter+=" and .path.ipv4.via == $(printf '%s\n' "$@" | jq -R . | jq -sc .)"
    await 10 "$words → $status ${*:+by $*}" "$filter"
}

fail() {
    failures=$((failures + 1))
    echo "  FAIL: $1"
    echo "        wanted: $2"
    echo "        last:   $(tail -n 1 "$events" | jq -c '{seq, reachability, cause: .cause.description, reason: .path.reason, ipv4: .path.ipv4}' 2>&1)"
    [ ! -s /run/errors ] || sed 's/^/        /' /run/errors
}

# witness LINK...: looks at the carriers all the time, and notes the nanosecond at which each is gone for the first time.
# A cable is pulled by a message to the machine's own monitor, which may take its time.
witness() {
    rm -f /run/gone.*
    seen=$(wc -l <"$events")
    look "$@" &
    sleep 0.2
}
look() {
    local link state gone=' '
    while [ "$(wc -w <<<"$gone")" -lt $# ]; do
        for link in "$@"; do
            read -r state <"/sys/class/net/$link/carrier"
            [ "$state" = 1 ] && continue
            case $gone in *" $link "*) continue ;; esac
            echo "${EPOCHREALTIME/./}000" >"/run/gone.$link"
            gone+="$link "
        done
    done
}

# told FILTER NANOSECONDS: milliseconds from the moment a carrier was gone to the first event since the witnesses began
# that satisfies a filter. It is negative where the program was faster than the witness.
told() {
    tail -n "+$((seen + 1))" "$events" | jq -s --argjson gone "$2" "map(select($1)) | first |
        if . == null then \"never\" else ((.time - \$gone) / 1000 | floor / 1000) end" | tr -d '"'
}

# at_most MILLISECONDS WORDS MEASURED
at_most() {
    if [ "$3" != never ] && [ "$(jq -n "$3 <= $1")" = true ]; then
        echo "  pass: $2: $3 ms"
    else
        fail "$2: $3 ms" "at most $1 ms"
    fi
}

finish() {
    kill -TERM "$netwatch"
    local status=0
    wait "$netwatch" || status=$?
    [ "$status" = 0 ] || fail "netwatch ends cleanly on SIGTERM" "status 0, was $status"
    exit $((failures > 0))
}
