import { judgeStep, type MoneyStep } from '@dct/rules/money-steps'
import { expect, test } from 'vitest'
import type { Memory } from '../storage/memory.ts'
import { DeviceSteps } from './device-steps.ts'
import { browserLock } from './step-lock.ts'
import {
  type HeldStep,
  type Press,
  type StepDeps,
  type StepService,
  StepTaken,
  takeStep,
} from './take-step.ts'

/**
 * Steps through the moments of one payment or lock, with the real client code on simulated tabs and devices. Everything outside
 * the page is a fake: storage and locks of a device, the service (with the product's own rule), a wallet whose owner
 * confirms every question it still shows. At each moment, the page is stopped or vanishes, and somebody presses again.
 */
const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const OTHER_ADMIN = 'TYgTFxBxSDQiJGZ8jFXCbumNL1n8BYqQRp'

/**
 * The kinds of steps as the product's flows take them. `isSentByPage`: the wallet only signs, so that nothing leaves once
 * the page is gone. `other`: who presses on another device. `found`: what the service knows of money that it has seen.
 */
const KINDS = {
  fee: { step: 'fee:CLAIM-1', isSentByPage: false, other: OWNER, found: 'checking' },
  join: { step: 'join:PLAN-1', isSentByPage: true, other: OWNER, found: 'checking' },
  fund: { step: 'fund:PLAN-1', isSentByPage: true, other: OTHER_ADMIN, found: 'arrived' },
  refund: { step: 'refund:0xab:3', isSentByPage: false, other: OTHER_ADMIN, found: 'arrived' },
} as const
type Kind = keyof typeof KINDS
const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** In the order of a payment. */
const MOMENTS = ['take', 'taken', 'facts', 'ask', 'answer', 'report sent', 'reported'] as const
type Moment = (typeof MOMENTS)[number]

type World = {
  payments: string[]
  /** The wallets' open questions; each sends or signs once its owner confirms. */
  questions: (() => void)[]
  steps: Map<string, { state: MoneyStep['state']; hash: string | null; isEnded: boolean }>
  /** The hash that the service has been told to look for. */
  hint: string | null
}
const newWorld = (): World => ({ payments: [], questions: [], steps: new Map(), hint: null })

/** What the service does, without its database: the same rule, one row for each attempt. */
function serviceOf(world: World): StepService {
  const openSteps = () =>
    [...world.steps]
      .filter(([, { isEnded }]) => !isEnded)
      .map(([attempt, { state, hash }]): MoneyStep => ({ attempt, state, hash, askedAt: 0 }))
  return {
    async take({ attempt, known }) {
      const answer = judgeStep(openSteps(), known)
      if (answer.kind === 'granted') {
        world.steps.set(attempt, { state: 'waiting', hash: null, isEnded: false })
      }
      return answer
    },
    async report({ attempt, outcome, hash }) {
      const row = world.steps.get(attempt)
      if (!row || (row.isEnded && outcome !== 'sent')) return
      const state = {
        waiting: 'waiting',
        unknown: 'asked',
        sent: 'sent',
        ended: row.state,
      } as const
      const isEnded = outcome === 'ended'
      world.steps.set(attempt, { state: state[outcome], hash: hash ?? row.hash, isEnded })
    },
  }
}

/** Every lease of a page that does not exist any more runs out. */
function passTime(world: World, live: ReadonlySet<string>): void {
  for (const [attempt, row] of world.steps) {
    if (row.state === 'waiting' && !live.has(attempt)) row.state = 'asked'
  }
}

type Device = { memory: Memory; locks: LockManager; drop(tab: object): void }

function newDevice({ isStorageUsable = true, areLocksRefused = false } = {}): Device {
  const stored = new Map<string, string>()
  const held = new Map<string, object>()
  const refuse = (): never => {
    throw new Error('blocked')
  }
  const memory: Memory = isStorageUsable
    ? {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      }
    : { getItem: () => null, setItem: () => undefined, removeItem: refuse }
  const request = async (
    name: string,
    _options: object,
    work: (lock: object | null) => unknown,
  ) => {
    if (areLocksRefused) throw new DOMException('Access is denied.', 'SecurityError')
    if (held.has(name)) return work(null)
    const tab = {}
    held.set(name, tab)
    try {
      return await work(tab)
    } finally {
      if (held.get(name) === tab) held.delete(name)
    }
  }
  return {
    memory,
    locks: { request } as unknown as LockManager,
    /** The browser frees the locks of a tab that is gone. */
    drop: () => held.clear(),
  }
}

