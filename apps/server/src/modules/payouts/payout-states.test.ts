import { createEvmClient } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { type BscKey, newBscKey, worldOfWallet } from '../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../testing/payment-watchers.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { addressesOf, callBsc, sendUsdt, usdtOf } from '../../testing/sender-chains.ts'
import {
  adminDeps,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../testing/senders.ts'
import { givenUser } from '../../testing/users.ts'
import { resumeSender } from './bsc/resume-sender.ts'
import { type PayoutState, requestOperatorCall, submitManualPayment, voidPayout } from './index.ts'
import { moveIntent } from './intents.queries.ts'
import { holdPayout, retryPayout } from './manage-payouts.ts'
import { attachPayment } from './manual/attach-payment.ts'
import { giveUpCall, retryCall } from './tron/manage-calls.ts'

/** The table in docs/payout-states.md: the effect of each action on a payout in each state. */
const STATES = [
  'waiting',
  'sent',
  'signed, nonce lost',
  'held',
  'manual',
  'final',
  'returned',
] as const
const EXITS = ['retry', 'hold', 'return', 'attach', 'name', 'resume'] as const
type State = (typeof STATES)[number]
type Exit = (typeof EXITS)[number]
const TABLE: Record<State, Record<Exit, string>> = {
  waiting: {
    ...{ retry: 'waiting', hold: 'held', return: 'returned', attach: 'final' },
    ...{ name: 'PAYOUT_NOT_MANUAL', resume: 'SENDER_NOT_HELD' },
  },
  sent: {
    ...{ retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_SIGNED', return: 'PAYOUT_SIGNED' },
    ...{ attach: 'PAYOUT_SIGNED', name: 'PAYOUT_NOT_MANUAL', resume: 'SENDER_NOT_HELD' },
  },
  'signed, nonce lost': {
    ...{ retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_SIGNED', return: 'PAYOUT_SIGNED' },
    ...{ attach: 'final', name: 'PAYOUT_NOT_MANUAL', resume: 'waiting' },
  },
  held: {
    ...{ retry: 'waiting', hold: 'held', return: 'returned', attach: 'final' },
    ...{ name: 'PAYOUT_NOT_MANUAL', resume: 'SENDER_NOT_HELD' },
  },
  manual: {
    ...{ retry: 'waiting', hold: 'held', return: 'returned', attach: 'final' },
    ...{ name: 'final', resume: 'SENDER_NOT_HELD' },
  },
  final: {
    ...{ retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_ENDED', return: 'PAYOUT_ENDED' },
    ...{ attach: 'PAYOUT_ENDED', name: 'PAYOUT_ENDED', resume: 'SENDER_NOT_HELD' },
  },
  returned: {
    ...{ retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_ENDED', return: 'PAYOUT_ENDED' },
    ...{ attach: 'PAYOUT_ENDED', name: 'PAYOUT_ENDED', resume: 'SENDER_NOT_HELD' },
  },
}

const host = useChainHost()
const USDT = 10n ** 18n

type Case = {
  world: SenderWorld
  wallet: BscKey
  /** A former payout wallet, which can pay without using up a nonce of the current one. */
  former: BscKey
  receiver: Hex
  id: bigint
  watch(): Promise<void>
}

const database = useTestDatabase()
let proxy: FaultyProxy
let count = 0

beforeAll(async () => {
  proxy = await startFaultyProxy(host().bscUrl)
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
})
afterAll(() => proxy.stop())

async function givenCase(state: State): Promise<Case> {
  await wipe(database.db)
  const [wallet, former, receiver] = [newBscKey(), newBscKey(), newBscKey().address]
  for (const { address } of [wallet, former]) {
    await host().control.faucet({ bscAddress: address, usdt: '10', bnb: '1' })
  }
  await host().control.finalize()
  const { number } = await createEvmClient({ url: host().bscUrl }).finalHead()
  const ofWallet = worldOfWallet(database.db, host(), wallet)
  const world = { ...ofWallet, formerWallets: [former.address] }
  count += 1
  const id = await givenUsdtPayout(world, { to: receiver, amount: USDT, cause: `state:${count}` })
  const watch = async () => {
    await host().control.finalize()
    await bscWatcherOf(world, number + 1n).catchUp()
  }
  const given = { world, wallet, former, receiver, id, watch }
  await bring(given, state)
  return given
}

/** Brings a new payout into a state through the events that lead there in production. */
async function bring(given: Case, state: State): Promise<void> {
  const { world, id, wallet, watch } = given
  const lossy = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  if (state === 'sent') await bscSenderOf(lossy, { timing: RESTLESS }).step()
  if (state === 'signed, nonce lost') {
    const sender = bscSenderOf(lossy, { timing: RESTLESS })
    await sender.step()
    await useNonce(wallet)
    await watch()
    for (let steps = 0; steps < 2; steps += 1) await sender.step()
  }
  if (state === 'held') await act(given, 'hold', undefined)
  if (state === 'manual') {
    await sql`update payout set is_manual = true where id = ${id}`.execute(database.db)
  }
  if (state === 'final') await runToEnd(world, bscSenderOf(world))
  if (state === 'returned') await act(given, 'return', undefined)
}

async function useNonce({ privateKey, address }: BscKey): Promise<void> {
  await callBsc(host(), privateKey, { to: address, data: '0x', gas: 21_000n })
  await host().control.finalize()
}

/** Performs an admin's action. `txHash` is the hash of an unexplained payment. */
async function act({ world, id }: Case, exit: Exit, txHash: Hex | undefined): Promise<void> {
  const deps = adminDeps(world)
  const { db } = database
  const input = { payoutId: id, adminId: 1n }
  switch (exit) {
    case 'retry':
      return retryPayout(deps, input)
    case 'hold':
      return holdPayout(deps, { ...input, reason: 'Under review' })
    case 'return':
      return inTransaction(db, (tx) => voidPayout(tx, id))
    case 'resume':
      return resumeSender(deps, 1n)
    case 'attach':
      return attachPayment(deps, { ...input, txHash: txHash ?? '0x' })
    case 'name': {
      const { id: adminId } = await givenUser(
        { db, clock: realClock, realClock },
        { role: 'admin' },
      )
      const { usdt } = addressesOf(world.chains)
      const reader = createEvmClient({ url: world.chains.bscUrl })
      const named = { payoutId: id, adminId, txHash: txHash ?? '0x' }
      await submitManualPayment({ ...deps, reader, usdt }, named, async () => undefined)
      return
    }
  }
}

const stateOf = (row: { state: PayoutState; wait_reason: string | null }) =>
  row.wait_reason === 'HELD' ? 'held' : row.state

async function outcomeOf(given: Case, exit: Exit, txHash: Hex | undefined): Promise<string> {
  try {
    await act(given, exit, txHash)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${error.code}`
    throw error
  }
  return stateOf(await payoutRow(database.db, given.id))
}

/** The amount that the sender pays afterwards, once it runs and the watcher has read everything. */
async function paidAfterwards({ world, receiver, watch }: Case): Promise<bigint> {
  const before = await usdtOf(host(), receiver)
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  await watch()
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  return (await usdtOf(host(), receiver)) - before
}

const PAYS: readonly Exit[] = ['attach', 'name']
/** The states in which the service still pays, exactly once. */
const STILL_PAYABLE: readonly string[] = ['waiting', 'sent']

describe.each(STATES)('a payout that is %s', (state) => {
  test.each(EXITS)('%s', async (exit) => {
    const given = await givenCase(state)
    const { former, receiver } = given
    const txHash = PAYS.includes(exit)
      ? await sendUsdt(host(), former.privateKey, { to: receiver, amount: USDT })
      : undefined
    await host().control.finalize()
    expect(await outcomeOf(given, exit, txHash)).toBe(TABLE[state][exit])
    const after = await payoutRow(database.db, given.id)
    // A payment that could not be attached remains open. If the payout is still due, the watcher books the payment for
    // it, so it counts too.
    const paid = await paidAfterwards(given)
    const isServices = STILL_PAYABLE.includes(stateOf(after)) && !after.is_manual
    const isStuck = state === 'signed, nonce lost' && after.state === 'sent'
    const isBooked = stateOf(after) === 'waiting' && txHash !== undefined
    expect(paid).toBe(isServices && !isStuck && !isBooked ? USDT : 0n)
  })
})

/** Operator calls. Nothing is signed for one that waits, so giving it up is safe. */
const CALL_STATES = ['waiting', 'sent', 'final', 'returned'] as const
const REFUSED = 'OPERATOR_CALL_NOT_HELD'
const CALL_TABLE: Record<PayoutState, Record<'retry' | 'give up', string>> = {
  waiting: { retry: 'waiting', 'give up': 'returned' },
  sent: { retry: REFUSED, 'give up': REFUSED },
  final: { retry: REFUSED, 'give up': REFUSED },
  returned: { retry: REFUSED, 'give up': REFUSED },
}

async function givenCall(kind: 'closePlan' | 'release', state: PayoutState): Promise<bigint> {
  const { db } = database
  await wipe(db)
  const at = realClock.now()
  await inTransaction(db, async (tx) => {
    const call =
      kind === 'release'
        ? ({ kind, stakeId: 1n } as const)
        : ({ kind, planCode: 'PLAN-1' } as const)
    await requestOperatorCall(tx, { cause: 'test', call, at })
    const ref = { table: 'operator_call', id: 1n } as const
    if (state === 'sent' || state === 'final') await moveIntent(tx, ref, 'sent')
    if (state === 'returned') await moveIntent(tx, ref, 'returned')
    if (state === 'final') {
      await sql`update operator_call set state = 'final', final_at = ${at}`.execute(tx)
    }
  })
  return 1n
}

async function outcomeOfCall(exit: 'retry' | 'give up', callId: bigint): Promise<string> {
  const deps = {
    ...{ db: database.db, clock: realClock, adminId: 1n, callId },
    recordAdminAction: async () => undefined,
  }
  try {
    await (exit === 'retry' ? retryCall : giveUpCall)(deps, { callId, adminId: 1n })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${error.code}`
    throw error
  }
  const row = await database.db
    .selectFrom('operator_call')
    .select(['state', 'failures'])
    .executeTakeFirstOrThrow()
  expect(row.failures).toBe(0)
  return row.state
}

describe.each(CALL_STATES)('a call on a plan that is %s', (state) => {
  test.each(['retry', 'give up'] as const)('%s', async (exit) => {
    const id = await givenCall('closePlan', state)
    expect(await outcomeOfCall(exit, id)).toBe(CALL_TABLE[state][exit])
  })
})

test('a release is retried and never given up', async () => {
  expect(await outcomeOfCall('give up', await givenCall('release', 'waiting'))).toBe(
    'OPERATOR_CALL_NEEDED',
  )
  expect(await outcomeOfCall('retry', 1n)).toBe('waiting')
})
