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
import { openDatabase } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { freshSenderWorld } from '../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { dctOf, givenPlan, type Holder, usdtOf } from '../../testing/sender-chains.ts'
import {
  adminDeps,
  attemptsOf,
  bscSenderOf,
  payoutRow,
  type SenderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { holdPayout, retryPayout } from './manage-payouts.ts'

const CHAINS = ['TRON', 'BSC'] as const
type Chain = (typeof CHAINS)[number]
/** Base units: 0.001 DCT, and a millionth of a USDT. */
const AMOUNT = { TRON: 1_000n, BSC: 10n ** 12n }

const host = useChainHost()
const database = useTestDatabase()
let world: SenderWorld
let holder: Holder
let receiver: Hex
let givenPayout: (chain: Chain) => Promise<bigint>

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  const fresh = await freshSenderWorld(database.db, host())
  ;({ world, holder, receiver } = fresh)
  givenPayout = (chain) => fresh.givenPayout(chain, AMOUNT[chain])
})

const keyOf = (chain: Chain) =>
  chain === 'TRON'
    ? world.chains.serviceKeys.operator.tronPrivateKey
    : world.chains.serviceKeys.payout.bscPrivateKey

function senderOf(chain: Chain, key?: DigestSigner): Loop {
  const changes = key === undefined ? {} : { key }
  return chain === 'TRON' ? tronSenderOf(world, changes) : bscSenderOf(world, changes)
}

const paidOn = async (chain: Chain) =>
  chain === 'TRON' ? (await dctOf(host(), holder.address)) - 50_000_000n : usdtOf(host(), receiver)

/** A signer that blocks until it is released, like a slow remote service. */
function slowKey(chain: Chain) {
  const own = rawKeySigner(keyOf(chain))
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const key: DigestSigner = {
    address: own.address,
    async signDigest(digest) {
      asked.resolve()
      await released.promise
      return own.signDigest(digest)
    },
  }
  return { key, asked: asked.promise, release: () => released.resolve() }
}

/** Runs one step of a sender, and `meanwhile` while its signer is busy. */
async function whileSigning(chain: Chain, meanwhile: () => Promise<void>): Promise<void> {
  const slow = slowKey(chain)
  const step = senderOf(chain, slow.key).step()
  await slow.asked
  await meanwhile()
  slow.release()
  await step
}

const nonces = async () => {
  const rows = await everything(database.db)
    .selectFrom('send_attempt')
    .select('nonce')
    .orderBy('nonce')
    .execute()
  return rows.map(({ nonce }) => nonce)
}

async function expectPaidOnce(chain: Chain, ids: readonly bigint[]): Promise<void> {
  await runToEnd(world, senderOf(chain))
  for (const id of ids) {
    const attempts = await attemptsOf(database.db, id)
    expect(attempts.map(({ state }) => state)).toEqual(['confirmed'])
    expect((await payoutRow(database.db, id)).state).toBe('final')
  }
  expect(await paidOn(chain)).toBe(before + BigInt(ids.length) * AMOUNT[chain])
}
let before = 0n
beforeEach(() => {
  before = 0n
})

test.each(CHAINS)(
  'on %s, no lock is held and no transaction is open while the signer is busy',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const id = await givenPayout(chain)
    const other = openDatabase({ url: database.url, maxConnections: 1 })
    await whileSigning(chain, async () => {
      await sql`select from payout for update nowait`.execute(other)
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
  'on %s, if an admin holds a payout while it is being signed, its bytes are neither stored nor sent',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const [held, other] = [await givenPayout(chain), await givenPayout(chain)]
    const input = { payoutId: held, adminId: 1n }
    await whileSigning(chain, () => holdPayout(adminDeps(world), { ...input, reason: 'a doubt' }))
    expect(await attemptsOf(database.db, held)).toEqual([])
    expect((await payoutRow(database.db, held)).wait_reason).toBe('HELD')
    if (chain === 'BSC') {
      // The next payout gets the nonce of the dropped bytes.
      await expectPaidOnce(chain, [other])
      expect(await nonces()).toEqual([0n])
    }
    await retryPayout(adminDeps(world), input)
    await expectPaidOnce(chain, [held, other])
  },
)

test.each(CHAINS)(
  'on %s, if two processes sign the same payout at the same time, only one stores its bytes',
  async (chain) => {
    if (chain === 'TRON') before = await paidOn(chain)
    const id = await givenPayout(chain)
    await whileSigning(chain, () => whileSigning(chain, async () => undefined))
    expect(await attemptsOf(database.db, id)).toHaveLength(1)
    await expectPaidOnce(chain, [id])
    if (chain === 'BSC') expect(await nonces()).toEqual([0n])
  },
)

const FAILURES = [new SignerUnavailable('nobody answers'), new WrongSignature('not by this key')]

test.each(CHAINS.flatMap((chain) => FAILURES.map((failure) => [chain, failure] as const)))(
  'on %s, a payout whose signer fails (%s) waits with an alarm, and is paid once the signer works again',
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
      ...{ state: 'waiting', wait_reason: 'SIGNER', wait_detail: failure.message },
    })
    expect(await openAlarms()).toEqual([
      { message: `The signer gave no signature. ${failure.message}` },
    ])
    await expectPaidOnce(chain, ids)
    expect(await openAlarms()).toEqual([])
  },
)

test('[T072] if two processes sign the same replacement at the same time, only one stores its bytes', async () => {
  const id = await givenPayout('BSC')
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 0 }
  await host().control.finalize()
  await host().control.pauseMining()
  onTestFinished(async () => void (await host().control.resumeMining()))
  await senderOf('BSC').step()
  const slow = slowKey('BSC')
  const step = bscSenderOf(world, { key: slow.key, timing }).step()
  await slow.asked
  await bscSenderOf(world, { timing }).step()
  const stored = await attemptsOf(database.db, id)
  expect(stored.map(({ nonce }) => nonce)).toEqual([0n, 0n])
  slow.release()
  await step
  expect(await attemptsOf(database.db, id)).toEqual(stored)
})
