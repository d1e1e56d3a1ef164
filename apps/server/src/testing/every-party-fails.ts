import { setTimeout as sleep } from 'node:timers/promises'
import { parseAmount } from '@dct/money'
import { toHex } from 'viem'
import { expect } from 'vitest'
import { everything } from './all-tables.ts'
import { FAULTS, type Party, type PartyFault, partiesOf } from './failing-parties.ts'
import { type HostileWorld, startHostileWorld } from './hostile-world.ts'
import { call, givenPayer, joinOnChain } from './real-claims.ts'
import { addressesOf, dctOf, sendUsdt } from './sender-chains.ts'
import type { TestUser } from './users.ts'

const MINUTE_MS = 60_000

/**
 * The steps of a holder's life with the service, again and again; each may be repeated after a failure. Somebody new
 * joins, while a former holder claims and is paid.
 */
function createLife({ real, chains, veterans }: HostileWorld) {
  let newcomer: TestUser | undefined
  let payer: Awaited<ReturnType<typeof givenPayer>> | undefined
  let lives = -1
  const ask = async (user: TestUser | undefined, request: Parameters<typeof call>[2]) => {
    if (user === undefined) throw new Error('nobody has registered')
    const { status, body } = await call(real, user, request)
    if (status >= 300) throw new Error(JSON.stringify(body))
    return body
  }
  const veteran = () => veterans[lives % veterans.length]
  const readClaim = async () => (await ask(veteran(), { url: '/user/claim-history' })).claims[0]
  const hasReceived = async (amount: bigint) =>
    (await dctOf(chains, toHex(veteran()?.address ?? Buffer.alloc(20)))) === amount
  const nothing = async () => undefined
  return [
    {
      name: 'joins',
      async begin() {
        newcomer = await real.givenUser()
        await joinOnChain(chains, newcomer)
        lives += 1
      },
      async isDone() {
        return JSON.stringify(await ask(newcomer, { url: '/user/earnings' })).includes('PLAN-360')
      },
    },
    {
      name: 'claims',
      async begin() {
        if ((await readClaim()) !== undefined) return
        const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
        await ask(veteran(), { method: 'POST', url: '/user/claim', payload })
      },
      isDone: async () => (await readClaim()) !== undefined,
    },
    { name: 'is paid a half', begin: nothing, isDone: () => hasReceived(300_000n) },
    {
      name: 'pays the fee',
      async begin() {
        payer ??= await givenPayer(chains)
        const amount = parseAmount('USDT', (await readClaim()).unpaid_fee_usdt)
        await sendUsdt(chains, payer.privateKey, { to: addressesOf(chains).feeReceiver, amount })
      },
      isDone: async () => (await readClaim()).is_paid,
    },
    { name: 'is paid the rest', begin: nothing, isDone: () => hasReceived(600_000n) },
  ]
}

type Step = ReturnType<typeof createLife>[number]

/** Takes a step until it has led somewhere, whatever fails meanwhile. */
function persist({ begin, isDone }: Step) {
  const state: { isDone: boolean; problem?: unknown } = { isDone: false }
  const take = async () => {
    for (let hasBegun = false; ; await sleep(6_000)) {
      try {
        if (!hasBegun) await begin()
        hasBegun = true
        state.isDone = await isDone()
        if (state.isDone) return
      } catch (error) {
        state.problem = error
      }
    }
  }
  void take()
  return state
}

const isOf = (pattern: string) => (alarm: string) => new RegExp(`^${pattern}`).test(alarm)

const belongsTo =
  (...parties: readonly (Party | undefined)[]) =>
  (alarm: string) =>
    parties.some((party) =>
      [...(party?.alarms ?? []), ...(party?.others ?? [])].some((one) => isOf(one)(alarm)),
    )

const isNamedIn = (alarms: readonly string[], party: Party) =>
  party.alarms.every((one) => alarms.some(isOf(one)))

type Row = { party: Party; fault: PartyFault; former: Party | undefined }

/** One party fails in one way, until an alarm has named it, while a holder takes a step. */
async function live(world: HostileWorld, { party, fault, former }: Row, step: Step) {
  const { time } = world
  const where = `${party.name} is ${fault} while a holder ${step.name}`
  const isOver = async () => !(await world.openAlarms()).some(belongsTo(party))
  if (!(await isOver())) time.jump(10 * MINUTE_MS)
  expect
    .soft(await time.until(isOver, 3 * MINUTE_MS), `${where}: its last alarm is over`)
    .toBe(true)
  await world.mark()
  await party[fault]()
  if (party.isVital !== true) await world.messageAll()
  const taking = persist(step)
  const isNamed = async () =>
    isNamedIn([...(await world.openAlarms()), ...(await world.raisedSince())], party)
  expect.soft(await time.until(isNamed, MINUTE_MS), `${where}: it is named`).toBe(true)
  const isDone = () => taking.isDone
  if (party.isVital !== true)
    expect.soft(await time.until(isDone, 3 * MINUTE_MS), `${where}: meanwhile`).toBe(true)
  await party.mend()
  const hasGoneOn = await time.until(isDone, 5 * MINUTE_MS)
  expect.soft(hasGoneOn, `${where}: afterwards ${taking.problem}`).toBe(true)
  const others = (await world.raisedSince()).filter((one) => !belongsTo(party, former)(one))
  expect.soft(others, `${where}: nobody else is named`).toEqual([])
}

/**
 * A holder joins, claims and is paid while every outside party fails in turn: each is named within a minute and none
 * besides, every alarm ends by itself, and nothing is lost.
 * @param fault in which way each fails; without it, one party after the other takes the next of all ways
 */
export async function everyPartyFails(
  chains: Parameters<typeof startHostileWorld>[0],
  fault?: PartyFault,
): Promise<void> {
  const world = await startHostileWorld(chains)
  const { real, time, database } = world
  const life = createLife(world)
  const parties = partiesOf(world)
  // Each fault begins with another party, so that parties fail at different steps.
  if (fault !== undefined) parties.push(...parties.splice(0, 2 * FAULTS.indexOf(fault)))
  real.runner.start()
  for (const [at, party] of parties.entries()) {
    const step = life[at % life.length]
    const former = parties[at - 1]
    const way = fault ?? FAULTS[at % FAULTS.length]
    if (step !== undefined && way !== undefined)
      await live(world, { party, fault: way, former }, step)
  }
  const pending = async () =>
    await everything(database.db)
      .selectFrom('outbox_delivery')
      .select(['channel', 'state', 'last_error'])
      .where('state', '<>', 'sent')
      .execute()
  const isOver = async () =>
    (await world.openAlarms()).length === 0 && (await pending()).length === 0
  for (let jumps = 0; jumps < 3 && !(await isOver()); jumps += 1) {
    time.jump(11 * MINUTE_MS)
    await time.until(isOver, MINUTE_MS)
  }
  // A jump of time looks like a step that takes too long.
  const left = (await world.openAlarms()).filter((one) => !one.startsWith('loop.stuck'))
  expect([left, await pending()]).toEqual([[], []])
  const told = (type: string) =>
    new Set(
      world
        .received()
        .filter((one) => one.type === type && !/^(plan_adopted|loop.stuck)$/.test(one.data.kind))
        .map(({ data }) => `${data.kind} ${data.subject}`),
    )
  expect(told('alarm.resolved')).toEqual(told('alarm.raised'))
  for (const listener of world.listeners) {
    const { body } = await call(real, listener, { url: '/user/messages' })
    expect([body.email.state, body.telegram.state, body.push[0].state]).toEqual([
      ...['confirmed', 'linked', 'subscribed'],
    ])
  }
}
