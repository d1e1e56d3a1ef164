import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DeployedChains, SITE, startDeployedChains } from './operation-chains.ts'
import { run, until } from './operation-commands.ts'
import { MACHINE, type Machine, startMachine } from './operation-debian.ts'
import {
  documentedBlocks,
  documentedSettings,
  readDocument,
  restoreTo,
} from './operation-documents.ts'
import { replaceKeys, signAtService } from './operation-keys.ts'
import { followPair, reachServices } from './operation-settings.ts'

const PASSPHRASE = 'a long passphrase'
const UNITS = ['dct-api@3000', 'dct-api@3001', 'dct-watcher', 'dct-worker']

/** Follows docs/operating/ on one machine, from an installation by its units to a restore. */
export async function runUnits(folder: string): Promise<string> {
  const chains = await startDeployedChains(join(folder, 'machine'))
  const machine = await startMachine(folder)
  try {
    await installPostgres(machine)
    await installUnits(machine, chains)
    await runAsUnits(machine)
    await askForMetrics(machine)
    await addApi(machine)
    await stopPayouts(machine)
    await signAtService(machine, chains.kms.aws)
    await followPair(machine, chains)
    await reachServices(machine, { chains, folder })
    await replaceKeys(machine.sh, { layout: 'systemd', chains })
    await backUp(machine)
    await dumpAndRestore(machine)
    await upgrade(machine)
    await restore(machine)
    return 'migrated, checked, run as their users, keys replaced, messages sent, backed up, upgraded, restored and audited'
  } finally {
    run('docker', ['rm', '--force', MACHINE])
    await chains.stop()
  }
}

/** PostgreSQL with an empty database, and PgBouncer in front of it. */
async function installPostgres({ sh, write }: Machine): Promise<void> {
  await sh(`
    echo 'max_connections = 200' >/etc/postgresql/17/main/conf.d/dct.conf
    systemctl restart postgresql
    cd /
    sudo -u postgres psql -c "create role dct login password 'secret'" -c 'create database dct owner dct'`)
  const place =
    'listen_addr = 127.0.0.1\nlisten_port = 6432\nauth_file = /etc/pgbouncer/userlist.txt\n'
  const database = '[databases]\ndct = host=127.0.0.1\n'
  await write(
    '/etc/pgbouncer/pgbouncer.ini',
    `${database}${documentedSettings('../failover.md', '[pgbouncer]')}${place}`,
  )
  await write('/etc/pgbouncer/userlist.txt', '"dct" "secret"\n')
  await sh('chown postgres /etc/pgbouncer/*; systemctl restart pgbouncer')
}

async function installUnits(machine: Machine, chains: DeployedChains): Promise<void> {
  const { sh, write } = machine
  const [install = '', start = ''] = documentedBlocks('install.md', 'Under systemd')
  await sh(install)
  const place = '/etc/dct-earning'
  await write(`${place}/settings.env`, chains.settings)
  await write(`${place}/database-url`, 'postgres://dct:secret@127.0.0.1:6432/dct\n')
  for (const [name, key] of Object.entries(chains.keyFiles)) {
    await write(`/tmp/${name}.key`, readFileSync(key, 'utf8'))
    await write(`${place}/${name}-passphrase`, `${PASSPHRASE}\n`)
    await sh(
      `/opt/dct-earning/dct keystore ${place}/keys/${name}.json --key-file /tmp/${name}.key --passphrase-file ${place}/${name}-passphrase`,
    )
  }
  await sh(start)
  const caddyfile = documentedSettings('install.md', 'reverse_proxy')
  await write('/etc/caddy/Caddyfile', caddyfile.replace('earn.example.org', SITE))
  await sh('chmod 644 /etc/caddy/Caddyfile; systemctl restart caddy')
  await untilServed(machine)
}

const asking = (probe: string) =>
  `curl --insecure --silent --resolve ${SITE}:443:127.0.0.1 https://${SITE}/api/${probe}`

