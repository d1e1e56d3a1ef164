import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, readSource } from './repository.ts'

type Lock = { packages: Record<string, { dev?: boolean; link?: boolean; resolved?: string }> }

const COPIED = [
  'apps/server',
  'contracts',
  'packages',
  'tools',
  'package.json',
  'package-lock.json',
]
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readSource('package.json'))
const OPERATORS = Object.entries(scripts).filter(([, run]) => !run.includes('tools/run.mjs'))
const DEVELOPERS = ['start', 'test', 'test:release', 'sbom', 'advisories']

let place: string

/** The repository as `npm ci --omit=dev` leaves it, on a machine that can reach no registry. */
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'dct-installed-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(place, path), { recursive: true })
  const all: Lock = JSON.parse(readSource('node_modules/.package-lock.json'))
  const kept = Object.entries(all.packages).filter(([, { dev }]) => dev !== true)
  for (const [path, { link, resolved = '' }] of kept) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue
    const target = link === true ? join(place, resolved) : join(ROOT, path)
    mkdirSync(dirname(join(place, path)), { recursive: true })
    symlinkSync(target, join(place, path))
  }
  const record = JSON.stringify({ ...all, packages: Object.fromEntries(kept) })
  writeFileSync(join(place, 'node_modules/.package-lock.json'), record)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

function run(command: string[]) {
  const [program = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: place,
    encoding: 'utf8',
    input: '',
    env: {
      ...{ PATH: process.env.PATH, HOME: place, MODE: 'live' },
      ...{ npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' },
    },
  })
  return { status, text: `${stdout}${stderr}` }
}

const installed = () => ({
  record: readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8'),
  packages: readdirSync(join(place, 'node_modules')),
})

/** What each command does without settings or arguments. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  audit: /^DATABASE_URL /m,
  deploy: /^--network is missing: one of nile/m,
  doctor: /to fix\./,
  keystore: /^Usage: npm run keystore/m,
}

test('every script for operators has an answer here', () => {
  const names = OPERATORS.map(([name]) => name).filter(
    (name) => ![...DEVELOPERS, 'format'].includes(name),
  )
  expect(names.toSorted()).toEqual(Object.keys(ANSWERS).toSorted())
})

test.each(Object.entries(ANSWERS))(
  'without development packages and registry, npm run %s runs and changes no package',
  (name, answer) => {
    const before = installed()
    const { text } = run(['npm', 'run', '--silent', name])
    expect(text).toMatch(answer)
    expect(text).not.toMatch(/Installing|npm error|ERR_MODULE_NOT_FOUND|^\s+at /m)
    expect(installed()).toEqual(before)
  },
)

test.each(['api', 'watcher', 'worker', 'all', 'migrate', 'set-admin', 'end-halt', 'end-sessions'])(
  'so does node apps/server/command.mjs %s',
  (name) => {
    const before = installed()
    const { status, text } = run([process.execPath, 'apps/server/command.mjs', name])
    expect({ status, text }).toEqual({ status: 1, text: expect.stringMatching(/^DATABASE_URL /m) })
    expect(text).not.toMatch(/^\s+at /m)
    expect(installed()).toEqual(before)
  },
)

test.each([
  ['npm', 'test'],
  ['npm', 'start'],
  ['npm', 'run', 'check'],
  ['npm', 'run', 'build:web'],
])('a command for developers refuses to change such an installation: %s %s', (...command) => {
  const before = installed()
  const { status, text } = run(command)
  expect(status).toBe(1)
  expect(text).toMatch(/were installed without those for development.*Nothing was changed\./)
  expect(installed()).toEqual(before)
})

test('without packages, a command says in one line how to install them', () => {
  rmSync(join(place, 'node_modules/.package-lock.json'))
  for (const command of [['apps/server/command.mjs', 'audit'], ['tools/deploy.mjs']]) {
    const { status, text } = run([process.execPath, ...command])
    expect(status).toBe(1)
    expect(text.trim()).toMatch(
      /^The packages in .* are missing or incomplete: run npm ci --omit=dev in .* first\.$/,
    )
  }
})
