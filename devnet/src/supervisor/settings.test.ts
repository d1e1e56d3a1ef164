import { expect, test } from 'vitest'
import { localAddress, readDevnetSettings } from './settings.ts'

test('by default, a devnet uses port 3000, serves only this machine and keeps its data in ./data', () => {
  expect(readDevnetSettings({}, [])).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: `${process.cwd()}/data`,
    reset: false,
    forServer: {},
  })
})

test('port, host, folder and reset can be set', () => {
  const env = { PORT: '4100', HOST: '::1', DATA_DIR: '/srv/devnet', BRAND: 'My site' }
  expect(readDevnetSettings(env, ['--reset'])).toEqual({
    host: '::1',
    port: 4100,
    dataDir: '/srv/devnet',
    reset: true,
    forServer: env,
  })
})

test.each([
  'DATABASE_URL',
  'BSC_RPC',
  'TRON_FULL_HOST',
  'PAYOUT_PRIVATE_KEY',
  'TRON_OPERATOR_KEY_FILE',
])('a devnet does not start while %s is set, and never prints its value', (name) => {
  expect(() => readDevnetSettings({ [name]: 's3cret' }, [])).toThrow(`unset ${name}`)
  expect(() => readDevnetSettings({ [name]: 's3cret' }, [])).not.toThrow('s3cret')
})

test.each(['0.0.0.0', '::', '192.168.1.7', 'example.org'])(
  'a devnet listens on %s only when a setting allows a public one',
  (host) => {
    expect(() => readDevnetSettings({ HOST: host }, [])).toThrow('ALLOW_PUBLIC_DEVNET=on')
    expect(readDevnetSettings({ HOST: host, ALLOW_PUBLIC_DEVNET: 'on' }, []).host).toBe(host)
  },
)

test.each(['0', '65536', 'http', '3000.5', '-1'])('PORT=%s is refused', (port) => {
  expect(() => readDevnetSettings({ PORT: port }, [])).toThrow('PORT must be')
})

test('a live setting never reaches the server, even where a public devnet is allowed', () => {
  const env = { DATABASE_URL: 'postgres://real', BRAND: 'x', ALLOW_PUBLIC_DEVNET: 'on' }
  expect(Object.keys(readDevnetSettings(env, []).forServer)).toEqual([
    'BRAND',
    'ALLOW_PUBLIC_DEVNET',
  ])
})

test('MODE=live is refused even where a public devnet is allowed', () => {
  const env = { MODE: 'live', ALLOW_PUBLIC_DEVNET: 'on' }
  expect(() => readDevnetSettings(env, [])).toThrow('MODE=live')
})

test('all problems are reported together', () => {
  const read = () => readDevnetSettings({ MODE: 'live', PORT: 'x', DATABASE_URL: 'x' }, ['--rest'])
  expect(read).toThrow(/DATABASE_URL.*\n.*MODE=live.*\n.*PORT.*\n.*--rest/)
})

test('the URL on this machine for every host', () => {
  const hosts = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost']
  expect(hosts.map((host) => localAddress({ host, port: 80 }))).toEqual([
    'http://127.0.0.1:80',
    'http://127.0.0.1:80',
    'http://[::1]:80',
    'http://[::1]:80',
    'http://localhost:80',
  ])
})
