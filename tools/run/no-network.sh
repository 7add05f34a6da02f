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
# Sends packets to a port until the sniffer has written one. It then sees every later packet, and has written every earlier one.
prove_sniffer() { # port
  until [ "$(tcpdump -nr "$packets" "udp dst port $1" 2> /dev/null)" ]; do
    kill -0 "$sniffer" || exit 1 # tcpdump has ended
    echo > "/dev/udp/192.0.2.1/$1"
    sleep 0.1
  done
}

prove_sniffer 9
code=0
"$@" || code=$?
prove_sniffer 10
kill "$sniffer" && wait "$sniffer" || true
others='not (udp and dst host 192.0.2.1 and (dst port 9 or 10))'
count=$(tcpdump -nr "$packets" "$others" 2> /dev/null | tee -a /dev/stderr | wc -l)
echo "$count packets were sent"
[ "$code" = 0 ] && [ "$count" = 0 ]
