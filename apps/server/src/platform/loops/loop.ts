import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../clock.ts'
import type { Logger } from '../logger.ts'

/** Background work that never ends: watchers, senders, workers. */
export type Loop = {
  name: string
  /** False for a loop that waits for other loops, and so would never become idle in a drain. Default: true. */
  isDrained?: boolean
  /**
   * Real milliseconds between an idle step and the next, whatever else the process does. Default: the runner's idle
   * pauses. A drain waits for neither.
   */
  pauseMs?: number
  /** Runs even while the clock is not to be trusted: what it writes is right with any clock. Default: false. */
  runsAtAnyTime?: boolean
  /** Real milliseconds that a step takes at most; a longer one is stuck. Default: two minutes. */
  mayTakeMs?: number
  /** Does one bounded unit of work. @returns true when it is idle: there is nothing more to do right now. */
  step(): Promise<boolean>
  /** Resolves when nothing that its steps have started is still running. Awaited before the process ends. */
  settled?(): Promise<void>
}

export type LoopStatus = {
  name: string
  isIdle: boolean
  /** Failures since the last success. */
  failures: number
  lastError: string | null
  /** Since the process started. */
  steps: { succeeded: number; failed: number }
  /** Real time of the last successful step. */
  succeededAt: Date | null
}

/** The state of a loop in its own process. */
export type LoopState = LoopStatus & {
  /** Real milliseconds that the present step has taken; null between steps. */
  busyMs: number | null
  /** Real milliseconds since the beginning of the first step that failed after the last success; null if none has. */
  failingMs: number | null
  /** What went wrong last, while `failures` is not 0. */
  error: unknown
  mayTakeMs: number
}

export type LoopRunner = {
  /** Starts every loop in the background. */
  start(): void
  /** Stops each loop after its current unit of work. */
  stop(): Promise<void>
  /**
   * Steps all drained loops until each of them has been idle since the last one had work, without waiting for their pauses.
   * @throws the error of a step.
   */
  drain(): Promise<void>
  status(): LoopState[]
  /** Ends the long pauses of a quiet process, because something happened that may have created work. */
  wake(): void
}

/**
 * The pause between two steps of an idle loop, in milliseconds of real time. It grows with the time that the process
 * has been quiet: no loop has found work, and nobody has called `wake`.
 */
export type IdlePauses = { shortest: number; longest: number }

const IDLE_PAUSES: IdlePauses = { shortest: 400, longest: 3_000 }
const MAX_FAILURE_PAUSE_MS = 15_000
const HELD_PAUSE_MS = 250
const MAY_TAKE_MS = 2 * 60_000
const MAX_DRAIN_ROUNDS = 1_000
const MAX_STEPS_A_TURN = 20

/**
 * Runs loops in the background. A loop never overlaps with itself; after a failure it pauses, then continues. While the
 * time is not to be trusted, it waits.
 */
export function createLoopRunner(
  loops: readonly Loop[],
  log: Logger,
  pauses: IdlePauses = IDLE_PAUSES,
  isTimeTrusted: () => boolean = () => true,
): LoopRunner {
  const stopping = new AbortController()
  const rest = createRest(pauses, stopping.signal)
  const lanes = loops.map((loop) => createLane(loop))
  const drains = createDrains()
  let running: Promise<unknown> = Promise.resolve()
  return {
    start() {
      running = Promise.all(
        lanes.map((lane) =>
          runLane(lane, { rest, drains, stopping: stopping.signal, log, isTimeTrusted }),
        ),
      )
    },
    async stop() {
      stopping.abort()
      await running
      await Promise.all(lanes.map((lane) => lane.settled()))
    },
    drain: () => drains.during(() => drainLanes(lanes.filter(({ loop }) => isDrained(loop)))),
    status: () => lanes.map((lane) => lane.status()),
    wake: rest.wake,
  }
}

type Rest = { wake(): void; takeIdlePause(): Promise<void> }

/** The pauses of all idle loops of a process. A loop that did some work wakes all, since it often created more work. */
function createRest(pauses: IdlePauses, stopping: AbortSignal): Rest {
  let lastWokenAt = performance.now()
  let waking = new AbortController()
  return {
    wake() {
      lastWokenAt = performance.now()
      waking.abort()
      waking = new AbortController()
    },
    async takeIdlePause() {
      await pause(pauses.shortest, stopping)
      const quietForMs = Math.min(performance.now() - lastWokenAt, pauses.longest)
      const isOver = AbortSignal.any([stopping, waking.signal])
      if (quietForMs > pauses.shortest) await pause(quietForMs - pauses.shortest, isOver)
    },
  }
}