const untilServed = (machine: Machine) =>
  until('the proxy answers', () => machine.sh(`${asking('ready')} --fail`))

/** Commands within each unit's own sandbox, with its user, settings and credentials. */
async function runAsUnits({ sh }: Machine): Promise<void> {
  const commands = [
    ['dct-worker', 'doctor'],
    ['dct-worker', 'audit'],
    ['dct-worker', 'keystore /tmp/new.json --passphrase-file %d/tron-operator-passphrase'],
    ['dct-watcher', 'audit'],
    ['dct-watcher', 'migrate'],
    ['dct-api@', 'migrate'],
  ] as const
  for (const [unit, command] of commands) {
    const [name, of] = unit.endsWith('@')
      ? ['dct-once@', 'dct-once@3000']
      : ['dct-once', 'dct-once']
    const attempt = () =>
      sh(`
        sed -e 's#^ExecStart=.*#ExecStart=/opt/dct-earning/dct ${command}#' -e 's/^Restart=.*/Type=oneshot/' \\
          /etc/systemd/system/${unit}.service >/run/systemd/system/${name}.service
        systemctl daemon-reload
        systemctl start ${of} || { journalctl --no-pager --lines=40 --unit=${of}; exit 1; }`)
    await until(`${unit}: dct ${command}`, attempt)
  }
  const restarts = await sh(`systemctl show --value --property=NRestarts ${UNITS.join(' ')}`)
  if (/[1-9]/.test(restarts)) throw new Error(`Units were restarted: ${restarts}`)
}

/** docs/operating/backups.md: pgBackRest on a machine of its own. */
async function backUp({ sh }: Machine): Promise<void> {
  const settings = documentedSettings('backups.md', 'archive_mode')
  const [install = '', start = ''] = documentedBlocks('backups.md', 'pgBackRest')
  await sh(install)
  await sh(`
    sed -i -e "s/^repo1-cipher-pass=.*/repo1-cipher-pass=$(openssl rand -hex 24)/" \\
      -e "s#^pg1-path=.*#pg1-path=$(cd / && sudo -u postgres psql -Atc 'show data_directory')#" /etc/pgbackrest.conf
    cat >>/etc/postgresql/17/main/conf.d/dct.conf <<'END'
${settings}END
    systemctl restart postgresql`)
  await sh(start)
  await sh('test "$(systemctl show --value --property=Result dct-backup)" = success')
}

/** docs/operating/growth.md: a third api, and back. */
async function addApi({ sh }: Machine): Promise<void> {
  const [add = ''] = /systemctl enable --now dct-api@3002/.exec(readDocument('growth.md')) ?? []
  await sh(`${add}
    until curl --fail --silent http://127.0.0.1:3002/api/ready; do sleep 1; done
    curl --fail --silent http://127.0.0.1:13002/metrics | grep dct_process_up
    systemctl disable --now dct-api@3002`)
}

/** At the addresses that the example for Prometheus has. */
async function askForMetrics({ sh }: Machine): Promise<void> {
  const example = readDocument('../../operations/prometheus/prometheus.example.yaml')
  const targets = [...example.matchAll(/127\.0\.0\.1:(?!9093)\d+/g)]
  if (targets.length !== UNITS.length) throw new Error(`The example has ${targets.length} targets.`)
  // All of it is read: a command whose output nobody reads to its end fails.
  for (const [target] of targets) {
    await sh(`curl --fail --silent http://${target}/metrics | grep dct_process_up`)
  }
}

