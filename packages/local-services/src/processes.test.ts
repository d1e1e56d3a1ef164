import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { endLeftover, inspectProcess, signalProcess } from './processes.ts'
import { untilGone } from './testing/processes.ts'

test('a signal to a process that has ended in the meantime is no error', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  expect(() => signalProcess(child.pid ?? 0, 'SIGTERM')).not.toThrow()
})

test('a leftover process is ended, but not another one that got its id', async () => {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const signal = { signal: 'SIGTERM', patienceMs: 5_000 } as const
  expect(await endLeftover({ pid, args: 'all.ts' }, signal)).toBe(true)
  expect(inspectProcess(pid).state).toBe('alive')
  expect(await endLeftover({ pid, args: 'sleep 60' }, signal)).toBe(true)
  await untilGone([pid])
})
