import {
  type DigestSigner,
  rawKeySigner,
  SignerUnavailable,
  WrongSignature,
} from '@dct/chain-clients/signers/index'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { inTransaction, openDatabase } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { freshSenderWorld, newBscKey } from '../../testing/fresh-sender-world.ts'
import {
  type Chains,
  dctOf,
  givenPlan,
  type Holder,
  PLAN,
  usdtOf,
} from '../../testing/sender-chains.ts'
import {
  adminDeps,
  attemptsOf,
  bscSenderOf,
  givenRewardPayout,
  givenUsdtPayout,
  payoutRow,
  runToEnd,
  type SenderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { holdPayout, retryPayout } from './manage-payouts.ts'
import { endRestore, markRestored } from './restored-backup.ts'

const CHAINS = ['TRON', 'BSC'] as const
type Chain = (typeof CHAINS)[number]
const AMOUNT = 1_000n

const host = useChainHost()
const database = useTestDatabase()
let chains: Chains
let world: SenderWorld
let holder: Holder
let stakeId: bigint
let receiver: Hex
let cycle = 0

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  ;({ world, chains, holder, stakeId } = await freshSenderWorld(database.db, host()))
  receiver = newBscKey().address
})

const keyOf = (chain: Chain) =>
  chain === 'TRON'
    ? chains.serviceKeys.operator.tronPrivateKey
    : chains.serviceKeys.payout.bscPrivateKey

function senderOf(chain: Chain, key?: DigestSigner): Loop {
  const changes = key === undefined ? {} : { key }
  return chain === 'TRON' ? tronSenderOf(world, changes) : bscSenderOf(world, changes)
}

function givenPayout(chain: Chain): Promise<bigint> {
  cycle += 1
  return chain === 'TRON'
    ? givenRewardPayout(world, {
        ...{ to: holder.address, amount: AMOUNT, stakeId, planCode: PLAN.code },
        lastCycle: cycle,
      })
    : givenUsdtPayout(world, { to: receiver, amount: AMOUNT, cause: `referral:${cycle}` })
}

const paidOn = async (chain: Chain) =>
  chain === 'TRON' ? (await dctOf(host(), holder.address)) - 50_000_000n : usdtOf(host(), receiver)

/** A signer that thinks until it is let go, like a service far away. */
function slowKey(chain: Chain) {
  const own = rawKeySigner(keyOf(chain))
  const asked = Promise.withResolvers<void>()
  const thought = Promise.withResolvers<void>()
  const key: DigestSigner = {
    address: own.address,
    async signDigest(digest) {
      asked.resolve()
      await thought.promise
      return own.signDigest(digest)
    },
  }
  return { key, asked: asked.promise, letGo: () => thought.resolve() }
}

/** Begins a step that ends once the signer has been let go. */
async function whileThinking(chain: Chain, meanwhile: () => Promise<void>): Promise<void> {
  const slow = slowKey(chain)
  const step = senderOf(chain, slow.key).step()
  await slow.asked
  await meanwhile()
  slow.letGo()
  await step
}

const nextNonce = async () => {
  const row = await everything(database.db)
    .selectFrom('sender_state')
    .select('next_nonce')
    .executeTakeFirst()
  return row?.next_nonce
}

async function expectPaidOnce(chain: Chain, ids: readonly bigint[]): Promise<void> {
  await runToEnd(world, senderOf(chain))
  for (const id of ids) {
    const attempts = await attemptsOf(database.db, id)
    expect(attempts.map(({ state }) => state)).toEqual(['confirmed'])
    expect((await payoutRow(database.db, id)).state).toBe('final')
  }
  expect(await paidOn(chain)).toBe(before + BigInt(ids.length) * AMOUNT)
}
let before = 0n
beforeEach(() => {
  before = 0n
})

test.each(CHAINS)(
  'while a signer of %s thinks, no lock is held and no transaction is open',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const id = await givenPayout(chain)
    const other = openDatabase({ url: database.url, maxConnections: 1 })
    await whileThinking(chain, async () => {
      await sql`select from payout for update nowait`.execute(other)
      await sql`select from sender_state for update nowait`.execute(other)
      const { rows } = await sql`
        select state, query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend' and state <> 'idle'`.execute(other)
      expect(rows).toEqual([])
    })
    await other.destroy()
    await expectPaidOnce(chain, [id])
  },
)

