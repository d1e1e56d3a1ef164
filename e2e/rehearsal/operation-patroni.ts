import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChainHost } from '@dct/devnet/chains/index'
import { type LiveWorld, startLiveWorld } from '../live/live-world.ts'
import { run, runBeside, until } from './operation-commands.ts'
import { documentedSettings, readDocument } from './operation-documents.ts'
import { ensureMachineImage } from './operation-images.ts'
import { hostOfContainers } from './operation-network.ts'
import { goTheWholeWay } from './operation-pooler.ts'

const [IMAGE, CONTAINER] = ['dct-patroni', 'dct-rehearsal-patroni']
const PACKAGES = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy']
const SERVERS = ['a', 'b', 'c']
const PASSWORD = 'secret'

/** docs/failover.md: three servers with Patroni behind HAProxy; the primary is killed on the way to a paid claim. */
export async function runBehindPatroni(folder: string): Promise<string> {
  const place = join(folder, 'patroni')
  mkdirSync(place, { recursive: true })
  ensureMachineImage(IMAGE, { folder: join(folder, 'images'), packages: PACKAGES })
  run('docker', [
    'run',
    '--detach',
    '--init',
    '--name',
    CONTAINER,
    '--publish',
    `${hostOfContainers()}::5000`,
    IMAGE,
    'sleep',
    'infinity',
  ])
  let world: LiveWorld | undefined
  try {
    await startCluster(place)
    const published = run('docker', ['port', CONTAINER, '5000']).trim()
    const url = `postgres://dct:${PASSWORD}@${published}/dct`
    world = await startLiveWorld({
      ...{ each: 1, startChains: (dir) => startChainHost({ dir }), pool: async () => url },
    })
    let seconds = 0
    const done = await goTheWholeWay(world, async () => {
      seconds = await killPrimary()
    })
    return `${done}, ${seconds.toFixed(0)} s without a primary`
  } finally {
    await world?.stop()
    run('docker', ['rm', '--force', CONTAINER])
  }
}

const inside = (commands: string) =>
  runBeside('docker', ['exec', CONTAINER, 'bash', '-euo', 'pipefail', '-c', commands])

async function startCluster(place: string): Promise<void> {
  const bootstrap = documentedSettings('../failover.md', 'synchronous_mode_strict')
  for (const [index, name] of SERVERS.entries()) {
    writeFileSync(
      join(place, `${name}.yml`),
      `${bootstrap}${ownSettings(name, `127.0.0.${index + 1}`)}`,
    )
  }
  const [, proxy = ''] = /```haproxy\n([^`]*)```/.exec(readDocument('../failover.md')) ?? []
  writeFileSync(
    join(place, 'haproxy.cfg'),
    proxy.replaceAll('10.0.0.', '127.0.0.').replace('bind 127.0.0.1:5000', 'bind :5000'),
  )
  run('docker', ['cp', `${place}/.`, `${CONTAINER}:/etc/dct`])
  await inside(`
    chmod 755 /etc/dct; chmod 644 /etc/dct/*
    (setsid etcd --data-dir /tmp/etcd >/tmp/etcd.log 2>&1 &)
    sleep 2`)
  for (const name of SERVERS) await startServer(name)
  await inside('haproxy -D -f /etc/dct/haproxy.cfg')
  await until('a primary has a synchronous standby', async () => {
    const listed = await inside('patronictl -c /etc/dct/a.yml list')
    if (!/Leader/.test(listed) || !/Sync Standby/.test(listed)) throw new Error(listed)
  })
  const psql = `PGPASSWORD=${PASSWORD} psql -h 127.0.0.1 -p 5000 -U postgres`
  await until('the proxy reaches the primary', () => inside(`${psql} -c 'select 1'`))
  await inside(
    `${psql} -c "create role dct login password '${PASSWORD}'" -c 'create database dct owner dct'`,
  )
}

/** Its lines for one server, which the page leaves to Patroni's documentation. */
function ownSettings(name: string, address: string): string {
  const user = (username: string) => `{ username: ${username}, password: ${PASSWORD} }`
  return `
  initdb: [encoding: UTF8, data-checksums]
scope: dct
name: ${name}
restapi: { listen: '${address}:8008', connect_address: '${address}:8008' }
etcd3: { host: '127.0.0.1:2379' }
postgresql:
  listen: '${address}:5432'
  connect_address: '${address}:5432'
  data_dir: /var/lib/postgresql/${name}
  bin_dir: /usr/lib/postgresql/17/bin
  authentication: { superuser: ${user('postgres')}, replication: ${user('replicator')} }
  parameters: { unix_socket_directories: /tmp/${name} }
  pg_hba: ['host all all 127.0.0.0/8 scram-sha-256', 'host replication all 127.0.0.0/8 scram-sha-256']
`
}

const startServer = (name: string) =>
  inside(`
    install -d -o postgres /tmp/${name}
    echo 'echo $$ >/tmp/${name}.pid; exec patroni /etc/dct/${name}.yml' >/tmp/${name}.sh
    (setsid runuser -u postgres -- sh /tmp/${name}.sh >/tmp/${name}.log 2>&1 &)`)

/** As if its machine were lost. @returns for how many seconds nothing could be written */
async function killPrimary(): Promise<number> {
  const listed = await inside('patronictl -c /etc/dct/a.yml list --format json')
  const members = JSON.parse(listed) as { Member: string; Role: string }[]
  const primary = members.find(({ Role }) => Role === 'Leader')?.Member
  const startedAt = performance.now()
  await inside(
    `kill -9 $(cat /tmp/${primary}.pid) $(head -1 /var/lib/postgresql/${primary}/postmaster.pid)`,
  )
  const write = 'create table if not exists written (); drop table written'
  await until('another server is the primary', () =>
    inside(
      `PGCONNECT_TIMEOUT=2 PGPASSWORD=${PASSWORD} psql -h 127.0.0.1 -p 5000 -U dct dct -c '${write}'`,
    ),
  )
  return (performance.now() - startedAt) / 1_000
}
