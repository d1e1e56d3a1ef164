import type { OwnOwedReply } from '@dct/api-contract/owed-list'
import { parseAmount } from '@dct/money'
import { checkInclusion } from '@dct/rules/sum-tree'
import { makeSumTree } from '@dct/rules/testing/make-sum-tree'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addDays, parseBusinessDay } from '../../../platform/clock.ts'
import { everything } from '../../../testing/all-tables.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { BSC_ADDRESS, createReferralApp } from '../../../testing/referral-app.ts'
import { payFee, setRate } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { owedToReferrers } from '../../referrals/index.ts'
import { describeOwnOwed } from './describe-owed.ts'
import { createOwedListLoop, makeOwedList } from './make-owed-list.ts'
import { findOwedDay, latestOwedDays } from './owed-list.queries.ts'

const DAY = parseBusinessDay('2026-01-30')
const database = useTestDatabase(24)
const world = useWorld(() => createReferralApp(database.db))
beforeEach(async () => {
  await wipe(database.db)
  world.clock.set('2026-01-31T10:00:00Z')
})

/** Three referrers, each with a referral who paid a fee: 1.5, 3 and 4.5 USDT are owed. */
async function givenReferrers(): Promise<TestUser[]> {
  const referrers: TestUser[] = []
  for (const usdt of ['10', '20', '30']) {
    const referrer = await world.given()
    const payer = await world.given({ referrerId: referrer.id })
    await setRate(world.people, { userId: referrer.id, bps: 500 })
    await payFee(world.people, { payerId: payer.id, usdt })
    referrers.push(referrer)
  }
  return referrers
}

const deps = () => ({ db: database.db, clock: world.clock })
const ownOf = (user: TestUser) => describeOwnOwed(database.db, user)
const faultOf = ({ proof, published }: OwnOwedReply) =>
  proof === null || published === null ? 'ABSENT' : checkInclusion(proof, published)

test('everybody who is owed is in the list of the day, which sums to all that is owed', async () => {
  const referrers = await givenReferrers()
  const stranger = await world.given()
  await makeOwedList(deps(), DAY)
  const day = await findOwedDay(database.db, DAY)
  expect(day).toMatchObject({ holders: 3, sum: await owedToReferrers(database.db) })
  expect(day?.sum).toBe(parseAmount('USDT', '9'))
  for (const referrer of referrers) expect(faultOf(await ownOf(referrer))).toBeUndefined()
  expect((await ownOf(stranger)).proof).toBeNull()
})

test('the tree that the database makes of any number of holders is the one that is checked', async () => {
  const holders: TestUser[] = []
  for (const count of [1, 2, 5, 8, 13]) {
    while (holders.length < count) {
      const holder = await world.given()
      const earned = 7n ** BigInt(holders.length)
      await everything(database.db)
        .insertInto('referral_balance')
        .values({ user_id: holder.id, kind: 'direct', row_count: 1n, earned })
        .execute()
      holders.push(holder)
    }
    const day = addDays(DAY, count)
    await makeOwedList(deps(), day)
    const sum = holders.reduce((total, _, at) => total + 7n ** BigInt(at), 0n)
    expect(await findOwedDay(database.db, day)).toMatchObject({ holders: count, sum })
    const { rows } = await sql<{ hash: Buffer; sum: bigint }>`
      select hash, sum from owed_node where day = ${day}::date and level = 0 order by position`.execute(
      database.db,
    )
    const root = makeSumTree(rows).at(-1)?.[0]
    expect(Buffer.from(root?.hash ?? [])).toEqual((await findOwedDay(database.db, day))?.root)
    for (const holder of holders) expect(faultOf(await ownOf(holder))).toBeUndefined()
  }
})

test('of two workers one makes the list of a day', async () => {
  await givenReferrers()
  await Promise.all([makeOwedList(deps(), DAY), makeOwedList(deps(), DAY)])
  expect(await latestOwedDays(database.db, 9)).toHaveLength(1)
})

test('a claim in progress stays in the list', async () => {
  const [first] = await givenReferrers()
  if (first === undefined) throw new Error('no referrer')
  const claimed = await world.claim(first, { type: 'direct bonus', usdt_address: BSC_ADDRESS })
  expect(claimed.status).toBe(200)
  await makeOwedList(deps(), DAY)
  expect((await ownOf(first)).proof?.owed).toBe(`${parseAmount('USDT', '1.5')}`)
})

test('a list that leaves a holder out, or shortens one, is exposed by that holder’s own check', async () => {
  const [first, second] = await givenReferrers()
  if (first === undefined || second === undefined) throw new Error('no referrer')
  await makeOwedList(deps(), DAY)
  const own = await ownOf(first)
  const other = await ownOf(second)
  if (own.proof === null || other.proof === null || own.published === null) throw new Error('gone')
  const { published, proof } = own
  const shownMore = { ...proof, owed: `${BigInt(proof.owed) + 1n}` }
  expect(checkInclusion(shownMore, published)).toBe('NOT_IN_TREE')
  const ofAnother = { ...other.proof, tron_address: proof.tron_address }
  expect(checkInclusion(ofAnother, published)).toBe('NOT_IN_TREE')
  expect(checkInclusion(proof, { ...published, sum: '1' })).toBe('SUM_DIFFERS')
})

test('a day is listed once, when it is over, and its root never changes', async () => {
  await givenReferrers()
  const loop = createOwedListLoop(deps())
  await loop.step()
  const made = await findOwedDay(database.db, DAY)
  await givenReferrers()
  await loop.step()
  await createOwedListLoop(deps()).step()
  expect(await latestOwedDays(database.db, 9)).toEqual([made])
  await expect(database.db.updateTable('owed_day').set({ holders: 1 }).execute()).rejects.toThrow(
    'append-only',
  )
})

test('leaves are kept for a week, roots for ever', async () => {
  const [first] = await givenReferrers()
  if (first === undefined) throw new Error('no referrer')
  const loop = createOwedListLoop(deps())
  await loop.step()
  world.clock.set('2026-02-09T10:00:00Z')
  await loop.step()
  expect((await latestOwedDays(database.db, 9)).map(({ day }) => day)).toEqual(['2026-02-08', DAY])
  const days = await database.db.selectFrom('owed_leaf').select('day').distinct().execute()
  expect(days.map(({ day }) => day)).toEqual(['2026-02-08'])
  expect(faultOf(await ownOf(first))).toBeUndefined()
})

test('where nothing is owed, the list is empty and sums to nothing', async () => {
  await makeOwedList(deps(), DAY)
  expect(await findOwedDay(database.db, DAY)).toMatchObject({ holders: 0, sum: 0n })
})
