/**
 * `npm run rehearse -- operation`: performs what docs/operating/ describes with real parts: the image, Docker Compose
 * with PostgreSQL, pgBackRest and Caddy, systemd's units, and Prometheus' rules. Needs root, a Docker engine with
 * Compose, and systemd, promtool and Caddy. Base images that no registry provides are made from Debian's packages.
 */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DeployedChains, SITE, startDeployedChains } from './operation-chains.ts'
import { ROOT, run, runBeside, until } from './operation-commands.ts'
import {
  documentedBlocks,
  documentedSettings,
  readDocument,
  restoreTo,
} from './operation-documents.ts'
import { ensureBaseImages } from './operation-images.ts'
import { replaceKeys } from './operation-keys.ts'
import { runUnits } from './operation-machine.ts'
import { runBehindPatroni } from './operation-patroni.ts'
import { runBehindPooler } from './operation-pooler.ts'

const PROJECT = 'dct-rehearsal'
const MOST_OVER_BASE = 60_000_000
/** systemd's measure of what a unit may do, in tenths: docs/operating/install.md names it. */
const MOST_EXPOSED = '15'
/** The documented command for the newest state. */
const NEWEST = 'pgbackrest --stanza=dct --delta restore'
/** So that a point in time lies before what comes after it. */
const A_MOMENT_MS = 2_000

const PARTS = {
  'each rule of Prometheus fires on its fault': checkAlerts,
  'the units of systemd are valid and confined': checkUnits,
  'the image is built, small, and runs every command as a user without rights': checkImage,
  'the service runs under Docker Compose, is backed up, and is restored': runCompose,
  'the service runs under systemd, is backed up, and is restored': runUnits,
  'the service runs behind PgBouncer, and the doctor finds a wrong one': runBehindPooler,
  'the service runs behind Patroni, whose primary dies': runBehindPatroni,
}

/**
 * @param pattern names the parts to perform; those that need an image take the one of an earlier run
 * @returns whether everything could be performed
 */
export async function rehearseOperation(pattern = ''): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'dct-operation-'))
  // Programs that give up root's rights read their settings in it.
  chmodSync(folder, 0o755)
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (!new RegExp(pattern).test(name)) continue
      const startedAt = performance.now()
      const found = await part(folder)
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
      console.log(`✔ ${name}${found === undefined ? '' : `: ${found}`}, ${seconds} s`)
    }
    return true
  } catch (error) {
    console.error(`✘ ${(error as Error).message}`)
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkAlerts(): void {
  const cwd = join(ROOT, 'operations/prometheus')
  run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd })
  run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd })
  run('promtool', ['check', 'config', 'prometheus.example.yaml'], { cwd })
  const caddy = ['validate', '--adapter', 'caddyfile', '--config', 'operations/Caddyfile']
  run('caddy', caddy, { env: { PUBLIC_ORIGIN: `https://${SITE}` } })
}

function checkUnits(folder: string): void {
  const root = join(folder, 'systemd')
  const units = join(root, 'etc/systemd/system')
  cpSync(join(ROOT, 'operations/systemd'), units, { recursive: true })
  for (const program of ['opt/dct-earning/dct', 'usr/local/bin/dct-backup']) {
    mkdirSync(join(root, program, '..'), { recursive: true })
    writeFileSync(join(root, program), '#!/bin/sh\n', { mode: 0o755 })
  }
  const processes = ['dct-api@3000.service', 'dct-watcher.service', 'dct-worker.service']
  const analyze = (...args: string[]) => run('systemd-analyze', [`--root=${root}`, ...args])
  const all = [...processes, 'dct-backup.service', 'dct-backup.timer']
  analyze('--man=no', '--recursive-errors=no', 'verify', ...all)
  for (const unit of ['dct-watcher.service', 'dct-worker.service']) {
    analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED}`, '--no-pager', unit)
  }
}

async function checkImage(folder: string): Promise<string> {
  await ensureBaseImages(join(folder, 'images'))
  run('docker', ['build', '--tag', 'dct-earning', '.'])
  const sizeOf = (image: string) =>
    Number(run('docker', ['image', 'inspect', '--format', '{{.Size}}', image]))
  const [, base = ''] =
    /^ARG NODE=(\S+)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  const over = sizeOf('dct-earning') - sizeOf(base)
  if (over > MOST_OVER_BASE) throw new Error(`The image adds ${over} bytes to its base.`)
  const inside = (...command: string[]) => run('docker', ['run', '--rm', 'dct-earning', ...command])
  if (inside('id', '--user').trim() === '0') throw new Error('The image runs as root.')
  inside(
    'sh',
    '-c',
    'umask 077; echo "a long passphrase" >/tmp/p; dct keystore /tmp/k --passphrase-file /tmp/p',
  )
  return `${(over / 1e6).toFixed(1)} MB over its base`
}

async function runCompose(folder: string): Promise<string> {
  const chains = await startDeployedChains(join(folder, 'compose'))
  const cwd = join(folder, 'dct')
  const env = { COMPOSE_PROJECT_NAME: PROJECT }
  // Not blocking: the nodes answer from this process.
  const compose = (...args: string[]) => runBeside('docker', ['compose', ...args], { cwd, env })
  const sh = (commands: string) => runBeside('sh', ['-ec', commands], { cwd, env })
  const worker = (...command: string[]) => compose('run', '--rm', 'worker', ...command)
  try {
    run('git', ['clone', '--quiet', ROOT, cwd])
    const [prepare = '', start = ''] = documentedBlocks('install.md', 'In containers')
    const place = join(cwd, 'operations/compose')
    await sh(withKeys(prepare, chains, join(place, 'secrets')))
    writeFileSync(join(place, 'settings.env'), chains.settings)
    await sh(start)
    await untilServed()
    await untilBackedUp(compose)
    await upgrade(sh)
    await stopPayouts({ cwd, sh, compose })
    await signAtService({ cwd, sh, compose, chains })
    await replaceKeys(sh, { layout: 'compose', chains })
    await untilServed()
    const [, , restore = ''] = documentedBlocks('backups.md', 'Restore')
    const query = ['exec', '-T', 'postgres', 'psql', '--username=dct', '--dbname=dct', '-Atc']
    const ask = async (statement: string) => (await compose(...query, statement)).trim()
    const target = await ask('select now()')
    await pause(A_MOMENT_MS)
    await ask('create table mistake ()')
    for (const command of [NEWEST, restoreTo(target)]) {
      await compose('stop')
      await sh(restore.replace(NEWEST, command))
      await untilServed()
      await worker('dct', 'doctor')
      await until('the audit compares everything', () => worker('dct', 'audit'))
      const isThere = await ask("select to_regclass('mistake') is not null")
      const isWanted = command === NEWEST ? 't' : 'f'
      if (isThere !== isWanted) throw new Error(`${command} restored another time.`)
    }
    return 'migrated, checked, backed up, upgraded, restored to two times and audited'
  } finally {
    await compose('down', '--volumes')
    await chains.stop()
  }
}

/** docs/upgrades/README.md, to a version that is the same: no request fails but for those that reach a stopping api. */
async function upgrade(sh: (commands: string) => Promise<string>): Promise<void> {
  const [install = ''] = documentedBlocks('../upgrades/README.md', 'For operators')
  const ask = `curl --insecure --silent --output /dev/null --write-out '%{http_code}\\n' --resolve ${SITE}:443:127.0.0.1 https://${SITE}/api/live`
  await sh(`
    while sleep 0.2; do ${ask} || true; done >replies &
    asking=$!
    ${install}
    kill $asking
    sort replies | uniq -c
    test $(grep -cv '^200$' replies) -le $(($(wc -l <replies) / 20))`)
}

