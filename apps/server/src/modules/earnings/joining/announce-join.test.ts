import { stakingAbi, tokenAbi } from '@dct/contract-abi'
import { parseTronAddress } from '@dct/rules/addresses'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Clock, realClock } from '../../../platform/clock.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { everything } from '../../../testing/all-tables.ts'
import { type ChainWorld, startChainWorld } from '../../../testing/chain-world.ts'
import { someoneWaits, wipe } from '../../../testing/database.ts'
import { type EarningsApp, startEarningsApp } from '../../../testing/earnings-app.ts'
import { dct, givenPlan } from '../../../testing/plans.ts'
import { addUser } from '../../auth/register.ts'
import { openSession } from '../../auth/sessions.ts'
import { hexOf, type Watcher } from '../../chain/index.ts'
import { upsertWaiting } from './announced-joins.queries.ts'
import { createJoinChecker } from './check-joins.ts'

/** Real time plus an offset that the tests increase. */
let aheadMs = 0
const clock: Clock = { now: () => new Date(realClock.now().getTime() + aheadMs) }
let world: ChainWorld
let earnings: EarningsApp
let watcher: Watcher
/** Plans on chain are permanent, so each test uses a new one, with this number. */
let plans = 0
let planCode = ''

beforeAll(async () => {
  world = await startChainWorld()
  const tron = { reader: world.reader, staking: world.staking }
  earnings = await startEarningsApp({ clock, tron })
})
afterAll(async () => {
  await earnings?.app.close()
  await earnings?.database.drop()
  await world?.stop()
})
beforeEach(async () => {
  const { db } = earnings.database
  await wipe(db)
  aheadMs = 0
  watcher = await world.watcherOf(db, clock)
  planCode = await openPlan()
})

afterEach(() => world.host.control.resumeMining())

async function openPlan(): Promise<string> {
  plans += 1
  const code = `JOIN-${plans}`
  const plan = await givenPlan({ db: earnings.database.db, clock }, { code, poolFree: '0' })
  await world.openPlan(plan)
  return code
}

type Holder = ReturnType<ChainWorld['account']> & { token: string }

/** A demo account that is registered and signed in. */
async function holderOf(index: number): Promise<Holder> {
  const account = world.account(index)
  const { db } = earnings.database
  const token = await inTransaction(db, async (tx) => {
    const known = await everything(tx)
      .selectFrom('app_user')
      .select('id')
      .where('address', '=', account.address)
      .executeTakeFirst()
    const user =
      known ??
      (await addUser(tx, {
        address: account.address,
        email: 'holder@example.com',
        role: 'user',
        referrer: undefined,
        at: clock.now(),
      }))
    const client = { ip: '127.0.0.1', userAgent: 'test' }
    const opened = await openSession({ realClock }, tx, {
      userId: user.id,
      role: 'user',
      client,
    })
    return opened.token
  })
  return { ...account, token }
}

async function announce(
  holder: Holder,
  body: { plan_code?: string; amount?: string; trx_hash: string },
) {
  const response = await earnings.app.inject({
    method: 'POST',
    url: '/api/user/earnings',
    headers: { authorization: `Bearer ${holder.token}` },
    payload: { plan_code: planCode, amount: '10', ...body },
  })
  return { status: response.statusCode, ...response.json() }
}

async function listOf(holder: Holder) {
  const response = await earnings.app.inject({
    url: '/api/user/earnings?sort_by=earning_plan_code',
    headers: { authorization: `Bearer ${holder.token}` },
  })
  return response.json().earnings.map((one: Record<string, unknown>) => ({
    plan: one.earning_plan_code,
    state: one.is_hash_confirmed,
    amount: one.total_locked_amount,
    reason: one.failure_reason,
  }))
}

const settle = async () => {
  await world.settle(watcher)
  const { db } = earnings.database
  const checker = createJoinChecker({ db, clock, tron: world })
  while (!(await checker.step()));
}

const countEarnings = async () => {
  const rows = await earnings.database.db.selectFrom('earning').select('id').execute()
  return rows.length
}

const joinCall = (functionName: 'joinStake' | 'release', args: readonly unknown[]) => ({
  contract: world.host.deployment.tron.staking,
  abi: stakingAbi,
  functionName,
  args,
})

