/**
 * `npm run rehearse -- operation`: performs what docs/operating/ describes with real parts: the image, Docker Compose
 * with PostgreSQL, pgBackRest and Caddy, systemd's units, and Prometheus' rules. Needs root, a Docker engine with
 * Compose, and systemd, promtool and Caddy. Base images that no registry provides are made from Debian's packages.
 */
import {
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
import { type DeployedChains, SITE, startDeployedChains } from './operation-chains.ts'
import { ROOT, run, runBeside, until } from './operation-commands.ts'
import { documentedBlocks } from './operation-documents.ts'
import { ensureBaseImages } from './operation-images.ts'
import { runUnits } from './operation-machine.ts'
import { runBehindPooler } from './operation-pooler.ts'

const PROJECT = 'dct-rehearsal'
const MOST_OVER_BASE = 60_000_000
/** systemd's measure of what a unit may do, in tenths: docs/operating/install.md names it. */
const MOST_EXPOSED = '15'

const PARTS = {
  'each rule of Prometheus fires on its fault': checkAlerts,
  'the units of systemd are valid and confined': checkUnits,
  'the image is built, small, and runs every command as a user without rights': checkImage,
  'the service runs under Docker Compose, is backed up, and is restored': runCompose,
  'the service runs under systemd, is backed up, and is restored': runUnits,
  'the service runs behind PgBouncer, and the doctor finds a wrong one': runBehindPooler,
}

/** @returns whether everything could be performed */
export async function rehearseOperation(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'dct-operation-'))
  // Programs that give up root's rights read their settings in it.
  chmodSync(folder, 0o755)
  try {
    for (const [name, part] of Object.entries(PARTS)) {
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
    await compose('stop')
    const restore = ['pgbackrest', '--stanza=dct', '--delta', 'restore']
    await compose('run', '--rm', '--no-deps', 'backup', ...restore)
    await compose('up', '--detach', 'postgres')
    await worker('dct', 'end-sessions')
    await compose('up', '--detach')
    await untilServed()
    await worker('dct', 'doctor')
    await until('the audit compares everything', () => worker('dct', 'audit'))
    return 'migrated, checked, backed up, restored and audited'
  } finally {
    await compose('down', '--volumes')
    await chains.stop()
  }
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
