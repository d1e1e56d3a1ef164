import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Refusal } from '../../platform/errors.ts'
import { someoneWaits, useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { TokenChain } from '../../testing/token-chain.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { createReservationLoop, type HoldingReaders } from './check-reservations.ts'
import { remainingQuotas } from './describe-plans.ts'
import type { Plan } from './plans.queries.ts'
import { lockQuotas } from './quota.queries.ts'
import { reserveQuota } from './reserve-quota.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T03:00:00Z')

beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock })
const reserve = (user: TestUser, plan: Plan, readers: HoldingReaders) =>
  reserveQuota(
    {
      ...deps(),
      ...{ dctDecimals: 6, reservationCooldownMs: 0, isFollowing: async () => false },
      ...readers,
    },
    { user, planCode: plan.code, amount: dct('50') },
  ).then(
    () => 'reserved',
    (error: Refusal) => error.code,
  )
const look = (readers: HoldingReaders) =>
  createReservationLoop({ ...deps(), ...readers, pauseMs: 0 }).step()
async function holders(count: number) {
  const users: TestUser[] = []
  for (let each = 0; each < count; each += 1) users.push(await givenUser(deps()))
  return users
}
const pair = async () => (await holders(2)) as [TestUser, TestUser]
async function remaining(plan: Plan) {
  const left = await remainingQuotas(deps(), [plan])
  return left.get(plan.id)
}
async function statesOf(...users: TestUser[]) {
  const rows = await database.db
    .selectFrom('reservation')
    .select(['user_id', 'state'])
    .orderBy('id')
    .execute()
  return users.map(({ id }) => rows.findLast((row) => row.user_id === id)?.state)
}
/** The readers, with an event that happens just before the n-th use of one of them. */
function interrupted(
  readers: HoldingReaders,
  at: { reader: keyof HoldingReaders; use?: number; by: () => unknown },
): HoldingReaders {
  let uses = 0
  const read = readers[at.reader] as (...args: never[]) => Promise<never>
  return {
    ...readers,
    async [at.reader](...args: never[]) {
      uses += 1
      if (uses === (at.use ?? 1)) await at.by()
      return read(...args)
    },
  }
}
const READERS = ['readFinalDct', 'readNewestBlock', 'readDctMoves'] as const

test.each([0, 20])(
  'tokens transferred after a reservation cannot back a second one, with %i reservations of others',
  async (count) => {
    const others = await holders(count)
    const wanderers = (await holders(12)) as [TestUser, ...TestUser[]]
    const plan = await givenPlan(deps())
    const chain = new TokenChain([...others, wanderers[0]])
    for (const other of others) await reserve(other, plan, chain.readers)
    const reservations = dct('36') * BigInt(count + 1)
    for (const [at, user] of wanderers.entries()) {
      const before = wanderers[at - 1]
      if (before !== undefined) chain.send(before, user)
      expect(await reserve(user, plan, chain.readers)).toBe('reserved')
      expect(await remaining(plan)).toMatchObject({ daily: dct('2000') - reservations })
    }
    expect(await statesOf(wanderers[0])).toEqual(['unbacked'])
    expect(new Set(await statesOf(...others))).toEqual(new Set(count === 0 ? [] : ['live']))
  },
)

test('transferred tokens cannot back a second reservation in another plan, even long after the last check', async () => {
  const [first, second] = await pair()
  const plan = await givenPlan(deps())
  const other = await givenPlan(deps(), { code: 'OTHER' })
  const chain = new TokenChain([first])
  await reserve(first, plan, chain.readers)
  chain.send(first, second)
  chain.pass(500)
  await reserve(second, other, chain.readers)
  expect(await statesOf(first, second)).toEqual(['unbacked', 'live'])
})

test.each(READERS)(
  'tokens that are sent back just before %s of the next check cannot back two reservations',
  async (reader) => {
    const [first, second] = await pair()
    const plan = await givenPlan(deps())
    const chain = new TokenChain([first])
    await reserve(first, plan, chain.readers)
    chain.send(first, second)
    const by = () => chain.send(second, first)
    const answer = await reserve(second, plan, interrupted(chain.readers, { reader, by }))
    const states = await statesOf(first, second)
    expect(states.filter((state) => state === 'live')).toHaveLength(1)
    expect(states[1] === 'live').toBe(answer === 'reserved')
  },
)