test('[T025, T027, API-16, API-56] a hash shows WAITING immediately and SUCCESS once its event is final, in any notation', async () => {
  const holder = await holderOf(1)
  const hash = await world.join(holder, { planCode, amount: dct('10') })
  expect(await announce(holder, { trx_hash: hash })).toMatchObject({
    status: 200,
    earning: { is_hash_confirmed: 'WAITING', trx_hash: hash, total_locked_amount: '10.000000' },
  })
  // By now the page has stopped waiting, but the server has not.
  aheadMs = 300_000
  expect(await announce(holder, { trx_hash: `0x${hash.toUpperCase()}` })).toMatchObject({
    status: 200,
  })
  expect(await listOf(holder)).toMatchObject([{ state: 'WAITING', amount: '10.000000' }])
  await settle()
  expect(await listOf(holder)).toMatchObject([{ state: 'SUCCESS', amount: '10.000000' }])
  expect(await announce(holder, { trx_hash: hash })).toMatchObject({
    status: 200,
    earning: { is_hash_confirmed: 'SUCCESS' },
  })
  expect(await countEarnings()).toBe(1)
})

test('[T030, T029] a stake is booked from its event alone for its staker, and is assigned to the holder on registration', async () => {
  await world.join(world.account(2), { planCode, amount: dct('12.5') })
  await settle()
  expect(await countEarnings()).toBe(1)
  const holder = await holderOf(2)
  expect(await listOf(holder)).toMatchObject([{ state: 'SUCCESS', amount: '12.500000' }])
})

test('[T021] another holder’s hash is refused before and after it is final, and their stake is unaffected', async () => {
  const owner = await holderOf(3)
  const thief = await holderOf(4)
  const hash = await world.join(owner, { planCode, amount: dct('10') })
  const refused = { status: 403, code: 'NOT_YOUR_LOCK' }
  expect(await announce(thief, { trx_hash: hash })).toMatchObject(refused)
  await settle()
  expect(await announce(thief, { trx_hash: hash })).toMatchObject(refused)
  expect(await listOf(thief)).toEqual([])
  expect(await listOf(owner)).toMatchObject([{ state: 'SUCCESS' }])
})

test('[T021, T027] announcing another holder’s hash before any node knows it gains nothing', async () => {
  const owner = await holderOf(1)
  const thief = await holderOf(2)
  await world.host.control.pauseMining()
  try {
    const hash = await world.join(owner, { planCode, amount: dct('10') })
    await world.host.control.dropTransactions()
    expect(await announce(thief, { trx_hash: hash })).toMatchObject({ status: 200 })
    expect(await announce(owner, { trx_hash: hash })).toMatchObject({ status: 200 })
  } finally {
    await world.host.control.resumeMining()
  }
  expect(await listOf(owner)).toMatchObject([{ state: 'WAITING' }])
  aheadMs = 601_000
  await settle()
  const lost = { state: 'FAILED', reason: 'No node knows this transaction. Nothing was locked.' }
  expect(await listOf(owner)).toMatchObject([lost])
  expect(await listOf(thief)).toMatchObject([lost])
  expect(await countEarnings()).toBe(0)
})

test('[T023] a hash of another plan or amount is refused with the facts on chain, and the stake is booked from those', async () => {
  const holder = await holderOf(5)
  const other = await openPlan()
  const hash = await world.join(holder, { planCode, amount: dct('11') })
  expect(await announce(holder, { plan_code: other, amount: '11', trx_hash: hash })).toMatchObject({
    status: 409,
    code: 'OTHER_PLAN',
    message: `This transaction joined another plan: ${planCode}.`,
  })
  expect(await announce(holder, { amount: '50', trx_hash: hash })).toMatchObject({
    status: 409,
    code: 'OTHER_AMOUNT',
    details: { amount: '11.000000' },
  })
  await settle()
  expect(await announce(holder, { amount: '50', trx_hash: hash })).toMatchObject({
    code: 'OTHER_AMOUNT',
  })
  expect(await listOf(holder)).toMatchObject([
    { plan: planCode, state: 'SUCCESS', amount: '11.000000' },
  ])
})

