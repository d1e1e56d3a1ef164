import { startGuarded } from '@dct/local-services'
import { expect, onTestFinished, test } from 'vitest'
import { type Death, keepAlive, restartDelayMs } from './keep-alive.ts'

/** Keeps a shell command alive and records its events. */
async function keepCommand(script: string) {
  const pids: number[] = []
  const deaths: Death[] = []
  let onStart = () => {}
  const start = async () => {
    const child = startGuarded({ command: '/bin/sh', args: ['-c', script] })
    if (child.pid !== undefined) pids.push(child.pid)
    onStart()
    const exited = child.exited.then(({ code }) => ({ lastLines: `code ${code}` }))
    return { exited, stop: () => child.stop() }
  }
  const kept = await keepAlive({ start, onDeath: (death) => deaths.push(death) })
  onTestFinished(() => kept.stop())
  const untilStarts = async (count: number) => {
    while (pids.length < count) {
      await new Promise<void>((resolve) => {
        onStart = resolve
      })
    }
  }
  return { kept, pids, deaths, untilStarts }
}

test('a killed service is restarted immediately', async () => {
  const { pids, deaths, untilStarts } = await keepCommand('exec sleep 60')
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await untilStarts(2)
  expect(deaths).toMatchObject([{ nextStartInMs: 0 }])
  expect(pids[1]).not.toBe(pids[0])
})

test('a service that dies repeatedly is restarted with growing pauses, and its last lines are reported', async () => {
  const { deaths, untilStarts } = await keepCommand('exit 3')
  await untilStarts(4)
  expect(deaths.slice(0, 3)).toEqual([
    { quickDeaths: 1, nextStartInMs: 0, lastLines: 'code 3' },
    { quickDeaths: 2, nextStartInMs: 250, lastLines: 'code 3' },
    { quickDeaths: 3, nextStartInMs: 500, lastLines: 'code 3' },
  ])
})

test('pauses grow up to ten seconds', () => {
  expect([0, 1, 2, 3, 4, 7, 8, 50].map(restartDelayMs)).toEqual([
    ...[0, 0, 250, 500, 1_000, 8_000, 10_000, 10_000],
  ])
})

test('a stopped service stays stopped, even between two starts', async () => {
  const running = await keepCommand('exec sleep 60')
  await running.kept.stop()
  expect(running.pids).toHaveLength(1)
  expect(running.deaths).toEqual([])

  const dying = await keepCommand('exit 3')
  await dying.untilStarts(3)
  await dying.kept.stop()
  const starts = dying.pids.length
  await dying.kept.stop()
  expect(dying.pids).toHaveLength(starts)
})

test('the caller gets the error of a failed first start', async () => {
  const start = () => Promise.reject(new Error('no such port'))
  await expect(keepAlive({ start, onDeath: () => {} })).rejects.toThrow('no such port')
})
