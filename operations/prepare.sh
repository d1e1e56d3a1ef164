#!/bin/sh
# Creates the files that compose.yaml needs: generated secrets, and a settings file to fill in. Existing files are not
# changed. The containers' user (uid 1000) must be able to read the secrets.
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
[ -e settings.env ] || cp settings.example.env settings.env
# Compose fills in compose.yaml from it.
[ -e ../../.env ] || ln -s operations/compose/settings.env ../../.env

if [ "$(id -u)" = 0 ]; then
	chown -R 1000:1000 secrets backups settings.env
elif [ "$(id -u)" != 1000 ]; then
	echo "Run this as root or as the user with uid 1000; otherwise the containers cannot read the secrets." >&2
	exit 1
fi
for key in tron-operator bsc-payout; do
	[ -e "secrets/$key-keystore" ] || echo "Put the keystore that npm run keystore creates into operations/compose/secrets/$key-keystore (mode 600, owner 1000)."
	[ -e "secrets/$key-passphrase" ] || echo "Put its passphrase into operations/compose/secrets/$key-passphrase (mode 600, owner 1000)."
done
echo "Fill in operations/compose/settings.env, then: docker compose run --rm --build worker dct migrate"