test('[T022, T024] an approval, a call of another contract, or an event of a look-alike contract is not a join', async () => {
  const holder = await holderOf(1)
  const { tron } = world.host.deployment
  const approval = await world.send(holder, {
    contract: tron.token,
    abi: tokenAbi,
    functionName: 'approve',
    args: [world.staking, 1n],
  })
  const contract = await world.deployTwin({ code: planCode, durationDays: 360, rate: 7_200n })
  await world.send(holder, {
    contract: tron.token,
    abi: tokenAbi,
    functionName: 'approve',
    args: [hexOf(Buffer.from(parseTronAddress(contract) ?? [])), dct('10')],
  })
  const call = { ...joinCall('joinStake', [dct('10'), planCode, 360n]), contract }
  const twinJoin = await world.send(holder, call)
  for (const hash of [approval, twinJoin]) {
    expect(await announce(holder, { trx_hash: hash })).toMatchObject({
      status: 422,
      code: 'OTHER_CONTRACT',
    })
  }
  await settle()
  expect(await world.reader.receipt(`0x${twinJoin}`)).toMatchObject({
    kind: 'final',
    failure: null,
  })
  expect(await countEarnings()).toBe(0)
  expect(await listOf(holder)).toEqual([])
})

test.each([
  { what: 'reverted, as nothing was approved,', options: {} },
  { what: 'ran out of energy', options: { feeLimit: 1_000_000 } },
])('[T024] a join that $what is FAILED once that is final', async ({ options }) => {
  const holder = await holderOf(3)
  const call = joinCall('joinStake', [dct('10'), planCode, 360n])
  const hash = await world.send(holder, call, options)
  expect(await announce(holder, { trx_hash: hash })).toMatchObject({ status: 200 })
  await settle()
  const reason = 'This transaction failed on chain. Nothing was locked.'
  expect(await listOf(holder)).toMatchObject([{ state: 'FAILED', reason }])
  expect(await announce(holder, { trx_hash: hash })).toMatchObject({ status: 422, message: reason })
  expect(await countEarnings()).toBe(0)
})

/**
 * Makes a join in the latest block, which is not final, and lets the watcher read it. Mining is paused until the test
 * resumes it.
 * @returns the transaction's id, and the height of the previous block
 */
async function givenSeenJoin(holder: Holder) {
  const { tron } = world.host.deployment
  await world.send(holder, {
    ...{ contract: tron.token, abi: tokenAbi, functionName: 'approve' },
    args: [world.staking, dct('10')],
  })
  await settle()
  await world.host.control.pauseMining()
  const { head } = (await world.host.control.info()).tron
  const hash = await world.send(holder, joinCall('joinStake', [dct('10'), planCode, 360n]))
  await world.host.control.mine({ chain: 'tron', blocks: 1 })
  await announce(holder, { trx_hash: hash })
  await watcher.catchUp()
  expect(await listOf(holder)).toMatchObject([{ state: 'WAITING' }])
  expect(await countEarnings()).toBe(0)
  return { hash, after: head.number }
}

test('[T026] a join moved to another block by a reorganisation is booked once, from the final block', async () => {
  const holder = await holderOf(4)
  const { after } = await givenSeenJoin(holder)
  await world.host.control.reorg({ chain: 'tron', after, keepTransactions: true })
  await world.host.control.resumeMining()
  await settle()
  expect(await listOf(holder)).toMatchObject([{ state: 'SUCCESS' }])
  expect(await countEarnings()).toBe(1)
})

test('[T026] a join removed by a reorganisation earns nothing, waits, and fails once no node knows it any more', async () => {
  const holder = await holderOf(4)
  const { after } = await givenSeenJoin(holder)
  await world.host.control.reorg({ chain: 'tron', after })
  await world.host.control.resumeMining()
  await settle()
  expect(await listOf(holder)).toMatchObject([{ state: 'WAITING' }])
  aheadMs = 601_000
  await settle()
  expect(await listOf(holder)).toMatchObject([{ state: 'FAILED' }])
  expect(await countEarnings()).toBe(0)
})

test('[T032] a second join of a followed plan is refused while the first waits and after it is booked', async () => {
  const holder = await holderOf(5)
  const first = await world.join(holder, { planCode, amount: dct('10') })
  await announce(holder, { trx_hash: first })
  const second = await world.send(holder, joinCall('joinStake', [dct('10'), planCode, 360n]))
  const refused = { status: 409, message: "You have followed this plan, can't join again!" }
  expect(await announce(holder, { trx_hash: second })).toMatchObject(refused)
  await settle()
  expect(await announce(holder, { trx_hash: 'ab'.repeat(32) })).toMatchObject(refused)
  expect(await listOf(holder)).toMatchObject([{ state: 'SUCCESS' }])
})

