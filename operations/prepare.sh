#!/bin/sh
# Creates the files that compose.yaml needs, but for the keystores: generated secrets, and a settings file to fill in.
# Existing files are not changed. The containers' user (uid 1000) must be able to read the secrets, and PostgreSQL's (uid 999) its own two.
set -eu
cd "$(dirname "$0")/compose"
umask 077
mkdir -p secrets backups
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

[ -e secrets/postgres-password ] || random >secrets/postgres-password
if [ ! -e secrets/database-password ]; then
	random >secrets/database-password
	printf 'postgres://dct:%s@postgres:5432/dct' "$(cat secrets/database-password)" >secrets/database-url
fi
# The passphrase of the backups is in it.
[ -e secrets/pgbackrest.conf ] || sed \
	-e 's#^repo1-path=.*#repo1-path=/backups#' \
	-e "s#^repo1-cipher-pass=.*#repo1-cipher-pass=$(random)#" \
	-e 's#^pg1-path=.*#pg1-path=/var/lib/postgresql/18/docker#' \
	../backup/pgbackrest.example.conf >secrets/pgbackrest.conf
[ -e settings.env ] || cp settings.example.env settings.env
for key in tron-operator bsc-payout; do
	[ -e "secrets/$key-passphrase" ] || random >"secrets/$key-passphrase"
done
# Compose fills in compose.yaml from it.
[ -e ../../.env ] || ln -s operations/compose/settings.env ../../.env

if [ "$(id -u)" = 0 ]; then
	chown -R 1000:1000 secrets settings.env
	chown -R 999:999 secrets/pgbackrest.conf secrets/database-password backups
else
	echo "Run this as root; otherwise the containers cannot read the secrets." >&2
	exit 1
fi
echo "Keep a copy of operations/compose/secrets/pgbackrest.conf elsewhere: without its passphrase no backup can be read."
echo "Next: the two keystores, and operations/compose/settings.env: docs/operating/install.md."