type Installed = {
  cwd: string
  sh(commands: string): Promise<string>
  compose(...args: string[]): Promise<string>
}

/** Lets commands see a file of Docker Compose's for additions, and the service as it was afterwards. */
async function withOverride(
  { cwd, compose }: Installed,
  { content, act }: { content: string; act(): Promise<void> },
): Promise<void> {
  const file = join(cwd, 'compose.override.yaml')
  writeFileSync(file, content)
  await act()
  rmSync(file)
  await compose('up', '--detach', 'worker')
}

/** docs/runbooks/books-differ.md, and back. */
async function stopPayouts(installed: Installed): Promise<void> {
  const [, content = ''] =
    /create a file `compose.override.yaml` with\n\n((?: {9}.*\n)+)/.exec(
      readDocument('../runbooks/books-differ.md'),
    ) ?? []
  const act = async () => {
    await installed.compose('up', '--detach', 'worker')
    await until('the worker has no key', async () => {
      const log = await installed.compose('logs', 'worker')
      if (!log.includes('this worker has no key and sends nothing')) throw new Error(log)
    })
  }
  await withOverride(installed, { content: content.replaceAll(/^ {9}/gm, ''), act })
}

/** docs/operating/keys.md, with a stand-in for AWS KMS that has the keys of these chains. */
async function signAtService(installed: Installed & { chains: DeployedChains }): Promise<void> {
  const { cwd, sh, chains } = installed
  const place = join(cwd, 'operations/compose')
  const settings = join(place, 'settings.env')
  const before = readFileSync(settings, 'utf8')
  const { aws } = chains.kms
  appendFileSync(settings, aws.settings)
  writeFileSync(join(place, 'secrets/kms.env'), aws.credentials)
  // They are not needed.
  await sh('cd operations/compose/secrets && mkdir kept && mv *-keystore *-passphrase kept')
  const content = documentedSettings('keys.md', 'env_file:')
  const act = async () => {
    const [, key = ''] = /_KMS=(.+)/.exec(aws.settings) ?? []
    const [check = ''] = documentedBlocks('keys.md', 'Kept by a service').slice(-1)
    const found = await sh(check.replace('aws:ARN', key))
    if ((found.match(/_KMS: The key of .+ signs/g) ?? []).length !== 2) throw new Error(found)
    await sh('cd operations/compose/secrets && mv kept/* . && rmdir kept')
    writeFileSync(settings, before)
  }
  await withOverride(installed, { content, act })
}

/** The commands that create keystores encrypt the keys of these chains in place of new ones. */
function withKeys(commands: string, { keyFiles }: DeployedChains, secrets: string): string {
  const lines = commands.split('\n').map((line) => {
    const [, name] = /keystore \/secrets\/(\S+)-keystore/.exec(line) ?? []
    if (name === undefined) return line.replace(/^sudo /, '')
    const key = keyFiles[name as keyof typeof keyFiles]
    return `install -m 600 -o 1000 ${key} ${secrets}/key\n${line} --key-file /secrets/key`
  })
  return `${lines.join('\n')}\nrm ${secrets}/key`
}

const untilServed = () =>
  until('the proxy answers', () =>
    runBeside('curl', [
      ...['--insecure', '--fail', '--silent', '--resolve', `${SITE}:443:127.0.0.1`],
      `https://${SITE}/api/health`,
    ]),
  )

const untilBackedUp = (compose: (...args: string[]) => Promise<string>) =>
  until('a backup is recorded', async () => {
    const psql = ['psql', '--username=dct', '--dbname=dct', '--tuples-only', '--command']
    const kinds = await compose('exec', '-T', 'postgres', ...psql, 'select kind from backup')
    if (!kinds.includes('full')) throw new Error(`these backups are recorded: ${kinds}`)
  })
