import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

const documented = documentedCommands()

test('every script, file, option and setting in a command exists', () => {
  const absent = documented.flatMap(({ page, command }) =>
    findAbsent(command).map((what) => `${page}: ${command}: ${what}`),
  )
  expect(absent).toEqual([])
  expect(documented.length).toBeGreaterThan(50)
  const isDocumented = ({ command }: { command: string }) =>
    documented.some((one) => one.command === command)
  expect(RUN.filter((one) => !isDocumented(one))).toEqual([])
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
