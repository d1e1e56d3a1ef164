import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { ALL_SETTINGS } from '../apps/server/src/main/settings/read-settings.ts'
import { SETTINGS } from '../apps/server/src/main/settings/schema.ts'
import { unitSettings } from '../apps/server/unit-settings.mjs'
import { PROGRAMS } from './releases/bundle-server.ts'
import { ROOT, readSource } from './repository.ts'

type Service = {
  image: string
  build?: object
  user?: string
  volumes?: string[]
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  healthcheck?: { disable?: boolean; test?: string[] }
  deploy?: { replicas: number }
  read_only?: boolean
  cap_drop?: string[]
  depends_on?: Record<string, { condition: string }>
}
type Compose = {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}

const compose: Compose = parse(readSource('compose.yaml'), { merge: true })
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'dct-earning')
const example = readSource('operations/compose/settings.example.env')
const units = readdirSync(join(ROOT, 'operations/systemd'))
/** The units of the service itself; the database's own machine has the others. */
const PROCESSES = ['dct-api@.service', 'dct-watcher.service', 'dct-worker.service']

const NEEDED: readonly string[] = SETTINGS.required
/** The variables that processes read: each setting, and the variable for a file with its value. */
const KNOWN = new Set(ALL_SETTINGS.flatMap(([name]) => [name, `${name}_FILE`]))

const startsProgram = ([dct, name = '']: readonly string[]) =>
  dct === 'dct' && PROGRAMS.includes(name)

/** The names of the variables set by an environment file or by a unit's line. */
const namesIn = (text: string) =>
  [...text.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name ?? '')

const unitOf = (file: string) =>
  readSource(`operations/systemd/${file}`)
    .split('\n')
    .flatMap((line) => {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      return key === '' ? [] : [{ key, value }]
    })

test('compose runs two APIs, a watcher and a worker, each an existing program', () => {
  expect(ours.map(([name]) => name)).toEqual(['api', 'watcher', 'worker'])
  expect(compose.services.api?.deploy?.replicas).toBe(2)
  for (const [, { command = [] }] of ours) expect(startsProgram(command)).toBe(true)
  expect(compose.services.api?.healthcheck?.test).toEqual(['CMD', 'node', 'operations/healthy.mjs'])
})

test('compose and its example set only variables that the service reads, and all that live mode needs', () => {
  const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment))
  const given = [...set, ...namesIn(example)]
  expect(given.filter((name) => !KNOWN.has(name))).toEqual([])
  const needed = ALL_SETTINGS.filter(([name, { only, unset }]) => {
    const hasDefault = typeof unset === 'object' ? unset.live !== undefined : unset !== undefined
    return only !== 'devnet' && !hasDefault && NEEDED.includes(name)
  })
  const missing = needed.filter(
    ([name]) => !given.includes(name) && !given.includes(`${name}_FILE`),
  )
  expect(missing.map(([name]) => name)).toEqual([])
})

test('only the worker has the payout keys, and every secret that a service uses is declared', () => {
  const withKeys = ours.filter(([, { secrets = [] }]) =>
    secrets.some((name) => /_(keystore|passphrase)$/.test(name)),
  )
  expect(withKeys.map(([name]) => name)).toEqual(['worker'])
  for (const [name, service] of Object.entries(compose.services)) {
    const { secrets = [], environment = {} } = service
    expect(secrets.filter((name) => compose.secrets[name] === undefined)).toEqual([])
    const files = Object.values(environment).filter((value) =>
      `${value}`.startsWith('/run/secrets/'),
    )
    const read = files.map((path) => path.slice('/run/secrets/'.length))
    // A script of the database's image reads the other one.
    const others = name === 'postgres' ? ['database_password'] : []
    expect([...read, ...others].sort()).toEqual([...secrets].sort())
  }
  const prepared = readSource('operations/prepare.sh') + readSource('docs/operating/install.md')
  const named =
    prepared.replaceAll('$key-', 'tron-operator-') + prepared.replaceAll('$key-', 'bsc-payout-')
  for (const { file } of Object.values(compose.secrets)) {
    expect(named).toContain(file.split('/').at(-1))
  }
})

test('the proxy gets no settings but its address, and the service is no superuser of its database', () => {
  const { proxy, postgres } = compose.services
  expect(proxy).not.toHaveProperty('env_file')
  expect(Object.keys(proxy?.environment ?? {})).toEqual(['PUBLIC_ORIGIN'])
  expect(postgres?.environment).not.toHaveProperty('POSTGRES_USER')
  const created = readSource('operations/compose/create-database.sh')
  expect(created).toMatch(/create role dct login password/)
  expect(created).not.toMatch(/superuser/i)
})