test.each(['sent in the block that is checked', 'sent there and back in one block'])(
  'tokens cannot back two reservations when they are %s',
  async (how) => {
    const [first, second] = await pair()
    const plan = await givenPlan(deps())
    const chain = new TokenChain([first])
    await reserve(first, plan, chain.readers)
    chain.sendInSameBlock(first, second)
    if (how.includes('back')) chain.sendInSameBlock(second, first)
    const answer = await reserve(second, plan, chain.readers)
    const isBack = how.includes('back')
    expect(answer).toBe(isBack ? 'DCT_BALANCE_TOO_LOW' : 'reserved')
    expect(await statesOf(first, second)).toEqual(
      isBack ? ['live', undefined] : ['unbacked', 'live'],
    )
  },
)

test.each(READERS)(
  'of two requests with the same tokens, one gets the reservation, when the second comes before %s of the first',
  async (reader) => {
    const [first, second] = await pair()
    const [plan, other] = [await givenPlan(deps()), await givenPlan(deps(), { code: 'OTHER' })]
    const chain = new TokenChain([first])
    const by = async () => {
      chain.send(first, second)
      expect(await reserve(second, other, chain.readers)).toBe('reserved')
      chain.send(second, first)
    }
    const answer = await reserve(first, plan, interrupted(chain.readers, { reader, by }))
    const states = await statesOf(first, second)
    expect(states.filter((state) => state === 'live')).toHaveLength(1)
    expect(states[0] === 'live').toBe(answer === 'reserved')
  },
)

test('a reservation made at a newer block during a request is checked before that request is granted', async () => {
  const [first, second] = await pair()
  const [plan, other] = [await givenPlan(deps()), await givenPlan(deps(), { code: 'OTHER' })]
  const chain = new TokenChain([first])
  let afterMoves: () => Promise<unknown> = async () => undefined
  const readers: HoldingReaders = {
    ...chain.readers,
    async readDctMoves(query) {
      const moves = await chain.readers.readDctMoves(query)
      // The first request's check is complete, but none of its results are written yet.
      await afterMoves()
      return moves
    },
  }
  afterMoves = async () => {
    afterMoves = async () => undefined
    chain.send(first, second)
    expect(await reserve(second, other, chain.readers)).toBe('reserved')
  }
  expect(await reserve(first, plan, readers)).toBe('DCT_BALANCE_TOO_LOW')
  expect(await statesOf(first, second)).toEqual([undefined, 'live'])
})

test('concurrent requests for different plans are granted one after the other', async () => {
  const { db } = database
  const [first, second] = await pair()
  const [plan, other] = [await givenPlan(deps()), await givenPlan(deps(), { code: 'OTHER' })]
  const chain = new TokenChain([first])
  const requests: Promise<unknown>[] = []
  await inTransaction(db, async (tx) => {
    await lockQuotas(tx, [plan.id])
    requests.push(reserve(first, plan, chain.readers))
    await someoneWaits(db)
    chain.send(first, second)
    const beside = reserve(second, other, chain.readers)
    requests.push(beside)
    await Promise.race([beside, someoneWaits(db, 2)])
  })
  expect(await Promise.all(requests)).toEqual(['reserved', 'reserved'])
  expect(await statesOf(first, second)).toEqual(['unbacked', 'live'])
})

test('a check never uses a block older than the one at which a reservation was made', async () => {
  const [first, second] = await pair()
  const plan = await givenPlan(deps())
  const chain = new TokenChain([second])
  chain.send(second, first)
  await reserve(first, plan, chain.readers)
  const given = await chain.readers.readNewestBlock(0n)
  chain.pass(3)
  const known: bigint[] = []
  await look({
    ...chain.readers,
    readNewestBlock(block) {
      known.push(block)
      return chain.readers.readNewestBlock(block)
    },
  })
  expect(known).toEqual([given])
})

test('a reservation backed by tokens from an orphaned block is released at the next check', async () => {
  const [first, second] = await pair()
  const plan = await givenPlan(deps())
  const chain = new TokenChain([second])
  chain.send(second, first)
  await reserve(first, plan, chain.readers)
  chain.undo(1)
  expect(await reserve(second, plan, chain.readers)).toBe('reserved')
  expect(await statesOf(first, second)).toEqual(['unbacked', 'live'])
})

