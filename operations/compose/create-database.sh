#!/bin/sh
# Run once by the image of PostgreSQL, for an empty data directory.
set -eu
# Not within the command, which would run without it.
password=$(cat /run/secrets/database_password)
psql --username postgres --set ON_ERROR_STOP=1 --set password="$password" <<-'SQL'
	create role dct login password :'password';
	create database dct owner dct encoding 'UTF8' template template0;
SQL
