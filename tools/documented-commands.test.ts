import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startGuarded } from '@dct/local-services'
import { startUntilReady } from '@dct/local-services/ready-process'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyPairOf } from '../devnet/src/chains/setup/keys.ts'
import { devnetAt, OutsideHolder } from '../e2e/outside/outside-client.ts'
import { commandsIn, documentedCommands, findAbsent } from './documented-commands.ts'
import { ROOT } from './repository.ts'

const PATIENCE_MS = 300_000
const run = promisify(execFile)

/** Commands that this test runs in this order against a running devnet. Their output must match `expects`. */
const RUN: readonly { command: string; expects: string | RegExp }[] = [
  { command: 'curl localhost:3000/devnet/info', expects: '"business_date"' },
  { command: 'curl localhost:3000/api/health', expects: '"status":"ok"' },
  { command: 'npm run audit', expects: /consistent|no difference|0 differences/i },
  { command: 'npm run backup:key -- FILE', expects: /^age1\w+$/m },
  { command: 'npm run backup', expects: '"backup"' },
  { command: 'npm run restore -- --verify', expects: /^The books agree with both chains\./m },
  {
    command: 'node apps/server/command.mjs migrate',
    expects: 'the schema is current',
  },
  {
    command: 'node apps/server/command.mjs set-admin T…',
    expects: 'is now an admin',
  },
  {
    command: 'node apps/server/command.mjs set-admin T… user',
    expects: 'is no longer an admin',
  },
  { command: 'echo "whsec_$(openssl rand -base64 32)"', expects: /^whsec_.{40,}/ },
  { command: 'npx web-push generate-vapid-keys', expects: 'Public Key' },
]

/** Commands that another test runs, with the path of that test. */
const RUN_BY: readonly (readonly [RegExp, string])[] = [
  [/^npm start( -- --reset)?$/, 'tools/start.test.ts'],
  [/^node \S*command\.mjs (api|watcher|worker)$/, 'e2e/live/live.test.ts'],
  [/^node \S*command\.mjs all$/, 'tools/start.test.ts'],
  [/^npm run deploy( -- (--network|accept) |$)/, 'e2e/live/live.test.ts'],
  [/^npm run deploy -- (vault|status|verify)/, 'e2e/live/live.test.ts'],
  [
    /^(npm run backup -- |node \S*command\.mjs backup )--every 6$/,
    'tools/documented-commands.test.ts',
  ],
  [/^node \S*command\.mjs end-halt BSC$/, 'apps/server/src/main/end-halt.test.ts'],
  [/^npm run keystore/, 'apps/server/src/main/keystore.test.ts'],
  [/^npm run doctor( -- --json)?$/, 'apps/server/src/main/doctor/doctor.test.ts'],
  [/^npm run simulate( -- |$)/, 'simulation/simulation.test.ts'],
  [/^npm run rehearse$/, 'e2e/rehearsal/rehearsal.test.ts'],
  [/^npm run build$/, 'tools/build.test.ts'],
  [/^npm run build:schema$/, 'apps/server/migrations/schema.test.ts'],
  [/^npm run release -- /, 'e2e/upgrade/upgrade.test.ts'],
  [/^npm run restore$/, 'e2e/rehearsal/rehearsal.test.ts'],
]

