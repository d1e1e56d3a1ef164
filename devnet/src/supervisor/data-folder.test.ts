import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@dct/local-services/testing/folders'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder, writeKeyFile } from './data-folder.ts'
import { vapidKey } from './vapid-keys.ts'

/** Starts a process that looks like a supervisor to `ps`. */
async function otherSupervisor(): Promise<number> {
  const command = 'process.stdout.write("on"); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['-e', command, 'devnet/src/main.ts'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

test('a folder used by a running devnet is refused, and the error names its process and the fix', async () => {
  const dir = temporaryFolder()
  const pid = await otherSupervisor()
  writeFileSync(join(dir, 'devnet.lock'), `${pid}\n`)
  expect(() => openDataFolder({ dir, reset: true })).toThrow(
    new RegExp(`process ${pid}.*DATA_DIR=./data-2 PORT=3001 npm start`, 's'),
  )
})

test('a released folder is free again', () => {
  const dir = temporaryFolder()
  openDataFolder({ dir, reset: false }).release()
  openDataFolder({ dir, reset: false }).release()
  expect(readdirSync(dir)).toEqual([])
})

test('reset removes the data of a devnet and nothing else', () => {
  const dir = temporaryFolder()
  const data = openDataFolder({ dir, reset: false })
  mkdirSync(join(data.path('postgres'), 'data'), { recursive: true })
  writeFileSync(join(dir, 'diary.txt'), 'mine')
  data.release()

  const again = openDataFolder({ dir, reset: true })
  expect(existsSync(again.path('postgres'))).toBe(false)
  expect(existsSync(join(dir, 'diary.txt'))).toBe(true)
})

test('a folder that cannot be written to is refused, and the error names it', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => openDataFolder({ dir: join(file, 'data'), reset: false })).toThrow(/DATA_DIR/)
})

test('only its owner can read a key file, and a new key replaces the old one', () => {
  const dir = join(temporaryFolder(), 'keys')
  const first = writeKeyFile(dir, { name: 'operator', hex: 'aa' })
  expect(writeKeyFile(dir, { name: 'operator', hex: 'bb' })).toBe(first)
  expect(readFileSync(first, 'utf8')).toBe('bb\n')
  expect(statSync(first).mode & 0o777).toBe(0o600)
})

test('the keys for push services are generated once, and only their owner can read them', () => {
  const dir = join(temporaryFolder(), 'keys')
  const key = vapidKey(dir)
  expect(vapidKey(dir)).toBe(key)
  expect(vapidKey(join(temporaryFolder(), 'keys'))).not.toBe(key)
  expect(statSync(join(dir, 'vapid.json')).mode & 0o777).toBe(0o600)
  expect(Buffer.from(key, 'base64url')).toHaveLength(32)
})