test('an address that is removed and registered again has one reservation', async () => {
  const [first] = await pair()
  const plan = await givenPlan(deps())
  const chain = new TokenChain([first])
  await reserve(first, plan, chain.readers)
  const [, again] = await pair()
  const other = await givenPlan(deps(), { code: 'OTHER' })
  await reserve({ ...again, address: first.address }, other, chain.readers)
  expect(await statesOf(first, again)).toEqual(['replaced', 'live'])
})

test('a transfer that leaves enough for the reservation does not end it', async () => {
  const [first, second] = await pair()
  const plan = await givenPlan(deps())
  const chain = new TokenChain([first, second])
  chain.send(second, first)
  await reserve(first, plan, chain.readers)
  chain.send(first, second, dct('50'))
  await look(chain.readers)
  expect(await statesOf(first)).toEqual(['live'])
  expect(await reserve(second, plan, chain.readers)).toBe('reserved')
  chain.send(first, second, 1n)
  await look(chain.readers)
  expect(await statesOf(first, second)).toEqual(['unbacked', 'live'])
})

test('tokens received before the balance was read count once, also with an older reservation of another address', async () => {
  const [first, second] = await pair()
  const donor = { address: Buffer.alloc(20, 0xd0) }
  const plan = await givenPlan(deps())
  const chain = new TokenChain([first, donor])
  await reserve(first, plan, chain.readers)
  chain.send(donor, second)
  chain.pass(30)
  expect(await reserve(second, plan, chain.readers)).toBe('reserved')
  chain.send(second, donor)
  await look(chain.readers)
  expect(await statesOf(first, second)).toEqual(['live', 'unbacked'])
})

test('when a day is full, reservations whose holders no longer have the amount are released first', async () => {
  const users = await holders(56)
  const [last] = users.splice(55) as [TestUser]
  const plan = await givenPlan(deps())
  const chain = new TokenChain([...users, last])
  for (const user of users) await reserve(user, plan, chain.readers)
  expect(await reserve(last, plan, chain.readers)).toBe('DAILY_QUOTA_EXCEEDED')
  const gone = users[40] as TestUser
  chain.send(gone, (await holders(1))[0] as TestUser)
  expect(await reserve(last, plan, chain.readers)).toBe('reserved')
  expect(await statesOf(gone)).toEqual(['unbacked'])
  expect(await remaining(plan)).toMatchObject({ daily: dct('20') })
})

test('a request makes 3 node queries, however many reservations there are', async () => {
  const users = await holders(40)
  const plan = await givenPlan(deps())
  const { readers } = new TokenChain(users)
  let asked = 0
  const counted = Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [
      name,
      (...args: never[]) => {
        asked += 1
        return (read as (...given: never[]) => unknown)(...args)
      },
    ]),
  ) as HoldingReaders
  for (const user of users) await reserve(user, plan, counted)
  expect(asked).toBe(3 * users.length)
})

test('a reservation whose tokens are staked but not booked yet remains, unless they are staked in another plan', async () => {
  const [staker, stray] = await pair()
  const plan = await givenPlan(deps())
  const chain = new TokenChain([staker, stray])
  await reserve(staker, plan, chain.readers)
  await reserve(stray, plan, chain.readers)
  chain.stake(staker, plan.code, dct('50'))
  chain.stake(stray, 'OTHER', dct('50'))
  await look(chain.readers)
  expect(await statesOf(staker, stray)).toEqual(['live', 'unbacked'])
})

test('the loop releases unbacked reservations without any request, once, and the quota is shown as free again', async () => {
  const [user, elsewhere] = await pair()
  const plan = await givenPlan(deps(), { dailyLimit: '36' })
  const chain = new TokenChain([user])
  await reserve(user, plan, chain.readers)
  chain.send(user, elsewhere)
  await Promise.all([look(chain.readers), look(chain.readers), look(chain.readers)])
  expect(await statesOf(user)).toEqual(['unbacked'])
  expect(await remaining(plan)).toEqual({ daily: dct('36'), annual: dct('10000') })
  chain.send(elsewhere, user)
  expect(await reserve(user, plan, chain.readers)).toBe('reserved')
})
