import { NodeUnavailable } from '@dct/chain-clients'
import type { Dct } from '@dct/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { elementAt } from '../../testing/element-at.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { TokenChain } from '../../testing/token-chain.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { giveUpUnbacked, type HoldingReaders } from './check-reservations.ts'
import type { Plan } from './plans.queries.ts'
import { reserveQuota } from './reserve-quota.ts'

const HOLDERS = 3
const clock = new ManualClock('2026-01-31T03:00:00Z')
const database = useTestDatabase()
let users: TestUser[]
let plans: Plan[]

beforeAll(async () => {
  await wipe(database.db)
  const deps = { db: database.db, clock, realClock }
  users = await Promise.all(Array.from({ length: HOLDERS }, () => givenUser(deps)))
  plans = [await givenPlan(deps), await givenPlan(deps, { code: 'OTHER' })]
})

const who = fc.nat({ max: HOLDERS - 1 })
const plan = fc.nat({ max: 1 })
const amount = fc.constantFrom(dct('10'), dct('25'), dct('50'))
const STEPS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ send: who, to: who, amount }) },
    { weight: 4, arbitrary: fc.record({ reserve: who, plan, amount }) },
    { weight: 1, arbitrary: fc.record({ stake: who, plan, amount }) },
    { weight: 1, arbitrary: fc.record({ look: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ pass: fc.nat({ max: 30 }) }) },
    // Answers one of the pending node calls, like a node that may be some blocks behind.
    {
      weight: 12,
      arbitrary: fc.record({ answer: fc.nat({ max: 9 }), behind: fc.nat({ max: 2 }) }),
    },
  ),
  { minLength: 20, maxLength: 50 },
)
type Step = typeof STEPS extends fc.Arbitrary<(infer S)[]> ? S : never

/** Concurrent requests and checks on one chain. Each of their node calls waits until the test answers it. */
class Rush {
  readonly chain = new TokenChain([elementAt(users, 0)])
  readonly #questions: ((behind: number) => void)[] = []
  #running = 0

  readonly #readers: HoldingReaders = {
    readNewestBlock: (known) =>
      this.#ask(async (behind) => {
        const newest = (await this.chain.readers.readNewestBlock(known)) - BigInt(behind)
        if (newest < known) throw new NodeUnavailable('a node is behind')
        return newest
      }),
    readFinalDct: (address) => this.#ask(() => this.chain.readers.readFinalDct(address)),
    readDctMoves: (query) => this.#ask(() => this.chain.readers.readDctMoves(query)),
  }

  reserve(index: number, planCode: string, wanted: Dct) {
    const user = elementAt(users, index)
    const deps = {
      ...{ db: database.db, clock, dctDecimals: 6, reservationCooldownMs: 0 },
      ...{ isFollowing: async () => false, ...this.#readers },
    }
    this.#run(reserveQuota(deps, { user, planCode, amount: wanted }))
  }

  look() {
    this.#run(giveUpUnbacked({ db: database.db, ...this.#readers }))
  }

  answer(index: number, behind: number) {
    if (this.#questions.length === 0) return
    const [question] = this.#questions.splice(index % this.#questions.length, 1)
    this.#running += 1
    question?.(behind)
  }

  /** Waits until each request and check has ended or is waiting for a node. */
  async atRest() {
    while (this.#running > 0) await new Promise(setImmediate)
  }

  async toTheEnd() {
    for (await this.atRest(); this.#questions.length > 0; await this.atRest()) this.answer(0, 0)
  }

  #run(work: Promise<unknown>) {
    this.#running += 1
    const done = () => {
      this.#running -= 1
    }
    // The outcome does not matter: what counts is what the table contains.
    void work.then(done, done)
  }

  #ask<T>(read: (behind: number) => Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      this.#questions.push((behind) => resolve(read(behind)))
      this.#running -= 1
    })
  }
}

function take(rush: Rush, step: Step): void {
  if ('send' in step) {
    const from = elementAt(users, step.send)
    if (rush.chain.held(from) < step.amount) return
    rush.chain.send(from, elementAt(users, step.to), step.amount)
  } else if ('reserve' in step)
    rush.reserve(step.reserve, elementAt(plans, step.plan).code, step.amount)
  else if ('stake' in step) {
    const from = elementAt(users, step.stake)
    if (rush.chain.held(from) < step.amount) return
    rush.chain.stake(from, elementAt(plans, step.plan).code, step.amount)
  } else if ('look' in step) rush.look()
  else if ('pass' in step) rush.chain.pass(step.pass)
  else rush.answer(step.answer, step.behind)
}

async function heldByReservations(): Promise<bigint> {
  const reservations = await database.db
    .selectFrom('reservation')
    .select('amount')
    .where('state', '=', 'live')
    .execute()
  return reservations.reduce((sum, reservation) => sum + reservation.amount, 0n)
}

test('50 DCT back reservations of at most 50 DCT, in any order of transfers, requests, checks and node answers', async () => {
  let given = 0
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      await sql`delete from reservation`.execute(database.db)
      await sql`update plan_total set reserved = 0`.execute(database.db)
      await sql`update plan_day set reserved = 0`.execute(database.db)
      const rush = new Rush()
      for (const step of steps) {
        take(rush, step)
        await rush.atRest()
        expect(await heldByReservations()).toBeLessThanOrEqual(dct('50'))
      }
      await rush.toTheEnd()
      const held = await heldByReservations()
      expect(held).toBeLessThanOrEqual(dct('50'))
      if (held > 0n) given += 1
    }),
    { numRuns: 20 },
  )
  expect(given).toBeGreaterThan(0)
})