test.each(CHAINS)(
  'on %s, bytes of a payout that an admin held while the signer thought are neither stored nor sent',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const [held, other] = [await givenPayout(chain), await givenPayout(chain)]
    const input = { payoutId: held, adminId: 1n }
    await whileThinking(chain, () => holdPayout(adminDeps(world), { ...input, reason: 'a doubt' }))
    expect(await attemptsOf(database.db, held)).toEqual([])
    expect((await payoutRow(database.db, held)).state).toBe('held')
    // The nonce that the forgotten bytes were for is the next one's.
    await expectPaidOnce(chain, [other])
    if (chain === 'BSC') expect(await nextNonce()).toBe(1n)
    await retryPayout(adminDeps(world), input)
    await expectPaidOnce(chain, [other, held])
  },
)

test.each(CHAINS)(
  'on %s, nothing is stored if the database turns out to be a restored one while the signer thinks',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const id = await givenPayout(chain)
    const at = world.clock.now()
    await whileThinking(chain, () =>
      inTransaction(database.db, (tx) => markRestored(tx, { backup: 'one', takenAt: at, at })),
    )
    expect(await attemptsOf(database.db, id)).toEqual([])
    await inTransaction(database.db, (tx) => endRestore(tx, at))
    await expectPaidOnce(chain, [id])
  },
)

test.each(CHAINS)(
  'on %s, of two processes whose signers think about the same payout one stores its bytes',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const id = await givenPayout(chain)
    await whileThinking(chain, () => whileThinking(chain, async () => undefined))
    expect(await attemptsOf(database.db, id)).toHaveLength(1)
    await expectPaidOnce(chain, [id])
    if (chain === 'BSC') expect(await nextNonce()).toBe(1n)
  },
)

const FAILURES = [new SignerUnavailable('nobody answers'), new WrongSignature('not by this key')]

test.each(CHAINS.flatMap((chain) => FAILURES.map((failure) => [chain, failure] as const)))(
  'on %s, a payout whose signer fails (%s) waits with an alarm, and is paid once the signer is well',
  async (chain, failure) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const ids = [await givenPayout(chain), await givenPayout(chain)]
    let asked = 0
    const { address } = rawKeySigner(keyOf(chain))
    const signDigest = () => {
      asked += 1
      return Promise.reject(failure)
    }
    await senderOf(chain, { address, signDigest }).step()
    expect(asked).toBe(1)
    const openAlarms = () =>
      everything(database.db)
        .selectFrom('alarm')
        .select('message')
        .where('cleared_at', 'is', null)
        .where('kind', '=', 'payout.waiting')
        .where('subject', '=', `${chain}:SIGNER`)
        .execute()
    expect(await payoutRow(database.db, ids[0] ?? 0n)).toMatchObject({
      ...{ state: 'queued', wait_reason: 'SIGNER', wait_detail: failure.message },
    })
    expect(await openAlarms()).toEqual([
      { message: `The signer gave no signature. ${failure.message}` },
    ])
    await expectPaidOnce(chain, ids)
    expect(await openAlarms()).toEqual([])
  },
)

test('[T072] of two processes whose signers think about the same replacement one stores its bytes', async () => {
  const id = await givenPayout('BSC')
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 0, suspectMs: 0 }
  await host().control.pauseMining()
  onTestFinished(async () => void (await host().control.resumeMining()))
  await senderOf('BSC').step()
  const slow = slowKey('BSC')
  const step = bscSenderOf(world, { key: slow.key, timing }).step()
  await slow.asked
  await bscSenderOf(world, { timing }).step()
  const stored = await attemptsOf(database.db, id)
  expect(stored.map(({ nonce }) => nonce)).toEqual([0n, 0n])
  slow.letGo()
  await step
  expect(await attemptsOf(database.db, id)).toEqual(stored)
})
