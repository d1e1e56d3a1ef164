import { expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { createLoopRunner, type Loop } from './loop.ts'

const log = createLogger('silent')

/** A loop with `units` units of work, which records what it did. */
function counter(name: string, units: number, seen: string[] = []): Loop & { left: number } {
  return {
    name,
    left: units,
    async step() {
      if (this.left === 0) return true
      this.left -= 1
      seen.push(name)
      return false
    },
  }
}

test('draining steps every loop until all are idle in one round', async () => {
  const seen: string[] = []
  const source = counter('source', 3, seen)
  const sink: Loop = {
    name: 'sink',
    async step() {
      // Gets its work from the other loop, like a sender from a watcher.
      const made = seen.filter((name) => name === 'source').length
      if (seen.filter((name) => name === 'sink').length === made) return true
      seen.push('sink')
      return false
    },
  }
  const runner = createLoopRunner([sink, source], log)
  await runner.drain()
  expect(seen.toSorted()).toEqual(['sink', 'sink', 'sink', 'source', 'source', 'source'])
  expect(runner.status().map(({ isIdle }) => isIdle)).toEqual([true, true])
})

test('a loop that waits for others is excluded from a drain', async () => {
  let steps = 0
  const waiting: Loop = {
    name: 'waiting',
    isDrained: false,
    async step() {
      steps += 1
      return true
    },
  }
  await createLoopRunner([waiting], log).drain()
  expect(steps).toBe(0)
})

test('a drain throws a failed step’s error, and the loop is reported as failing until it succeeds', async () => {
  let isBroken = true
  const loop: Loop = {
    name: 'watcher',
    async step() {
      if (isBroken) throw new Error('the node is unreachable')
      return true
    },
  }
  const runner = createLoopRunner([loop], log)
  await expect(runner.drain()).rejects.toThrow('the node is unreachable')
  expect(runner.status()).toMatchObject([{ failures: 1, lastError: 'the node is unreachable' }])
  isBroken = false
  await runner.drain()
  expect(runner.status()).toMatchObject([{ failures: 0, lastError: null }])
})

test('a failing loop continues automatically and does not delay the others', async () => {
  let failures = 2
  let steps = 0
  const shaky: Loop = {
    name: 'shaky',
    async step() {
      if (failures > 0) {
        failures -= 1
        throw new Error('away')
      }
      steps += 1
      return true
    },
  }
  const steady = counter('steady', 50)
  const runner = createLoopRunner([shaky, steady], log)
  runner.start()
  try {
    await expect.poll(() => steady.left).toBe(0)
    await expect.poll(() => steps, { timeout: 5_000 }).toBeGreaterThan(0)
    expect(runner.status()).toMatchObject([{ failures: 0 }, { failures: 0 }])
  } finally {
    await runner.stop()
  }
})

/** So long that a test that waits for the end of the pause times out. */
const ENDLESS_MS = 600_000

test('the longer a process is quiet, the longer its idle loops pause, until they are woken', async () => {
  let steps = 0
  const idle: Loop = {
    name: 'idle',
    async step() {
      steps += 1
      return true
    },
  }
  const runner = createLoopRunner([idle], log, { shortest: 0, longest: ENDLESS_MS })
  runner.start()
  try {
    await expect.poll(async () => !(await stepsAgain(() => steps)), { timeout: 5_000 }).toBe(true)
    const before = steps
    runner.wake()
    await expect.poll(() => steps).toBeGreaterThan(before)
  } finally {
    await runner.stop()
  }
})

test('work of one loop ends the long pauses of the others', async () => {
  const { promise: comes, resolve: bring } = Promise.withResolvers<void>()
  const seen: string[] = []
  const source: Loop = {
    name: 'source',
    async step() {
      await comes
      return seen.length > 0
    },
  }
  const sink = counter('sink', 1, seen)
  const runner = createLoopRunner([sink, source], log, { shortest: 0, longest: ENDLESS_MS })
  runner.start()
  try {
    await expect.poll(() => runner.status()[0]?.isIdle).toBe(true)
    seen.length = 0
    sink.left = 1
    bring()
    await expect.poll(() => seen).toEqual(['sink'])
  } finally {
    await runner.stop()
  }
})

test('a loop with its own pause waits for it when idle, whatever else wakes the process, but a drain steps it', async () => {
  let steps = 0
  const paced: Loop = {
    name: 'watcher',
    pauseMs: ENDLESS_MS,
    async step() {
      steps += 1
      return true
    },
  }
  const runner = createLoopRunner([paced, counter('worker', 50)], log, { shortest: 0, longest: 0 })
  runner.start()
  try {
    await expect.poll(() => steps).toBe(1)
    runner.wake()
    expect(await stepsAgain(() => steps)).toBe(false)
    await runner.drain()
    expect(steps).toBeGreaterThan(1)
  } finally {
    await runner.stop()
  }
})

test('while a drain runs, only loops that it excludes step in the background', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  let isDraining = false
  let [own, others] = [0, 0]
  const count = (add: () => void, more: Partial<Loop> = {}): Loop => ({
    name: 'loop',
    async step() {
      add()
      return true
    },
    ...more,
  })
  const drained = count(() => (own += 1))
  const slow = count(() => undefined, {
    step: () => (isDraining ? mayEnd.then(() => true) : Promise.resolve(true)),
  })
  const left = count(() => (others += 1), { isDrained: false })
  const runner = createLoopRunner([drained, slow, left], log, { shortest: 0, longest: 0 })
  runner.start()
  try {
    await expect.poll(() => own).toBeGreaterThan(0)
    isDraining = true
    const drain = runner.drain()
    const before = others
    await expect.poll(() => others).toBeGreaterThan(before)
    expect(await stepsAgain(() => own)).toBe(false)
    end()
    await drain
    expect(await stepsAgain(() => own)).toBe(true)
  } finally {
    end()
    await runner.stop()
  }
})

/** Whether the number of steps is still growing. */
async function stepsAgain(count: () => number): Promise<boolean> {
  const before = count()
  await new Promise((resolve) => setTimeout(resolve, 100))
  return count() > before
}

test('steps of one loop never overlap, even with concurrent requests', async () => {
  let running = 0
  let most = 0
  const loop: Loop = {
    name: 'sender',
    async step() {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return true
    },
  }
  const runner = createLoopRunner([loop], log)
  runner.start()
  await Promise.all([runner.drain(), runner.drain(), runner.drain()])
  await runner.stop()
  expect(most).toBe(1)
})

test('stopping waits for the current unit of work and starts no other', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const ended: string[] = []
  const loop: Loop = {
    name: 'sender',
    async step() {
      begin()
      await mayEnd
      ended.push('unit')
      return false
    },
  }
  const runner = createLoopRunner([loop], log)
  runner.start()
  await began
  const stopped = runner.stop().then(() => ended.push('stopped'))
  end()
  await stopped
  expect(ended).toEqual(['unit', 'stopped'])
})

test('loops that never become idle are reported instead of running forever', async () => {
  const loop: Loop = { name: 'mad', step: async () => false }
  await expect(createLoopRunner([loop], log).drain()).rejects.toThrow('never become idle')
})
