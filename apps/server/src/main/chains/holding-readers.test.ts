import { tokenAbi } from '@dct/contract-abi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../modules/auth/register.ts'
import { hexOf } from '../../modules/chain/index.ts'
import { reserveQuota } from '../../modules/plans/reserve-quota.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { type ChainWorld, startChainWorld } from '../../testing/chain-world.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { holdingReaders } from './holding-readers.ts'

let world: ChainWorld
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  world = await startChainWorld()
})
afterAll(async () => {
  await world?.stop()
  await database?.drop()
})

const readersOf = ({ reader, token, staking }: ChainWorld) =>
  holdingReaders({ tron: { reader, token, staking } })

/** A registered demo account. */
async function holderOf(index: number) {
  const account = world.account(index)
  const user = await inTransaction(database.db, (tx) =>
    addUser(tx, {
      ...{ address: account.address, email: 'holder@example.com', role: 'user' },
      ...{ referrer: undefined, at: realClock.now() },
    }),
  )
  return { ...account, user: { id: user.id, address: account.address } }
}
type Holder = Awaited<ReturnType<typeof holderOf>>

/** Transfers all of the holder's tokens except this amount. */
async function sendOn(from: Holder, to: Holder, kept: bigint): Promise<void> {
  await world.host.control.finalize()
  const { held } = await readersOf(world).readFinalDct(from.address)
  await world.send(from, {
    contract: world.host.deployment.tron.token,
    abi: tokenAbi,
    functionName: 'transfer',
    args: [hexOf(to.address), held - kept],
  })
}

test('on chain, transferred tokens no longer back their reservation, staked ones do', async () => {
  const { db } = database
  const [first, second, staker] = [await holderOf(1), await holderOf(2), await holderOf(3)]
  const plan = await givenPlan({ db, clock: realClock })
  await world.openPlan(plan)
  const reserve = ({ user }: Holder) =>
    reserveQuota(
      {
        ...{ db, clock: realClock, dctDecimals: 6, reservationCooldownMs: 0 },
        ...readersOf(world),
        isFollowing: async () => false,
      },
      { user, planCode: plan.code, amount: dct('50') },
    )
  const stateOf = async ({ user }: Holder) =>
    (await db.selectFrom('reservation').select('state').where('user_id', '=', user.id).execute())[0]
      ?.state

  await sendOn(staker, first, dct('50'))
  await reserve(staker)
  await reserve(first)
  await world.join(staker, { planCode: plan.code, amount: dct('50') })
  await sendOn(first, second, dct('49.999999'))
  await reserve(second)
  expect(await stateOf(first)).toBe('unbacked')
  expect(await stateOf(second)).toBe('live')
  expect(await stateOf(staker)).toBe('live')
  await expect(reserve(first)).rejects.toMatchObject({ code: 'DCT_BALANCE_TOO_LOW' })
})

test('a node that lags behind a known block is polled until it has that block', async () => {
  const heads = [7n, 8n, 9n, 10n]
  const headNumber = async () => heads.shift() ?? 0n
  const { reader, token, staking } = world
  const readers = holdingReaders({ tron: { reader: { ...reader, headNumber }, token, staking } })
  expect(await readers.readNewestBlock(9n)).toBe(9n)
  expect(heads).toEqual([10n])
})
