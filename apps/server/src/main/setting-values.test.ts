import { formatTronAddress } from '@dct/rules/addresses'
import { expect, test } from 'vitest'
import { DEVNET, LIVE, problemsOf, TRON } from '../testing/live-settings.ts'
import { readConfig } from './config.ts'
import { examineSettings } from './doctor/examine.ts'

test.each([
  ['SUPPORT_EMAIL', ['help', 'help@', 'Help <help@example.org>', 'a@b.org, c@d.org', 'a b@c.org']],
  ['SMTP_FROM', ['alarms', 'Alarms <a@example.org>', 'a@example', 'a@b.org;c@d.org']],
  [
    'HOLDER_EMAIL_FROM',
    [
      'messages',
      '<a@example.org>',
      'a@example.org\u200b',
      'ö@example.org',
      `${'x'.repeat(65)}@a.org`,
    ],
  ],
  ['BRAND', ['two\nlines', 'a\tb', 'x'.repeat(61), 'hidden\u200btext', 'turned\u202etxet']],
  [
    'HOST',
    [
      '300.1.1.1',
      '1.2.3',
      'a..b',
      '[127.0.0.1]',
      '[::1',
      '::zz',
      'a b',
      'http://localhost',
      '0.0.0.0:80',
    ],
  ],
  [
    'SMTP_URL',
    [
      'smtp://mail.example.org:465',
      'smtps://mail.example.org:587',
      'smtp://',
      'smtps:///x',
      'mail.example.org',
      'smtp://mail.example.org?tls.rejectUnauthorized=false',
      'smtps://mail.example.org/x',
      'smtp://mail.example.org#x',
      'smtp://mail..example.org',
      'smtp://mail.example.org:0',
      'smtp://u:p%zz@mail.example.org',
    ],
  ],
  ['TELEGRAM_CHAT_ID', ['x', '0', '1e5', '12.5', '１２', '@a b', 't.me/dct']],
  ['TELEGRAM_BOT_TOKEN', ['x', 'bot1:abc', '1:a/../b', '1:a b', '1:']],
  [
    'PUBLIC_ORIGIN',
    [
      'http://earn.example.org',
      'https://earn..example.org',
      'https://earn.example.org.',
      'https://earn_x.example.org',
      'https://earn.example.org/x',
      'https://-earn.example.org',
    ],
  ],
  [
    'BSC_RPC',
    [
      'https://a.example.org,https://a.example.org/',
      'https://A.example.org, https://a.example.org',
    ],
  ],
  ['BROWSER_NODES', ['https://*', 'https://*.example.org']],
  [
    'NODE_HEADERS',
    ['tron.example.org Host: x', 'tron.example.org Content-Length: 1', 'tron.example.org X-Key: ü'],
  ],
  [
    'DATABASE_URL',
    [
      'postgres://a:5432,b:5432/dct',
      'postgres://a,b/dct',
      'postgresql:///dct?host=a,b',
      'postgres:dct',
      'mysql://a/dct',
      'postgres://a/dct?sslmode=verify-ful',
      'postgres://a/dct?sslmode=disable&sslmode=verify-full',
      'postgres:///dct?host=/a&host=/b',
      'postgres://u:p%zz@a/dct',
      'postgres://a/dct?port=5432,5433',
    ],
  ],
  [
    'BSC_RECEIVER',
    ['0x55d398326f99059fF775485246999027B3197956', `0x${'0'.repeat(40)}`, `0x${'1'.repeat(39)}`],
  ],
  ['ADMINS', [formatTronAddress(Buffer.alloc(20)), `${TRON.slice(0, -1)}9`]],
  [
    'TRON_FULL_HOST',
    [
      'https://tron.example.org/?key=x',
      'https://key:secret@tron.example.org',
      'https://tron.example.org/#x',
      'tron.example.org',
      'https://tron..example.org',
      'https://tron.example.org:0',
    ],
  ],
  ['TRON_API_KEY', ['two\nlines']],
])('%s is refused in one line that names it, at start and by the doctor', (name, values) => {
  for (const value of values) {
    const problems = problemsOf({ ...LIVE, [name]: value }).filter(
      (line) => !/ needs it$/.test(line),
    )
    expect([value, problems]).toEqual([
      value,
      [expect.stringMatching(new RegExp(`^${name} is not valid: `))],
    ])
    const { findings } = examineSettings(() => readConfig({ ...LIVE, [name]: value }))
    expect(findings).toContainEqual({
      ...{ name: 'settings.valid', verdict: 'fault', subject: name, text: `${problems[0]}.` },
    })
  }
})

test.each([
  ['HOST', 'localhost', 'localhost'],
  ['HOST', '0.0.0.0', '0.0.0.0'],
  ['HOST', '::', '::'],
  ['HOST', '[::1]', '::1'],
  ['HOST', 'api.internal', 'api.internal'],
])('%s may be %s', (name, value, read) => {
  expect(readConfig({ ...LIVE, [name]: value }).host).toBe(read)
})

test('a devnet on an IPv6 address has it in brackets in its own address', () => {
  expect(readConfig({ ...DEVNET, HOST: '::1' }).origin).toBe('http://[::1]:3000')
})

test.each([
  'postgresql:///dct?host=/run/postgresql',
  'postgres://dct@%2Frun%2Fpostgresql/dct',
  'postgres://dct:secret@[::1]:5432/dct?sslmode=verify-full',
])('the database may be %s', (url) => {
  expect(readConfig({ ...LIVE, DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  'smtp://127.0.0.1:1025',
  'smtp://u:p@mail.example.org',
  'smtp://mail.example.org:587',
  'smtps://mail.example.org:465',
  'smtps://mail.example.org',
])('the mail server may be %s', (url) => {
  expect(problemsOf({ ...LIVE, SMTP_URL: url })).toEqual([])
})
