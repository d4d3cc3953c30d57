# What every scenario is written in. A scenario sources this file, builds its network, starts netwatch, and says what it
# expects; the first line that fails prints the last event beside it. `$NETWATCH` is the program,
# `$NETWATCH_LIBRARY` the library.
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

# A default route by eth0, and a spare one by eth1; the kernel passes over either without its carrier.
two_defaults() {
    sysctl -qw net.ipv4.conf.all.ignore_routes_with_linkdown=1
    for link in eth0 eth1; do sysctl -qw "net.ipv4.conf.$link.ignore_routes_with_linkdown=1"; done
    ip route add default via 10.1.0.1 dev eth0 metric 100
    ip route add default via 10.2.0.1 dev eth1 metric 200
}

# A WPA2 access point "netwatch-lab" in a namespace `ap`, at 10.9.0.1, and the station wlan0 with 10.9.0.2.
wifi() {
    wifi_devices
    ip address add 10.9.0.2/24 dev wlan0
    station wlan0
}
# wifi_devices: the same before the station has an address and is associated.
wifi_devices() {
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
    "$NETWATCH" record /run/trace --no-probe "$@" >"$events" 2>/run/errors &
    await_start
}
# start_unrecorded [ARGUMENT...]: where milliseconds count, which the emulator takes many of for a recording.
start_unrecorded() {
    "$NETWATCH" --json --no-probe "$@" >"$events" 2>/run/errors &
    await_start
}
await_start() {
    netwatch=$!
    await 15 "a snapshot" '.kind == "snapshot" or .seq >= 1'
}

# state: the latest line, with what the lines before it have told and it does not tell anew; `statuses` has that of each target.
state() {
    jq -nc 'reduce inputs as $line ({};
        {path, uplinks, captivePortal, statuses: (.statuses + ([$line.targets[]? | {(.target): .status}] | add))} + $line)' \
        "$events" 2>/dev/null
}

# await SECONDS WORDS FILTER: the state satisfies a jq filter before the time is over.
await() {
    local deadline=$((SECONDS + $1))
    # Without a line jq's exit status would be 0 too: its word is what counts.
    until [ "$(state | jq "$3" 2>/dev/null)" = true ]; do
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
    echo "        last:   $(state | jq -c '{seq, reachability, cause: .cause.description, reason: .path.reason, ipv4: .path.ipv4}' 2>&1)"
    [ ! -s /run/errors ] || sed 's/^/        /' /run/errors
}

# witness LINK...: has the drivers asked for their carriers all the time from now on, and every change noted.
witness() {
    : >/run/carriers
    "$(dirname "$0")/../carrier-witness.py" "$@" >>/run/carriers &
    witness=$!
    until [ "$(wc -l </run/carriers)" -ge $# ]; do sleep 0.05; done
    watch_events
}
# watch_events: `told` counts events, `changed` changes of carriers, and `told_by_kernel` its lines from now on.
watch_events() {
    seen=$(wc -l <"$events")
    noted=$(wc -l </run/carriers)
    heard=$(wc -l </run/monitor)
}

# changed LINK STATE [CLOCK]: when the driver first said so, in nanoseconds; CLOCK is 3 (monotonic) or 4 (real time).
changed() {
    local time=
    until [ -n "$time" ]; do
        time=$(tail -n "+$((noted + 1))" /run/carriers | awk -v link="$1" -v state="$2" -v clock="${3:-3}" \
            '$1 == link && $2 == state { print $clock; exit }')
    done
    echo "$time"
}

# told FILTER LINK STATE: milliseconds from the moment the driver said so to the first event that satisfies a filter, on
# the machine's monotonic clock. It is negative where the program was faster than the witness.
told() {
    tail -n "+$((seen + 1))" "$events" | jq -s --argjson changed "$(changed "$2" "$3")" "map(select($1)) | first |
        if . == null then \"never\" else ((.monotonic * 1000000 - \$changed / 1000) | floor / 1000) end" | tr -d '"'
}

# told_by_kernel LINK STATE: the same for `ip -ts monitor link`, whose output is in /run/monitor.
told_by_kernel() {
    local words=NO-CARRIER stamp changed
    [ "$2" = 0 ] || words='state UP'
    changed=$(changed "$1" "$2" 4)
    tail -n "+$((heard + 1))" /run/monitor | { grep "$1:.*$words" || true; } | sed 's/^\[\([^]]*\)\].*/\1/' | {
        while read -r stamp; do
            stamp=$(date -d "$stamp" +%s%N)
            # The witness may be some milliseconds late itself.
            if ((stamp >= changed - 50000000)); then echo "$(((stamp - changed) / 1000000))"; exit; fi
        done
        echo never
    }
}

# percentile PERCENT MEASURED...: by the nearest rank.
percentile() {
    local percent=$1
    shift
    printf '%s\n' "$@" | sed 's/never/1e9/' | sort -g | sed -n "$((($# * percent + 99) / 100))p"
}

# at_most MILLISECONDS WORDS MEASURED...: the median is, and nine of ten rounds are within 100 ms, a tenth of what the
# kernel takes. The emulator's processors stand still now and then, for as long as this host has others to run: in single
# rounds that is what is measured, so that none of them is judged alone. All are printed.
at_most() {
    local limit=$1 words=$2 median most
    shift 2
    median=$(percentile 50 "$@") most=$(percentile 90 "$@")
    if [ "$(jq -n "$median <= $limit and $most <= 100")" = true ]; then
        echo "  pass: $words: median $median ms, nine of ten $most ms (of $*)"
    else
        fail "$words: median $median ms, nine of ten $most ms (of $*)" "a median of at most $limit ms, and 100 ms"
    fi
}

# late WORDS MEASURED...: the kernel's own news is: it comes a third of a second late or more, or never.
late() {
    local words=$1 median
    shift
    median=$(percentile 50 "$@")
    if [ "$(jq -n "$median >= 300")" = true ]; then
        echo "  pass: $words, or never (of $*)"
    else
        fail "$words: median $median ms (of $*)" "the kernel to be late: without that nothing is shown"
    fi
}

finish() {
    kill -TERM "$netwatch"
    local status=0
    wait "$netwatch" || status=$?
    # For Tests/Lab/run, which may keep it.
    [ ! -e /run/trace ] || echo "recording $(gzip -9nc /run/trace | base64 -w0) $(gzip -9nc "$events" | base64 -w0)"
    [ "$status" = 0 ] || fail "netwatch ends cleanly on SIGTERM" "status 0, was $status"
    exit $((failures > 0))
}

# Two cards with a default route each, the program and `ip monitor` at work beside the witness, and the program warm: its
# pages come over a shared file system at their first use, and the emulator translates them then.
watched_cables() {
    cards 10.1.0.2/24 10.2.0.2/24
    two_defaults
    ip -ts monitor link >/run/monitor &
    start_unrecorded
    expect "the first card" ethernet eth0
    cable 0 off
    expect "a first pull" ethernet eth1
    cable 0 on
    expect "undone" ethernet eth0
    witness eth0 eth1
}