/** Commands that no test runs, with the reason. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^(npm test|npm run check$)/, 'it runs this test'],
  [/^npm (ci|install)/, 'it replaces the packages that are in use'],
  [
    /^npm run (build:(web|contracts|settings)|translations)$/,
    'it writes into the repository; npm run check compares the result',
  ],
  [
    /^npm run (chaos|test:release|bench|lighthouse|prove|reproduce|screenshots|words)/,
    'it takes minutes',
  ],
  [/^npx vitest run /, 'npm test runs the same files'],
  [/^node tools\/run\.mjs tools\/try-image\.ts/, 'it takes minutes and needs another user'],
  [/^docker |^sudo sh operations\/prepare\.sh$/, 'needs a container engine'],
  [/^systemctl |^systemd-analyze /, 'needs systemd'],
  [/^git clone REPOSITORY/, 'needs the address of the repository'],
]

const documented = documentedCommands()
const commands = [...new Set(documented.map(({ command }) => command))]

test('every command in the documents is run here or by another test, or has a reason why no test runs it', () => {
  const cases = (command: string) => [
    ...RUN.filter((one) => one.command === command),
    ...[...RUN_BY, ...NOT_RUN].filter(([pattern]) => pattern.test(command)),
  ]
  expect(commands.length).toBeGreaterThan(50)
  expect(commands.filter((command) => cases(command).length !== 1)).toEqual([])
  const isUsed = (pattern: RegExp) => commands.some((command) => pattern.test(command))
  expect([...RUN_BY, ...NOT_RUN].filter(([pattern]) => !isUsed(pattern))).toEqual([])
  expect(RUN.filter(({ command }) => !commands.includes(command))).toEqual([])
  expect(RUN_BY.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('every script, file, option and setting in a command exists', () => {
  const absent = documented.flatMap(({ page, command }) =>
    findAbsent(command).map((what) => `${page}: ${command}: ${what}`),
  )
  expect(absent).toEqual([])
})

test.each([
  ['npm run nothing', 'script nothing'],
  ['npm run backup -- --weekly', 'option --weekly'],
  ['npm run deploy -- --no-such-option', 'option --no-such-option'],
  ['node apps/server/src/main/nobody.ts', 'file apps/server/src/main/nobody.ts'],
  ['NO_SUCH_SETTING=1 npm start', 'setting NO_SUCH_SETTING'],
])('the check reports what does not exist in %s', (command, absent) => {
  expect(findAbsent(command)).toEqual([absent])
})

test('commands are found in blocks and in sentences', () => {
  const text = `Run \`npm run
audit\` and \`npm\`.

\`\`\`sh
# first
npm start     # starts
npm run deploy -- \\
  --yes
\`\`\`

    npm ci
    npm run deploy \\
      --token T…

\`\`\`json
npm
\`\`\`
`
  expect(commandsIn(text)).toEqual([
    ...['npm start', 'npm run deploy -- --yes', 'npm ci', 'npm run deploy --token T…'],
    'npm run audit',
  ])
})

let recipient = ''
let devnet: { port: number; dir: string; stop(): Promise<void> }

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'dct-documented-'))
  const port = await portForLater()
  const command = {
    ...{ command: process.execPath, args: ['tools/start.mjs'], cwd: ROOT },
    env: { ...ownEnvironment(), DATA_DIR: dir, PORT: `${port}` },
  }
  const started = await startUntilReady(command, (line) =>
    line.includes(`Open http://127.0.0.1:${port}`),
  )
  if ('lastLines' in started) throw new Error(started.lastLines)
  devnet = {
    ...{ port, dir },
    async stop() {
      await started.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}, PATIENCE_MS)

afterAll(() => devnet?.stop(), PATIENCE_MS)

test('the documented commands have the documented effect, run one after the other', {
  timeout: PATIENCE_MS,
}, async () => {
  for (const { command, expects } of RUN) {
    const { stdout } = await runAsOperator(command, await settingsOf(command))
    expect(stdout, command).toMatch(expects)
    recipient = /^age1\w+$/m.exec(stdout)?.[0] ?? recipient
  }
})

test('a failing backup raises the alarm of its runbook, and `npm run backup` resolves it', {
  timeout: PATIENCE_MS,
}, async () => {
  const base = `http://127.0.0.1:${devnet.port}`
  const info = await devnetAt(base).info()
  const account = info.accounts.find(({ role }) => role === 'admin')
  if (account === undefined) throw new Error('the devnet has no admin')
  const admin = new OutsideHolder({ base, info, account })
  await admin.login()
  const kinds = async () => {
    const { alarms } = await admin.call<{ alarms: { kind: string }[] }>('GET', '/api/admin/alarms')
    return alarms.map(({ kind }) => kind)
  }
  const failing = startGuarded({
    ...{ command: process.execPath, args: ['apps/server/src/main/backup.ts', '--every', '6'] },
    // It fails because this is a file, not a folder.
    ...{ cwd: ROOT, env: { ...operatorsEnvironment(), BACKUP_TO: backupKey() } },
  })
  await expect.poll(kinds, { timeout: 60_000 }).toContain('backup')
  await failing.stop()
  await runAsOperator('npm run backup')
  expect(await kinds()).not.toContain('backup')
})

const backupKey = () => join(devnet.dir, 'backup-key')

function operatorsEnvironment() {
  const settings = JSON.parse(readFileSync(join(devnet.dir, 'server-settings.json'), 'utf8'))
  return {
    ...ownEnvironment(),
    ...settings,
    ...{ DATA_DIR: devnet.dir, LOG_LEVEL: 'info' },
    ...{ BACKUP_TO: join(devnet.dir, 'backups'), BACKUP_RECIPIENT: recipient },
  }
}

/** A restore needs the key of the backups and an empty database. */
async function settingsOf(command: string): Promise<Record<string, string>> {
  if (!command.startsWith('npm run restore')) return {}
  const url = new URL(operatorsEnvironment().DATABASE_URL)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('create database restored')
  await client.end()
  url.pathname = '/restored'
  return { DATABASE_URL: url.href, BACKUP_IDENTITY_FILE: backupKey() }
}

function runAsOperator(command: string, settings: Record<string, string> = {}) {
  const options = { cwd: ROOT, env: { ...operatorsEnvironment(), ...settings } }
  return run('sh', ['-c', adapted(command, backupKey())], options)
}

/** The command with its placeholders filled in. */
function adapted(command: string, file: string): string {
  return command
    .replace('localhost:3000', `127.0.0.1:${devnet.port}`)
    .replace('T…', keyPairOf(`0x${'5e'.repeat(32)}`).tronAddress)
    .replace(/\bFILE\b/, file)
}
