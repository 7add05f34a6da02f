#!/usr/bin/env bash
# What event-backup.service runs: a dump of the database, named when it is whole.
set -euo pipefail
cd "$STATE_DIRECTORY"

# Dumps hold personal data: none is kept for longer than 30 days, also while backups fail. The next run is a day later.
find . -name 'event-*.dump' -mmin +$((29 * 24 * 60)) -delete

# Every local user can read the arguments of a process, and only its own user the environment.
url=$(cat "$CREDENTIALS_DIRECTORY/database-url")
before=${url%%@*}
if [[ $url == *@* && $before =~ ^([a-z]+://[^:/]*):([^/]*)$ ]]; then
  url=${BASH_REMATCH[1]}@${url#*@}
  encoded=${BASH_REMATCH[2]//\\/\\\\}
  printf -v PGPASSWORD %b "${encoded//%/\\x}"
  export PGPASSWORD
fi
pg_dump -Fc --dbname="$url" --file=unfinished
mv unfinished "event-$(date +%Y%m%d-%H%M%S).dump"