test('the runbook that stops payouts takes every key away from the worker of compose and of systemd', () => {
  const page = readSource('docs/runbooks/books-differ.md')
  const isKey = (name: string) => /^(TRON_OPERATOR|BSC_PAYOUT)_\w*(KEY|PASSPHRASE)/.test(name)
  const inCompose = Object.keys(compose.services.worker?.environment ?? {}).filter(isKey)
  const inUnit = unitOf('dct-worker.service')
    .flatMap(({ key, value }) => (key === 'Environment' ? namesIn(value) : []))
    .filter(isKey)
  const emptied = [...page.matchAll(/(\w+): ''/g)].map(([, name]) => name)
  const unset = [...page.matchAll(/UnsetEnvironment=(.+)/g)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(emptied.toSorted()).toEqual(inCompose.toSorted())
  expect(unset.toSorted()).toEqual(inUnit.toSorted())
})

test('service containers have a read-only file system, bounds and no privileges, and wait for the database', () => {
  for (const service of Object.values(compose.services)) {
    expect(service).toMatchObject({ mem_limit: expect.any(String), logging: { driver: 'local' } })
  }
  for (const [, service] of ours) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      depends_on: { postgres: { condition: 'service_healthy' } },
    })
  }
})

test('the image copies only what the build made, does not run as root, and starts a program', () => {
  const text = readSource('Dockerfile')
  // So anybody can compare it with the sources.
  const copied = [...text.matchAll(/^COPY .*$/gm)].map(([line]) => line)
  expect(copied).toEqual(['COPY . .', 'COPY --from=build /app/dist .'])
  expect(text).toMatch(/\nUSER node\n/)
  expect(text).toMatch(/HEALTHCHECK .* CMD \["node", "operations\/healthy.mjs"\]/)
  const [, command = ''] = /\nCMD (.*)/.exec(text) ?? []
  expect(startsProgram(JSON.parse(command))).toBe(true)
})

test.each([
  ['127.0.0.1', undefined],
  ['127.0.0.1', '0.0.0.0'],
  ['::1', '::'],
  ['::1', '0:0:0:0:0:0:0:0'],
  ['::1', '::1'],
  ['::1', '[::1]'],
  ['127.0.0.2', '127.0.0.2'],
  ['127.0.0.1', 'localhost'],
])('an api on %s is healthy with HOST=%s, and not once it is gone', async (address, HOST) => {
  const server = createServer((_request, response) => response.end('{}'))
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const exitCode = () =>
    new Promise<number | null>((resolve) => {
      const env = { PORT: `${port}`, ...(HOST === undefined ? {} : { HOST }) }
      spawn(process.execPath, ['operations/healthy.mjs'], { cwd: ROOT, env }).on('exit', resolve)
    })
  expect(await exitCode()).toBe(0)
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  expect(await exitCode()).not.toBe(0)
})

test('each systemd unit starts a program with existing settings, as an unprivileged user', () => {
  const ofDatabase = ['dct-backup.service', 'dct-backup.timer']
  expect(units.toSorted()).toEqual([...PROCESSES, ...ofDatabase].toSorted())
  for (const file of PROCESSES) {
    const lines = unitOf(file)
    const valueIn = (key: string) => lines.findLast((line) => line.key === key)?.value
    const [dct, name] = valueIn('ExecStart')?.split(' ') ?? []
    expect(dct).toBe(`${valueIn('WorkingDirectory')}/dct`)
    expect(startsProgram(['dct', name ?? ''])).toBe(true)
    const set = lines
      .filter(({ key }) => key === 'Environment')
      .flatMap(({ value }) => namesIn(value))
    expect(set.filter((name) => !KNOWN.has(name))).toEqual([])
    expect(set).toContain('DATABASE_URL_FILE')
    expect(valueIn('User')).toMatch(/^dct/)
    expect(lines).toEqual(
      expect.arrayContaining(
        [
          ['NoNewPrivileges', 'true'],
          ['ProtectSystem', 'strict'],
          ['CapabilityBoundingSet', ''],
        ].map(([key, value]) => ({ key, value })),
      ),
    )
    // Node's JIT compiler needs memory that is writable and executable.
    expect(valueIn('MemoryDenyWriteExecute')).toBe(undefined)
  }
})

