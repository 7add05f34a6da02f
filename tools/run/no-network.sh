#!/usr/bin/env bash
# no-network.sh COMMAND...: runs a command where a sniffer sees everything but loopback, and fails if a packet was sent.
set -euo pipefail
[ "${1:-}" = inside ] || exec unshare -n "$0" inside "$@"
shift
ip link set lo up
ip link add out type veth peer name sink
for device in out sink; do echo 1 > /proc/sys/net/ipv6/conf/$device/disable_ipv6; done
ip addr add 192.0.2.2/24 dev out
ip link set out up
ip link set sink up
ip route add default via 192.0.2.1
ip neigh replace 192.0.2.1 lladdr 02:00:00:00:00:01 dev out nud permanent
packets=$(mktemp)
trap 'rm -f "$packets"' EXIT
tcpdump -i out -U -w "$packets" 2> /dev/null &
sniffer=$!
sleep 1

code=0
"$@" || code=$?
sleep 1
kill "$sniffer" && wait "$sniffer" || true
count=$(tcpdump -nr "$packets" 2> /dev/null | tee -a /dev/stderr | wc -l)
echo "$count packets were sent"
[ "$code" = 0 ] && [ "$count" = 0 ]
