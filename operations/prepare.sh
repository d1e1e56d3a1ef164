#!/bin/sh
# Creates the files that compose.yaml needs: generated secrets, and a settings file to fill in. Existing files are not
# changed. The containers' user (uid 1000) must be able to read the secrets, and PostgreSQL's (uid 999) its own two.
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
# Compose fills in compose.yaml from it.
[ -e ../../.env ] || ln -s operations/compose/settings.env ../../.env

if [ "$(id -u)" = 0 ]; then
	chown -R 1000:1000 secrets settings.env
	chown -R 999:999 secrets/pgbackrest.conf secrets/database-password backups
else
	echo "Run this as root; otherwise the containers cannot read the secrets." >&2
	exit 1
fi
for key in tron-operator bsc-payout; do
	[ -e "secrets/$key-keystore" ] || echo "Put the keystore that npm run keystore creates into operations/compose/secrets/$key-keystore (mode 600, owner 1000)."
	[ -e "secrets/$key-passphrase" ] || echo "Put its passphrase into operations/compose/secrets/$key-passphrase (mode 600, owner 1000)."
done
echo "Keep a copy of operations/compose/secrets/pgbackrest.conf elsewhere: without its passphrase no backup can be read."
echo "Fill in operations/compose/settings.env, then: docker compose run --rm --build worker dct migrate"