test('a command beside the units has their settings: each file that they name, by the same variable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dct-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect(unitSettings(folder)).toBe(undefined)
  const lines = unitOf('dct-worker.service')
  const credentials = lines
    .filter(({ key }) => key === 'LoadCredential')
    .map(({ value }) => value.split(':'))
  const pathOf = (value: string) =>
    Object.fromEntries(credentials)[value.replace('%d/', '')] ?? value
  const named = lines
    .filter(({ key }) => key === 'Environment')
    .flatMap(({ value }) => value.split(' ').map((pair) => pair.split('=')))
    .map(([name = '', value = '']) => [name, pathOf(value).replace('/etc/dct-earning', folder)])
    // A command listens nowhere.
    .filter(([name]) => name !== 'HOST' && name !== 'METRICS_PORT')
  mkdirSync(join(folder, 'keys'))
  for (const [, path = ''] of named) if (path.startsWith(folder)) writeFileSync(path, '')
  expect(unitSettings(folder)).toEqual(Object.fromEntries(named))
  // On the machine of an api there are no keys.
  rmSync(join(folder, 'keys'), { recursive: true })
  expect(Object.keys(unitSettings(folder) ?? {})).not.toContain('TRON_OPERATOR_KEYSTORE_FILE')
})

test('what only one user of the containers reads belongs to that user', () => {
  const prepared = readSource('operations/prepare.sh')
  const [, ofDatabase = ''] = /chown -R 999:999 (.*)/.exec(prepared) ?? []
  // The scripts of PostgreSQL's image run as its user; only the first superuser's password is read by root.
  expect(ofDatabase.split(' ').sort()).toEqual([
    ...['backups', 'secrets/database-password', 'secrets/pgbackrest.conf'],
  ])
  expect(readSource('operations/compose/create-database.sh')).toMatch(/^password=\$\(cat/m)
})

test('the sidecar that makes backups has no privileges, the same repository as the database, and its files', () => {
  const { backup, postgres } = compose.services
  expect(backup).toMatchObject({
    ...{ user: 'postgres', read_only: true, cap_drop: ['ALL'], secrets: ['pgbackrest'] },
    depends_on: { postgres: { condition: 'service_healthy' } },
  })
  for (const key of ['image', 'build'] as const) expect(backup?.[key]).toEqual(postgres?.[key])
  const repository = { PGBACKREST_CONFIG: '/run/secrets/pgbackrest' }
  for (const one of [backup, postgres]) {
    expect(one?.environment).toMatchObject(repository)
    expect(one?.volumes).toEqual(expect.arrayContaining(backup?.volumes ?? ['none']))
  }
  expect(postgres?.command?.join(' ')).toContain(
    'archive_mode=on -c archive_command=pgbackrest --stanza=dct archive-push %p',
  )
})

test('backup.sh records a backup only after the program that made it has ended well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dct-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const calls = join(folder, 'calls')
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >>${calls}\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const run = (...args: string[]) => {
    rmSync(calls, { force: true })
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const { status } = spawnSync('bash', ['operations/backup/backup.sh', ...args], {
      cwd: ROOT,
      env,
    })
    return { status, said: readFileSync(calls, 'utf8') }
  }
  program('psql', 'echo 0')
  program('pgbackrest', 'exit 0')
  const first = run()
  expect(first.status).toBe(0)
  expect(first.said).toMatch(/stanza-create\n.*--type=full backup\npsql .*record_backup\('full'\)/)
  program('psql', 'echo 1')
  expect(run().said).toMatch(
    /(?<!stanza-create\n)pgbackrest .*--type=incr backup\npsql .*\('incremental'\)/,
  )
  program('pgbackrest', 'exit 55')
  expect(run()).toMatchObject({ status: 55, said: expect.not.stringContaining('record_backup') })
  program('pg_dump', 'echo rows; exit 1')
  program('gpg', 'cat')
  const failed = run('dump', folder, 'key.asc')
  expect(failed).toMatchObject({ status: 1, said: expect.not.stringContaining('record_backup') })
  expect(readdirSync(folder).filter((name) => name.startsWith('dct-'))).toEqual([])
  program('pg_dump', 'echo rows')
  expect(run('dump', folder, 'key.asc').said).toContain("record_backup('dump')")
  expect(readdirSync(folder).filter((name) => name.endsWith('.dump.gpg'))).toHaveLength(1)
})
