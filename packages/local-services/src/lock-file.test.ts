import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { releaseLockFile, takeLockFile } from './lock-file.ts'
import { temporaryFolder } from './testing/folders.ts'
import { untilGone } from './testing/processes.ts'

const LOCK_FILE = join(import.meta.dirname, 'lock-file.ts')
const HOLDER = `
  import { takeLockFile } from ${JSON.stringify(LOCK_FILE)}
  const taken = takeLockFile({ path: process.argv[1], holderArgs: 'the-holder' }) === undefined
  process.stdout.write(taken ? 'mine' : 'no')
  setInterval(() => {}, 1000)
`

async function startHolder(path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path, 'the-holder'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [answer] = await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, answer: `${answer}`, kill: () => child.kill('SIGKILL') }
}

test('only one of many concurrent requests gets the lock, and the holder’s death releases it', async () => {
  const path = join(temporaryFolder(), 'lock')
  writeFileSync(path, '4194305\n') // stale: no process has this id
  const holders = await Promise.all([1, 2, 3, 4, 5].map(() => startHolder(path)))
  const [winner, ...others] = holders.filter(({ answer }) => answer === 'mine')
  expect(others).toEqual([])
  expect(takeLockFile({ path, holderArgs: 'the-holder' })).toBe(winner?.pid)

  winner?.kill()
  await untilGone([winner?.pid ?? 0])
  expect(takeLockFile({ path, holderArgs: 'the-holder' })).toBeUndefined()
})

test.each([2 ** 22 + 1, process.pid, 1])(
  'the lock of a process that is gone (%i) is free',
  (pid) => {
    const dir = temporaryFolder()
    const path = join(dir, 'lock')
    writeFileSync(path, `${pid}\n`)
    expect(takeLockFile({ path, holderArgs: 'the-holder' })).toBeUndefined()
    expect(readdirSync(dir)).toEqual(['lock'])
    releaseLockFile(path)
    expect(readdirSync(dir)).toEqual([])
  },
)

test('a missing folder is reported', () => {
  const path = join(temporaryFolder(), 'missing/lock')
  expect(() => takeLockFile({ path, holderArgs: 'x' })).toThrow('ENOENT')
})
