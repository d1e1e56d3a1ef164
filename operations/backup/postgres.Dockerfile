# PostgreSQL with pgBackRest, which archives its write-ahead log, and the script that makes backups.
ARG POSTGRES=postgres:18-trixie
FROM ${POSTGRES}
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates pgbackrest \
    && rm -rf /var/lib/apt/lists/*
COPY backup.sh /usr/local/bin/backup.sh
