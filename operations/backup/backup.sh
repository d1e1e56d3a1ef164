#!/bin/bash
# Makes a backup of the database, and records it there once it is complete: the service raises an alarm when none has
# been recorded for 30 hours.
#
#   backup.sh                     by pgBackRest; a full one if the last full one is a week old, else an incremental one
#   backup.sh --every HOURS       the same whenever the last one is that old; keeps running
#   backup.sh dump FOLDER KEY     by pg_dump, encrypted with GnuPG for the public key in the file KEY; dumps in FOLDER
#                                 that are older than 30 days are removed afterwards
#
# DATABASE_URL is the database, by default `dct` of the server on this machine. pgBackRest must run as the server's user.
set -euo pipefail
readonly database=${DATABASE_URL:-dbname=dct}
readonly stanza=dct keep_days=30

ask() { psql "$database" --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --command "$1"; }
record() { ask "select record_backup('$1')" >/dev/null; }

# Whether no backup of these kinds was recorded within the hours given.
is_due() { [ "$(ask "select count(*) from backup where kind in ($2) and finished_at > now() - interval '$1 hours'")" = 0 ]; }

by_pgbackrest() {
	local kind=incremental type=incr
	if is_due 168 "'full'"; then kind=full type=full; fi
	# Only the first time: a repository that is gone, such as a disk that is not mounted, must not be started anew unseen.
	if is_due 876000 "'full', 'incremental'"; then pgbackrest --stanza=$stanza stanza-create; fi
	pgbackrest --stanza=$stanza --type=$type backup
	record $kind
}

by_dump() {
	mkdir -p "$1"
	file="$1/dct-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump.gpg"
	# Only a complete dump gets its final name.
	trap 'rm -f "$file.part"' EXIT
	pg_dump --dbname="$database" --format=custom |
		gpg --batch --quiet --no-tty --trust-model always --compress-algo none --recipient-file "$2" --encrypt >"$file.part"
	mv "$file.part" "$file"
	record dump
	find "$1" -maxdepth 1 -name 'dct-*.dump.gpg' -mtime +$keep_days -delete
}

umask 077
case "${1-}" in
'') by_pgbackrest ;;
--every)
	trap 'exit 0' INT TERM
	while :; do
		pause=60
		# As a program of its own, whose failure ends it at once.
		if is_due "$2" "'full', 'incremental'"; then "$0" || pause=300; fi
		sleep $pause &
		wait $!
	done
	;;
dump) by_dump "$2" "$3" ;;
*)
	echo 'Usage: backup.sh [--every HOURS | dump FOLDER KEY]' >&2
	exit 2
	;;
esac