type Drains = { during(drain: () => Promise<void>): Promise<void>; over(): Promise<void> }

/** The drains in progress. While one steps the loops, they do not step in the background. */
function createDrains(): Drains {
  const current = new Set<Promise<void>>()
  return {
    async during(drain) {
      const ended = Promise.withResolvers<void>()
      current.add(ended.promise)
      try {
        await drain()
      } finally {
        current.delete(ended.promise)
        ended.resolve()
      }
    },
    async over() {
      while (current.size > 0) await Promise.all(current)
    },
  }
}

function isDrained({ isDrained = true }: Loop): boolean {
  return isDrained
}

type Lane = {
  loop: Loop
  state: LoopState
  status(): LoopState
  step(): Promise<boolean>
  settled(): Promise<void>
}

/** Queues the steps of one loop, whoever requests them, so that they never overlap. */
function createLane(loop: Loop): Lane {
  const state: LoopState = {
    name: loop.name,
    isIdle: false,
    failures: 0,
    lastError: null,
    steps: { succeeded: 0, failed: 0 },
    succeededAt: null,
    busyMs: null,
    failingMs: null,
    error: undefined,
    mayTakeMs: loop.mayTakeMs ?? MAY_TAKE_MS,
  }
  let begunAt: number | undefined
  let failingSince: number | undefined
  let tail: Promise<unknown> = Promise.resolve()
  const run = async () => {
    const at = performance.now()
    begunAt = at
    try {
      state.isIdle = await loop.step()
      failingSince = undefined
      state.failures = 0
      state.error = undefined
      state.lastError = null
      state.steps.succeeded += 1
      state.succeededAt = realClock.now()
      return state.isIdle
    } catch (error) {
      failingSince ??= at
      state.failures += 1
      state.steps.failed += 1
      state.lastError = error instanceof Error ? error.message : String(error)
      state.error = error
      throw error
    } finally {
      begunAt = undefined
    }
  }
  return {
    loop,
    state,
    status: () => ({
      ...state,
      busyMs: begunAt === undefined ? null : performance.now() - begunAt,
      failingMs: failingSince === undefined ? null : performance.now() - failingSince,
    }),
    step() {
      const next = tail.then(run)
      // The caller of the step gets its error.
      tail = next.catch(() => undefined)
      return next
    },
    async settled() {
      await tail
      await loop.settled?.()
    },
  }
}

/** Each lane works off everything before the next one begins: asking all lanes after each unit of work is wasteful. */
async function drainLanes(lanes: readonly Lane[]): Promise<void> {
  let idleInARow = 0
  for (let round = 0; idleInARow < lanes.length; round += 1) {
    if (round === MAX_DRAIN_ROUNDS) throw new Error('The loops never become idle')
    for (const lane of lanes) {
      const { hadWork, isIdle } = await workOff(lane)
      if (!isIdle) idleInARow = 0
      else idleInARow = hadWork ? 1 : idleInARow + 1
      if (idleInARow === lanes.length) break
    }
  }
}

/** Steps a lane until it is idle, but not forever: it may have to wait for another one. */
async function workOff(lane: Lane): Promise<{ hadWork: boolean; isIdle: boolean }> {
  for (let steps = 0; steps < MAX_STEPS_A_TURN; steps += 1) {
    if (await lane.step()) return { hadWork: steps > 0, isIdle: true }
  }
  return { hadWork: true, isIdle: false }
}

type LaneSurroundings = {
  rest: Rest
  drains: Drains
  stopping: AbortSignal
  log: Logger
  isTimeTrusted: () => boolean
}

async function runLane(
  lane: Lane,
  { rest, drains, stopping, log, isTimeTrusted }: LaneSurroundings,
): Promise<void> {
  const { pauseMs, runsAtAnyTime = false } = lane.loop
  while (!stopping.aborted) {
    if (!runsAtAnyTime && !isTimeTrusted()) {
      await pause(HELD_PAUSE_MS, stopping)
      continue
    }
    if (isDrained(lane.loop)) await drains.over()
    try {
      if (await lane.step()) {
        await (pauseMs === undefined ? rest.takeIdlePause() : pause(pauseMs, stopping))
      } else {
        rest.wake()
        await pause(0, stopping)
      }
    } catch (error) {
      log.warn({ err: error, loop: lane.state.name, failures: lane.state.failures }, 'loop failed')
      const ms = 250 * 2 ** Math.min(lane.state.failures, 8)
      await pause(Math.min(MAX_FAILURE_PAUSE_MS, ms), stopping)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
