import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startUntilReady } from '@dct/local-services/ready-process'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyPairOf } from '../devnet/src/chains/setup/keys.ts'
import { commandsIn, documentedCommands, findAbsent } from './documented-commands.ts'
import { ROOT } from './repository.ts'

const PATIENCE_MS = 300_000
const run = promisify(execFile)

/** Commands that this test runs in this order against a running devnet. Their output must match `expects`. */
const RUN: readonly { command: string; expects: string | RegExp }[] = [
  { command: 'curl localhost:3000/devnet/info', expects: '"business_date"' },
  { command: 'curl localhost:3000/api/health', expects: '"status":"ok"' },
  { command: 'npm run audit', expects: /consistent|no difference|0 differences/i },
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
  {
    command: 'node apps/server/command.mjs end-sessions',
    expects: /^Ended \d+ sessions and \d+ links/,
  },
  { command: 'echo "whsec_$(openssl rand -base64 32)"', expects: /^whsec_.{40,}/ },
]

/** Commands that another test runs, with the path of that test. */
const RUN_BY: readonly (readonly [RegExp, string])[] = [
  [/^npm start( -- --reset)?$/, 'tools/start.test.ts'],
  [/^node \S*command\.mjs (api|watcher|worker)$/, 'e2e/live/live.test.ts'],
  [/^node \S*command\.mjs all$/, 'tools/start.test.ts'],
  [/^npm run deploy( -- (--network|accept) |$)/, 'e2e/live/live.test.ts'],
  [/^npm run deploy -- (vault|status|verify)/, 'e2e/live/live.test.ts'],
  [/^node \S*command\.mjs end-halt BSC$/, 'apps/server/src/main/end-halt.test.ts'],
  [/^npm run keystore/, 'apps/server/src/main/keystore.test.ts'],
  [/^npm run doctor( -- --json)?$/, 'apps/server/src/main/doctor/doctor.test.ts'],
  [/^node \S*command\.mjs audit$/, 'apps/server/src/main/processes.test.ts'],
  [/^npm run simulate( -- |$)/, 'simulation/simulation.test.ts'],
  [/^npm run rehearse$/, 'e2e/rehearsal/rehearsal.test.ts'],
  [/^npm run build$/, 'tools/build.test.ts'],
  [/^npm run release -- /, 'e2e/upgrade/upgrade.test.ts'],
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
    /^npm run (chaos|test:release|bench|lighthouse|mutate|prove|reproduce|screenshots|words)/,
    'it takes minutes',
  ],
  [/^npx vitest run /, 'npm test runs the same files'],
  [/^node tools\/run\.mjs tools\/try-image\.ts/, 'it takes minutes and needs another user'],
  [
    /^(old=\$\()?docker |^sleep 10$|^sudo sh operations\/prepare\.sh$|^npm run rehearse -- operation$/,
    'needs a container engine; the rehearsal of the operation runs it',
  ],
  [
    /^((sudo )?systemctl|systemd-analyze|useradd|install|cd|cp|mkdir|mv|rm|chmod|chown|for port in) |^(sudo )?\/opt\/dct-earning\S*\/dct |^sudo sh -c '(set -a|cd operations\/compose\/secrets); |^\(umask 077; /,
    'needs systemd; the rehearsal of the operation runs it',
  ],
  [/^git pull$/, 'needs a newer version'],
  [
    /^(pgbackrest|gpg) |^bash operations\/backup\/backup\.sh dump|^psql .*record_backup/,
    'needs programs of PostgreSQL and GnuPG',
  ],
  [/^psql -h coordinator |^for node in |^TEST_DATABASE_URL=/, 'needs a Citus cluster'],
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
  ['npm run audit -- --weekly', 'option --weekly'],
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
    const { stdout } = await runAsOperator(command)
    expect(stdout, command).toMatch(expects)
  }
})

function operatorsEnvironment() {
  const settings = JSON.parse(readFileSync(join(devnet.dir, 'server-settings.json'), 'utf8'))
  return {
    ...ownEnvironment(),
    ...settings,
    ...{ DATA_DIR: devnet.dir, LOG_LEVEL: 'info' },
  }
}

function runAsOperator(command: string) {
  return run('sh', ['-c', adapted(command)], { cwd: ROOT, env: operatorsEnvironment() })
}

/** The command with its placeholders filled in. */
function adapted(command: string): string {
  return command
    .replace('localhost:3000', `127.0.0.1:${devnet.port}`)
    .replace('T…', keyPairOf(`0x${'5e'.repeat(32)}`).tronAddress)
}