type Tab = {
  press(known?: readonly string[]): Promise<string>
  resume(): void
  stopped: Promise<void>
}
let attempts = 0
let hashes = 0

type TabOptions = { stopAt?: Moment; kind?: Kind; owner?: string }

/** A tab that stops at a moment until it is resumed; one that is never resumed is gone. */
function openTab(world: World, device: Device, options: TabOptions = {}): Tab {
  const { stopAt, kind = 'fee', owner = OWNER } = options
  const { step, isSentByPage, found } = KINDS[kind]
  let resume = (): void => undefined
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  let arrive = (): void => undefined
  const stopped = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const at = async (moment: Moment): Promise<void> => {
    if (moment !== stopAt) return
    arrive()
    await resumed
  }
  const service = serviceOf(world)
  const deps: StepDeps = {
    owner,
    device: new DeviceSteps(device.memory),
    lock: browserLock(device.locks),
    service: {
      async take(press) {
        await at('take')
        const answer = await service.take(press)
        await at('taken')
        return answer
      },
      async report(report) {
        if (report.outcome === 'sent') await at('report sent')
        await service.report(report)
      },
    },
    now: () => 0,
    newAttempt: () => `attempt-${++attempts}`,
    repeat: () => () => undefined,
  }
  const press = (known: readonly string[]): Press => ({
    step,
    known,
    mayBeSent: () => !isSentByPage,
    async facts() {
      await at('facts')
      const { hint: hash } = world
      return hash === null ? [] : [{ attempt: hash, hash, state: found, askedAt: 0 }]
    },
  })
  const ask = async (held: HeldStep): Promise<string> => {
    await at('ask')
    if (!isSentByPage) held.asking()
    const hash = await new Promise<string>((resolve) => {
      world.questions.push(() => {
        const sent = `hash-${++hashes}`
        if (!isSentByPage) world.payments.push(sent)
        resolve(sent)
      })
    })
    await at('answer')
    const isKnown = held.sent(hash)
    if (isSentByPage) world.payments.push(hash)
    else await isKnown
    await at('reported')
    world.hint = hash
    return hash
  }
  return { press: (known = []) => takeStep(deps, press(known), ask), resume, stopped }
}

/** The wallet's owner confirms everything that it shows, again and again. */
async function confirmAll(world: World): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    for (const confirm of world.questions.splice(0)) confirm()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const outcome = (pressed: Promise<string>) =>
  pressed.then(
    () => 'paid' as const,
    (error: unknown) => error,
  )

/** Brings a first tab to a moment: confirms its question if it has to be past the wallet. */
async function reach(world: World, tab: Tab, moment: Moment): Promise<{ first: Promise<unknown> }> {
  const first = outcome(tab.press())
  const isPastWallet = MOMENTS.indexOf(moment) > MOMENTS.indexOf('ask')
  await settle()
  if (isPastWallet) await confirmAll(world)
  await Promise.race([tab.stopped, settle()])
  return { first }
}

