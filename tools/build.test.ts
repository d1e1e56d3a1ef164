import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writeRelease } from './releases/archive.ts'
import { bundleServer, PROGRAMS } from './releases/bundle-server.ts'
import { ROOT } from './repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'dct-build-'))

beforeAll(async () => {
  writeRelease(await bundleServer('9.8.7'), folder)
  copyFileSync(join(ROOT, 'apps/server/dct.mjs'), join(folder, 'dct'))
  copyFileSync(join(ROOT, 'apps/server/unit-settings.mjs'), join(folder, 'unit-settings.mjs'))
  chmodSync(join(folder, 'dct'), 0o755)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command of a build with these settings only, elsewhere, as where nothing else is installed. */
async function dct(
  args: readonly string[],
  settings: Record<string, string> = {},
  cwd: string = tmpdir(),
) {
  const env = { PATH: process.env.PATH, ...settings }
  const run = promisify(execFile)(join(folder, 'dct'), args, { cwd, env })
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }) => ({ code, text: `${stderr}` }),
  )
}

test('a build needs no packages: its command runs every program and names them', async () => {
  const { code, text } = await dct(['nothing'])
  expect(code).toBe(1)
  expect(text).toContain(`NAME is one of ${PROGRAMS.toSorted().join(', ')}.`)
  expect((await dct([])).text).toBe(text)
  expect((await dct(['../server/api'])).text).toBe(text)
})

test('a program without settings says which is missing, in one line', async () => {
  const { code, text } = await dct(['migrate'], { MODE: 'live' })
  expect(code).toBe(1)
  expect(text).toMatch(/^DATABASE_URL/m)
  expect(text).not.toMatch(/^\s+at /m)
})

test('a program of a build gets its arguments and writes where it is told', async () => {
  const passphrase = join(folder, 'passphrase')
  writeFileSync(passphrase, 'a long passphrase for this test')
  const keystore = join(folder, 'key.json')
  const { code, text } = await dct(['keystore', keystore, '--passphrase-file', passphrase])
  expect([code, existsSync(keystore)]).toEqual([0, true])
  expect(text).toMatch(/T[1-9A-HJ-NP-Za-km-z]{33}/)
})

test('the settings are those beside the command, in whatever folder an operator calls it', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'dct-elsewhere-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  onTestFinished(() => rmSync(join(folder, 'live.env'), { force: true }))
  writeFileSync(join(elsewhere, 'live.env'), 'NO_SETTING=1\n')
  const migrate = () => dct(['migrate'], { MODE: 'live' }, elsewhere)
  expect((await migrate()).text).not.toContain('NO_SETTING')
  renameSync(join(elsewhere, 'live.env'), join(folder, 'live.env'))
  expect((await migrate()).text).toContain('NO_SETTING')
})