/** docs/runbooks/books-differ.md, and back. */
async function stopPayouts({ sh, write }: Machine): Promise<void> {
  const lines = readDocument('../runbooks/books-differ.md').match(/UnsetEnvironment=.+/g) ?? []
  const folder = '/etc/systemd/system/dct-worker.service.d'
  await sh(`mkdir -p ${folder}`)
  await write(`${folder}/override.conf`, `[Service]\n${lines.join('\n')}\n`)
  await sh('systemctl daemon-reload; systemctl restart dct-worker')
  await until('the worker has no key', () =>
    sh("journalctl --unit dct-worker | grep 'this worker has no key and sends nothing'"),
  )
  await sh(`rm -r ${folder}; systemctl daemon-reload; systemctl restart dct-worker`)
}

/** docs/operating/backups.md: an encrypted dump, restored into an empty database. */
async function dumpAndRestore({ sh, write }: Machine): Promise<void> {
  const [makeKey = '', dump = ''] = documentedBlocks('backups.md', '`pg_dump`')
  const restoring = documentedBlocks('backups.md', 'Restore').at(-1) ?? ''
  const url = 'postgres://dct:secret@127.0.0.1:5432'
  // Nobody is at a terminal to enter it.
  await sh('install -d -m 700 /root/.gnupg')
  await write('/root/passphrase', `${PASSPHRASE}\n`)
  await write(
    '/root/.gnupg/gpg.conf',
    'batch\npinentry-mode loopback\npassphrase-file /root/passphrase\n',
  )
  await sh(`${makeKey}
    cp backup-key.asc /etc/dct-earning/
    export DATABASE_URL=${url}/dct
    ${dump}
    (cd / && sudo -u postgres createdb --owner=dct restored)
    export DATABASE_URL=${url}/restored
    ${restoring.replace(/dct-\S+\.gpg/, '/var/backups/dct/*.gpg')}
    psql "$DATABASE_URL" -Atc 'select count(*) from loop_report' | grep '^[1-9]'`)
}

/** docs/upgrades/README.md, to a version that is the same; of the requests that keep coming, few reach a stopping api. */
async function upgrade(machine: Machine): Promise<void> {
  const { sh } = machine
  // The backup has restarted PostgreSQL.
  await untilServed(machine)
  const [, install = ''] = documentedBlocks('../upgrades/README.md', 'For operators')
  const ask = `${asking('live')} --output /dev/null --write-out '%{http_code}\\n'`
  await sh(`
    while sleep 0.2; do ${ask} || true; done >/tmp/replies &
    asking=$!
    ${install}
    kill $asking
    sort /tmp/replies | uniq --count
    test $(grep --count --invert-match '^200$' /tmp/replies) -le $(($(wc --lines </tmp/replies) / 10))`)
}

/** docs/operating/backups.md and docs/runbooks/restore.md. */
async function restore(machine: Machine): Promise<void> {
  const { sh } = machine
  const [stop = ''] =
    /systemctl stop dct-api@3000[^`]*/.exec(readDocument('../runbooks/restore.md')) ?? []
  const [newest = ''] = documentedBlocks('backups.md', 'Restore')
  const ask = async (statement: string) =>
    (await sh(`cd / && sudo -u postgres psql -d dct -Atc "${statement}"`)).trim()
  const target = await ask('select now()')
  await sh('sleep 2')
  await ask('create table mistake ()')
  for (const [command, isThere] of [
    [newest, 't'],
    [restoreTo(target), 'f'],
  ]) {
    await sh(`${stop}
      systemctl stop 'postgresql@*'
      cd / && sudo -u postgres ${command}
      systemctl start postgresql
      until sudo -u postgres psql -d dct -Atc 'select pg_is_in_recovery()' | grep f; do sleep 1; done
      sudo /opt/dct-earning/dct end-sessions
      systemctl start ${UNITS.join(' ')} dct-backup.timer`)
    await untilServed(machine)
    await sh('sudo /opt/dct-earning/dct doctor')
    await until('the audit compares everything', () => sh('sudo /opt/dct-earning/dct audit'))
    const found = await ask("select to_regclass('mistake') is not null")
    if (found !== isThere) throw new Error(`${command} restored another time.`)
  }
}