const stepped = KIND_NAMES.flatMap((kind) => MOMENTS.map((moment) => ({ kind, moment })))
for (const { kind, moment } of stepped) {
  const elsewhere = { kind, owner: KINDS[kind].other }
  for (const who of ['the same tab', 'a second tab', 'another device'] as const) {
    test(`while a page is at '${moment}' of a ${kind}, a press in ${who} sends nothing more`, async () => {
      const world = newWorld()
      const device = newDevice()
      const tab = openTab(world, device, { kind, stopAt: moment })
      const { first } = await reach(world, tab, moment)
      const others = { 'the same tab': tab, 'a second tab': openTab(world, device, { kind }) }
      const second = who === 'another device' ? openTab(world, newDevice(), elsewhere) : others[who]
      const pressed = outcome(second.press())
      await settle()
      tab.resume()
      await confirmAll(world)
      await Promise.all([first, pressed])
      expect(world.payments).toHaveLength(1)
      expect(await outcome(openTab(world, device, { kind }).press())).toBeInstanceOf(StepTaken)
      expect(world.payments).toHaveLength(1)
    })
  }

  for (const where of ['the reloaded page', 'another device'] as const) {
    test(`after a page has gone at '${moment}' of a ${kind}, a press in ${where} sends nothing more unless it is confirmed`, async () => {
      const world = newWorld()
      const device = newDevice()
      await reach(world, openTab(world, device, { kind, stopAt: moment }), moment)
      device.drop({})
      passTime(world, new Set())
      const again =
        where === 'another device'
          ? openTab(world, newDevice(), elsewhere)
          : openTab(world, device, { kind })
      const pressed = outcome(again.press())
      // Whatever the wallet still shows is confirmed, from before and from now.
      await confirmAll(world)
      const end = await pressed
      expect(world.payments.length).toBeLessThanOrEqual(1)
      // Whoever was refused has been told what may be under way, and may decide to go on.
      expect(end === 'paid' || (end instanceof StepTaken && end.steps.length > 0)).toBe(true)
    })
  }
}

for (const kind of KIND_NAMES) {
  test(`of two devices that press for one ${kind}, one sends, wherever each is when the other goes on`, async () => {
    const orders = MOMENTS.flatMap((first) =>
      MOMENTS.flatMap((second) => [
        { first, second, isFirstResumed: true },
        { first, second, isFirstResumed: false },
      ]),
    )
    for (const order of orders) {
      const world = newWorld()
      const first = openTab(world, newDevice(), { kind, stopAt: order.first })
      const other = { kind, owner: KINDS[kind].other, stopAt: order.second }
      const second = openTab(world, newDevice(), other)
      const ends = [
        await reach(world, first, order.first),
        await reach(world, second, order.second),
      ]
      const tabs = order.isFirstResumed ? [first, second] : [second, first]
      for (const tab of tabs) {
        tab.resume()
        await confirmAll(world)
      }
      await Promise.all(ends.map((end) => end.first))
      expect(world.payments, JSON.stringify(order)).toHaveLength(1)
    }
  })
}

test('a confirmed press goes on after a page has gone with the wallet’s question open', async () => {
  const world = newWorld()
  const device = newDevice()
  await reach(world, openTab(world, device, { stopAt: 'answer' }), 'ask')
  device.drop({})
  world.questions.length = 0 // The owner closed the question without an answer.
  const again = openTab(world, device)
  const refusal = await outcome(again.press())
  expect(refusal).toMatchObject({ mayConfirm: true, steps: [{ state: 'asked' }] })
  const known = (refusal as StepTaken).steps.map(({ attempt }) => attempt)
  const confirmed = outcome(again.press(known))
  await confirmAll(world)
  expect(await confirmed).toBe('paid')
  expect(world.payments).toHaveLength(1)
})

test('while the service checks a transaction, no confirmation asks the wallet, whoever handed it in', async () => {
  const world = newWorld()
  world.hint = 'by hand'
  const tab = openTab(world, newDevice())
  const refusal = await outcome(tab.press(['by hand']))
  expect(refusal).toMatchObject({ mayConfirm: false, steps: [{ state: 'checking' }] })
  expect(world.questions).toEqual([])
  world.hint = null
  const pressed = outcome(tab.press())
  await confirmAll(world)
  expect(await pressed).toBe('paid')
})

test.each([false, true])(
  'with storage blocked, and locks refused: %j, the service alone keeps a reloaded page from asking again',
  async (areLocksRefused) => {
    const world = newWorld()
    const tab = openTab(world, newDevice({ isStorageUsable: false, areLocksRefused }), {
      stopAt: 'answer',
    })
    await reach(world, tab, 'answer')
    expect(await outcome(tab.press())).toBeInstanceOf(StepTaken)
    const again = await outcome(
      openTab(world, newDevice({ isStorageUsable: false, areLocksRefused })).press(),
    )
    expect(again).toBeInstanceOf(StepTaken)
    expect(world.payments).toHaveLength(1)
  },
)
