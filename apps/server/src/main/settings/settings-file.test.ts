import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseSettings, withSettingsFile } from './settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'dct-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a value is everything after the equals sign, whatever a shell would make of it', () => {
  const text = [
    '\uFEFF# A comment.',
    '',
    'DATABASE_URL=postgres://dct:p$w#d`x`@db/dct?sslmode=verify-full&sslrootcert=/ca.pem',
    'BRAND=DCT; rm -rf "$HOME" \\',
    "SMTP_FROM='DCT Earning <a@example.org>'",
    'SUPPORT_EMAIL = b@example.org',
    'NODE_HEADERS=a.example.org X-Token: a=b\r',
  ].join('\n')
  const { values, problems } = parseSettings(text)
  expect(Object.fromEntries(values)).toEqual({
    DATABASE_URL: 'postgres://dct:p$w#d`x`@db/dct?sslmode=verify-full&sslrootcert=/ca.pem',
    BRAND: 'DCT; rm -rf "$HOME" \\',
    SMTP_FROM: 'DCT Earning <a@example.org>',
    NODE_HEADERS: 'a.example.org X-Token: a=b',
  })
  expect(problems).toEqual(['line 6 of SETTINGS_FILE is not valid: it must be NAME=value'])
})

test('unknown names, repeated ones and lines of another form are named, and no value is', () => {
  const text = 'BSC_RCP=secret\nexport HOST=secret\nPORT=1\nPORT=2\nAWS_REGION=secret'
  const { problems } = parseSettings(text)
  expect(problems).toEqual([
    'BSC_RCP is not a setting: correct or remove line 1 of SETTINGS_FILE',
    'line 2 of SETTINGS_FILE is not valid: it must be NAME=value',
    'PORT is set twice: remove line 4 of SETTINGS_FILE',
    'AWS_REGION is not a setting: correct or remove line 5 of SETTINGS_FILE',
  ])
})

test('the environment takes precedence, also where it names a file', () => {
  const path = join(folder, 'live.env')
  writeFileSync(path, 'MODE=live\nPORT=4000\nDATABASE_URL=postgres://a/b\nBRAND_FILE=/brand\nHOST=')
  const own = { SETTINGS_FILE: path, PORT: '5000', DATABASE_URL_FILE: '/run/url', BRAND: 'B' }
  const { env, problems } = withSettingsFile(own)
  expect(problems).toEqual([])
  expect(env).toEqual({ ...own, MODE: 'live', HOST: '' })
})

test('a file that cannot be read is named as such', () => {
  const { problems } = withSettingsFile({ SETTINGS_FILE: join(folder, 'absent') })
  expect(problems).toEqual([
    'SETTINGS_FILE is not valid: a file of settings; it cannot be read (ENOENT)',
  ])
  expect(withSettingsFile({ SETTINGS_FILE: folder }).problems[0]).toContain('(EISDIR)')
})
