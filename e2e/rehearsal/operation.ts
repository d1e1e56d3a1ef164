/**
 * `npm run rehearse -- operation`: performs what docs/operating/ describes with real parts: the image, Docker Compose
 * with PostgreSQL, pgBackRest and Caddy, systemd's units, and Prometheus' rules. Needs root, a Docker engine with
 * Compose, and systemd, promtool and Caddy. Base images that no registry provides are made from Debian's packages.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { deployContracts } from '../live/deploy-contracts.ts'
import { startBscNode, startTronNode } from '../live/live-nodes.ts'
import { newAccount } from '../outside/outside-client.ts'
import { ensureBaseImages } from './operation-images.ts'
import { openToContainers } from './operation-network.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROJECT = 'dct-rehearsal'
const SITE = 'earn.localhost'
const MOST_OVER_BASE = 60_000_000
/** systemd's measure of what a unit may do, in tenths: docs/operating/install.md names it. */
const MOST_EXPOSED = '15'
const PATIENCE_MS = 240_000
const PAUSE_MS = 2_000

const PARTS = {
  'each rule of Prometheus fires on its fault': checkAlerts,
  'the units of systemd are valid and confined': checkUnits,
  'the image is built, small, and runs every command as a user without rights': checkImage,
  'the service runs under Docker Compose, is backed up, and is restored': runCompose,
}

/** @returns whether everything could be performed */
export async function rehearseOperation(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'dct-operation-'))
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

type Options = { cwd?: string; env?: NodeJS.Dict<string> }

/** @throws Error with everything that the program wrote, unless it succeeds */
function run(program: string, args: readonly string[], { cwd = ROOT, env = {} }: Options = {}) {
  try {
    return execFileSync(program, args, {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...process.env, ...env },
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const message = `${program} ${args.join(' ')} failed: ${stdout}${stderr || error}`
    throw new Error(message, { cause: error })
  }
}

async function runBeside(program: string, args: readonly string[], options: Options = {}) {
  const { cwd = ROOT, env = {} } = options
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env },
  })
  return stdout
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
  const chains = await startChainHost({ dir: join(folder, 'chains') })
  const [tron, bsc] = [await startTronNode(chains), await startBscNode(chains)]
  const nodes = await openToContainers({ tron: tron.url, bsc: bsc.url })
  const cwd = join(folder, 'dct')
  const env = { COMPOSE_PROJECT_NAME: PROJECT }
  // Not blocking: the nodes answer from this process.
  const compose = (...args: string[]) => runBeside('docker', ['compose', ...args], { cwd, env })
  const worker = (...command: string[]) => compose('run', '--rm', 'worker', ...command)
  try {
    run('git', ['clone', '--quiet', ROOT, cwd])
    run('sh', ['operations/prepare.sh'], { cwd })
    await fillIn(cwd, { chains, nodes, folder, nodeUrl: tron.url })
    await compose('run', '--rm', '--build', 'worker', 'dct', 'migrate')
    await worker('dct', 'doctor')
    await compose('up', '--detach', '--build')
    await untilServed()
    await untilBackedUp(compose)
    await compose('stop')
    const restore = [
      'run',
      '--rm',
      '--no-deps',
      'backup',
      'pgbackrest',
      '--stanza=dct',
      '--delta',
      'restore',
    ]
    await compose(...restore)
    await compose('up', '--detach', 'postgres')
    await worker('dct', 'end-sessions')
    await compose('up', '--detach')
    await untilServed()
    await worker('dct', 'doctor')
    await until('the audit compares everything', () => worker('dct', 'audit'))
    return 'migrated, checked, backed up, restored and audited'
  } finally {
    await compose('down', '--volumes')
    nodes.close()
    await Promise.all([tron.stop(), bsc.stop(), chains.stop()])
  }
}

type Nodes = { tron: string; bsc: string }

/** What docs/operating/install.md asks the operator to fill in. */
async function fillIn(
  cwd: string,
  options: { chains: ChainHost; nodes: Nodes; folder: string; nodeUrl: string },
): Promise<void> {
  const { chains, nodes, folder, nodeUrl } = options
  const deployed = await deployContracts(folder, { chains, nodeUrl })
  const { operator, payout, feeReceiver } = chains.serviceKeys
  const place = join(cwd, 'operations/compose')
  const settings = {
    ...{ PUBLIC_ORIGIN: `https://${SITE}`, SUPPORT_EMAIL: 'support@example.org' },
    ...{ ADMINS: newAccount().tron_address, ...deployed },
    ...{ TRON_FULL_HOST: nodes.tron, BSC_RPC: nodes.bsc, BSC_RECEIVER: feeReceiver.bscAddress },
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(place, 'settings.env'), lines.join(''))
  for (const [name, hex] of [
    ['tron-operator', operator.tronPrivateKey],
    ['bsc-payout', payout.bscPrivateKey],
  ] as const) {
    const [keystore, passphrase] = [`${name}-keystore`, `${name}-passphrase`].map((file) =>
      join(place, 'secrets', file),
    ) as [string, string]
    writeFileSync(passphrase, 'a long passphrase\n', { mode: 0o600 })
    const key = writeKeyFile(folder, { name, hex: hex.replace('0x', '') })
    const args = ['keystore', keystore, '--key-file', key, '--passphrase-file', passphrase]
    run(process.execPath, ['apps/server/command.mjs', ...args])
    run('chown', ['1000:1000', keystore, passphrase])
  }
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

async function until(what: string, attempt: () => unknown): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (true) {
    try {
      await attempt()
      return
    } catch (cause) {
      if (performance.now() > deadline) throw new Error(`timed out: ${what}: ${cause}`, { cause })
    }
    await pause(PAUSE_MS)
  }
}
