import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = 'http://deb.debian.org/debian'
const SUITE = 'trixie'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** The newest PostgreSQL of that Debian. */
const POSTGRES = '17'

/** Makes the images that our own are based on from Debian's packages, where no registry has them. */
export async function ensureBaseImages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [image, make] of Object.entries(IMAGES)) {
    const isThere = (args: string[]) => spawnSync('docker', args).status === 0
    if (!isThere(['image', 'inspect', image]) && !isThere(['pull', '--quiet', image])) {
      make(join(folder, image.replace(':', '-')), image)
    }
  }
}

/** Makes the image of a machine with packages of Debian. */
export function ensureMachineImage(
  image: string,
  { folder, packages }: { folder: string; packages: readonly string[] },
): void {
  if (spawnSync('docker', ['image', 'inspect', image]).status === 0) return
  mkdirSync(folder, { recursive: true })
  const root = join(folder, image)
  bootstrap(root, packages)
  importAs(image, root, [])
}

/** systemd, and what docs/operating/ tells an operator to install. */
export const MACHINE_PACKAGES = [
  ...['systemd-sysv', 'dbus', 'sudo', 'curl', 'openssl'],
  ...['postgresql', 'pgbouncer', 'pgbackrest', 'gnupg', 'caddy'],
]

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function bootstrap(root: string, packages: readonly string[]): void {
  const include = ['ca-certificates', ...packages].join(',')
  run('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${include}`, SUITE, root, DEBIAN])
  // Where a proxy reads what builds download, its certificate is among those of this machine.
  copyFileSync(CERTIFICATES, join(root, CERTIFICATES))
}

function importAs(image: string, root: string, changes: readonly string[]): void {
  run('tar', ['-C', root, '-cf', `${root}.tar`, '.'])
  const options = changes.flatMap((change) => ['--change', change])
  run('docker', ['import', ...options, `${root}.tar`, image])
}

const IMAGES: Readonly<Record<string, (root: string, image: string) => void>> = {
  'node:24-trixie-slim': (root, image) => {
    bootstrap(root, [])
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
    chmodSync(join(root, 'usr/local/bin/node'), 0o755)
    run('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), 'npm@11'])
    run('chroot', [root, 'useradd', '--create-home', '--uid=1000', 'node'])
    importAs(image, root, [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, 'CMD ["node"]'])
  },
  'caddy:2': (root, image) => {
    bootstrap(root, ['caddy'])
    const start = ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile']
    importAs(image, root, ['ENV XDG_DATA_HOME=/data', `CMD ${JSON.stringify(start)}`])
  },
  'postgres:18-trixie': (root, image) => {
    bootstrap(root, ['postgresql'])
    // The folder of the socket is made when a machine starts, which this is not.
    const ids = 'usermod -u 999 postgres && groupmod -g 999 postgres && mkdir -p /run/postgresql'
    const owned = 'chown -R postgres:postgres /var/lib/postgresql /run/postgresql'
    run('chroot', [root, 'sh', '-c', `${ids} && ${owned}`])
    mkdirSync(join(root, 'docker-entrypoint-initdb.d'))
    const start = join(root, 'usr/local/bin/docker-entrypoint.sh')
    writeFileSync(start, START_OF_POSTGRES)
    chmodSync(start, 0o755)
    importAs(image, root, [
      ...['ENV PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8'],
      `ENV PATH=/usr/lib/postgresql/${POSTGRES}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["postgres"]',
    ])
  },
}

/** What the official image does at its start, as far as compose.yaml relies on it: its scripts run as its user. */
const START_OF_POSTGRES = `#!/bin/bash
set -eu
if [ "$(id -u)" = 0 ] && [ "\${1-}" = postgres ]; then
	install -d -o postgres -g postgres -m 700 "$PGDATA"
	chown postgres:postgres /var/lib/postgresql /var/run/postgresql
	POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
	export POSTGRES_PASSWORD
	exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ "\${1-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
	initdb --username=postgres --pwfile=<(printf %s "$POSTGRES_PASSWORD") --auth-local=trust --auth-host=scram-sha-256
	echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
	echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
	pg_ctl -w start -o "-c listen_addresses=''"
	for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
	pg_ctl -w -m fast stop
fi
exec "$@"
`
