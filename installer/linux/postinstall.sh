#!/bin/sh
# A package starts nothing by itself; at the first installation this says what each user does next.
# dpkg calls it with "configure" and the version before, rpm with how many versions there are then.
set -e
case "$1 $2" in
"configure " | "1 ") echo "Vault Dispatcher is installed. Next, each user runs: wiki setup" ;;
esac
