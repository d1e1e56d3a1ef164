import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startGuarded } from './guard.ts'
import { inspectProcess } from './processes.ts'
import { temporaryFolder } from './testing/folders.ts'
import { untilGone } from './testing/processes.ts'

test('a guarded child reports its lines, its own pid and how it ended', async () => {
  const lines: string[] = []
  const child = startGuarded({
    command: '/bin/sh',
    args: ['-c', 'echo "$$ $WORD"; echo oops >&2; printf unfinished; exit 7'],
    env: { PATH: process.env.PATH, WORD: 'hello' },
    onOutput: (line, stream) => lines.push(`${stream}: ${line}`),
  })
  expect(await child.exited).toEqual({ code: 7, signal: null })
  expect(lines.toSorted()).toEqual(
    ['stderr: oops', `stdout: ${child.pid} hello`, 'stdout: unfinished'].toSorted(),
  )
})

test('a command that does not exist ends immediately and is named', async () => {
  const lines: string[] = []
  const child = startGuarded({
    command: '/no/such/program',
    args: [],
    onOutput: (line) => lines.push(line),
  })
  expect(await child.exited).toMatchObject({ code: 127 })
  expect(lines.join()).toContain('/no/such/program')
})

test('a missing working folder ends immediately and is reported', async () => {
  const lines: string[] = []
  const child = startGuarded({
    command: '/bin/sh',
    args: ['-c', 'exit 0'],
    cwd: '/no/such/folder',
    onOutput: (line) => lines.push(line),
  })
  expect(await child.exited).toEqual({ code: null, signal: null })
  expect(lines.join()).toContain('ENOENT')
  await child.stop()
})

test('stop sends the configured signal, and kills a child that ignores it', async () => {
  const polite = startGuarded({ command: 'sleep', args: ['60'] })
  await polite.stop('SIGINT')
  expect(await polite.exited).toEqual({ code: null, signal: 'SIGINT' })

  let ready = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const stubborn = startGuarded({
    command: '/bin/sh',
    args: ['-c', "trap '' TERM; echo ready; while :; do sleep 0.1; done"],
    onOutput: () => ready(),
  })
  await isReady
  await stubborn.stop('SIGTERM', 100)
  expect(await stubborn.exited).toEqual({ code: null, signal: 'SIGKILL' })
})

test('after SIGKILL of the owner no service is left running', async () => {
  const folder = temporaryFolder()
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'testing/holder.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: holder.stdout }), 'line')
  const pids: number[] = JSON.parse(line)
  expect(pids.map((pid) => inspectProcess(pid).state)).toEqual(['alive', 'alive', 'alive'])

  holder.kill('SIGKILL')
  await untilGone(pids.slice(0, 2), 3_000)
  await untilGone(pids)
})
