import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import {
  attemptsOf,
  givenRewardPayout,
  payoutRow,
  senderDeps,
  senderWorld,
} from '../../testing/senders.ts'
import type { AccountKey } from './accounts.queries.ts'
import { type ChainAdapter, createSender, type Owed } from './send-owed.ts'

const database = useTestDatabase()
const SENDER: Hex = `0x${'5e'.repeat(20)}`
const OTHER: Hex = `0x${'aa'.repeat(20)}`
const holder = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`

beforeEach(() => wipe(database.db))

const world = () => senderWorld(database.db, {} as never)
const given = (to: Hex, amount = 1_000n) =>
  givenRewardPayout(world(), { to, amount, stakeId: BigInt(to), planCode: 'PLAN-360' })

/** A chain that keeps totals and mines nothing. */
function senderOf(
  readTotal: (account: AccountKey) => bigint,
  changes: Partial<ChainAdapter<Owed, null, null>> = {},
) {
  const prepared: Owed[] = []
  let signed = 0
  const adapter: ChainAdapter<Owed, null, null> = {
    ...{ chain: 'TRON', sender: SENDER, mostInFlight: 64, pollFactor: 1 },
    readTotal: async (account) => readTotal(account),
    async prepare(owed) {
      prepared.push(owed)
      return { kind: 'ready', call: owed }
    },
    others: async () => [],
    readMeans: async () => null,
    lackOf: async () => undefined,
    signing: () => ({
      lockNonce: async () => null,
      takeNonce: async () => undefined,
      async sign() {
        signed += 1
        const hash: Hex = `0x${signed.toString(16).padStart(64, '0')}`
        const expiresAt = new Date(realClock.now().getTime() + DAY_MS)
        return { hash, raw: Buffer.from('00', 'hex'), gasPrice: null, expiresAt }
      },
    }),
    broadcast: async () => ({}),
    receipt: async () => ({ kind: 'unknown' }),
    endOther: async () => undefined,
    keepAlive: async () => undefined,
    ...changes,
  }
  const deps = { ...senderDeps(world()), charge: async () => undefined }
  return { sender: createSender(deps, adapter), prepared }
}

test('accounts that wait do not keep later ones from being paid', async () => {
  for (let n = 1; n <= 120; n += 1) await given(holder(n))
  const last = await given(OTHER)
  const { sender } = senderOf(({ holder: to }) => (to === OTHER ? 0n : 5n))
  for (let steps = 0; steps < 2; steps += 1) await sender.step()
  expect((await payoutRow(database.db, last)).state).toBe('sent')
})

test('an account whose total cannot be read does not keep later ones from being paid', async () => {
  await given(holder(1))
  const last = await given(OTHER)
  const { sender } = senderOf(({ holder: to }) => {
    if (to !== OTHER) throw new Error('the answer is not a number')
    return 0n
  })
  await expect(sender.step()).rejects.toThrow('not a number')
  // The account that failed is tried again after the others, and fails again.
  await sender.step().catch(() => undefined)
  expect((await payoutRow(database.db, last)).state).toBe('sent')
})

test('[T075] the alarm of a reason that payouts share is open as long as one of them waits for it', async () => {
  const [first, second] = [await given(holder(1)), await given(OTHER)]
  const without = new Set([holder(1), OTHER])
  let paid = 0n
  const { sender } = senderOf(({ holder: to }) => (to === OTHER ? paid : 0n), {
    lackOf: async (_means, { account }) =>
      without.has(account.holder) ? { reason: 'NO_TRX', detail: '' } : undefined,
  })
  const subjects = async () => (await openAlarms(database.db)).map(({ subject }) => subject)
  await sender.step()
  expect(await subjects()).toEqual(['TRON:NO_TRX'])
  without.delete(holder(1))
  await sender.step()
  expect((await payoutRow(database.db, first)).state).toBe('sent')
  expect(await subjects()).toEqual(['TRON:NO_TRX'])
  // It waits for something else now.
  paid = 5n
  await sender.step()
  expect(await payoutRow(database.db, second)).toMatchObject({ wait_reason: 'BOOKS_BEHIND' })
  expect(await subjects()).toEqual([])
})

test('[T080] a payment states the chain’s total, and pays the oldest payout of an account alone', async () => {
  const first = await given(OTHER, 700n)
  const { sender, prepared } = senderOf(() => 0n)
  await sender.step()
  await sender.step()
  expect(prepared.map(({ paidBefore, amount }) => [paidBefore, amount])).toEqual([[0n, 700n]])
  const attempts = await attemptsOf(database.db, first)
  expect(attempts).toMatchObject([{ paid_before: 0n, amount: 700n, state: 'pending' }])
})

test('[T063] a final payment that was undone is made again before the next one', async () => {
  const next = await given(OTHER, 700n)
  await database.db.updateTable('payout_account').set({ paid: 500n, settled: 500n }).execute()
  const { sender } = senderOf(() => 200n)
  await sender.step()
  expect(await attemptsOf(database.db, next)).toMatchObject([{ paid_before: 200n, amount: 300n }])
})