test('[T027] one hash announced 16 times concurrently, by its owner and by others, results in one stake', async () => {
  const owner = await holderOf(1)
  const other = await holderOf(2)
  const hash = await world.join(owner, { planCode, amount: dct('10') })
  const senders = Array.from({ length: 16 }, (_, index) => (index % 4 === 3 ? other : owner))
  const [answers] = await Promise.all([
    Promise.all(senders.map((sender) => announce(sender, { trx_hash: hash }))),
    settle(),
  ])
  expect(answers.map(({ status }) => status)).toEqual(
    senders.map((sender) => (sender === owner ? 200 : 403)),
  )
  await settle()
  expect(await listOf(owner)).toMatchObject([{ state: 'SUCCESS' }])
  expect(await countEarnings()).toBe(1)
})

test('[T032] of 8 concurrent hashes for one plan, one is followed and the others are refused', async () => {
  const holder = await holderOf(1)
  const hashes = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(64))
  const answers = await Promise.all(hashes.map((trx_hash) => announce(holder, { trx_hash })))
  const outcomes = answers.map(({ status, code }) => code ?? status)
  expect(outcomes.toSorted()).toEqual([200, ...Array(7).fill('ALREADY_FOLLOWING')])
  expect(await listOf(holder)).toMatchObject([{ state: 'WAITING' }])
})

/** Writes an announced join, like a concurrent request whose transaction is still open. */
async function writeAnnounced(tx: Tx, holder: Holder, txHash: string): Promise<void> {
  const users = everything(tx).selectFrom('app_user').where('address', '=', holder.address)
  const { id: userId } = await users.select('id').executeTakeFirstOrThrow()
  await upsertWaiting(tx, {
    ...{ txHash: Buffer.from(txHash, 'hex'), userId, staker: holder.address, planCode },
    ...{ amount: dct('10'), reward: dct('12'), cycles: 360, announcedAt: clock.now() },
  })
}

test('[T032] a hash is refused, and leaves nothing, when another one is being written concurrently', async () => {
  const { db } = earnings.database
  const holder = await holderOf(1)
  const answer = await inTransaction(db, async (tx) => {
    await writeAnnounced(tx, holder, 'a1'.repeat(32))
    const sent = announce(holder, { trx_hash: 'b2'.repeat(32) })
    await someoneWaits(db)
    return { sent }
  })
  expect(await answer.sent).toMatchObject({ status: 409, code: 'ALREADY_FOLLOWING' })
  const kept = await db.selectFrom('announced_join').select('tx_hash').execute()
  expect(kept).toEqual([{ tx_hash: Buffer.from('a1'.repeat(32), 'hex') }])
})

test('[T027] a hash that the same holder announces concurrently is accepted as the same join', async () => {
  const { db } = earnings.database
  const holder = await holderOf(1)
  const hash = 'c3'.repeat(32)
  const answer = await inTransaction(db, async (tx) => {
    // Blocks the request between its query for this hash and its query for the plan's other joins.
    await sql`alter view stake_record set (security_barrier = false)`.execute(tx)
    const sent = announce(holder, { trx_hash: hash })
    await someoneWaits(db)
    await writeAnnounced(tx, holder, hash)
    return { sent }
  })
  expect(await answer.sent).toMatchObject({
    status: 200,
    earning: { is_hash_confirmed: 'WAITING', trx_hash: hash },
  })
  expect(await listOf(holder)).toMatchObject([{ state: 'WAITING' }])
})

test.each([
  [{ trx_hash: 'zz' }, 'BAD_HASH'],
  [{ trx_hash: 'ab'.repeat(32), amount: '1e1' }, 'BAD_AMOUNT'],
  [{ trx_hash: 'ab'.repeat(32), amount: '10.0000001' }, 'BAD_AMOUNT'],
  [{ trx_hash: 'ab'.repeat(32), amount: '0' }, 'AMOUNT_NOT_POSITIVE'],
  [{ trx_hash: 'ab'.repeat(32), amount: '9.999999' }, 'AMOUNT_OUT_OF_RANGE'],
  [{ trx_hash: 'ab'.repeat(32), amount: '50.000001' }, 'AMOUNT_OUT_OF_RANGE'],
  [{ trx_hash: 'ab'.repeat(32), plan_code: 'NO-PLAN' }, 'PLAN_NOT_FOUND'],
])('[T031] %j is refused with %s', async (body, code) => {
  expect(await announce(await holderOf(1), body)).toMatchObject({ code })
})
