import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { givenVaultWorld, newBscKey } from '../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { usdtOf } from '../../testing/sender-chains.ts'
import {
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../testing/senders.ts'
import { bearer, givenUser } from '../../testing/users.ts'
import { type PayoutState, requestOperatorCall, voidPayout } from './index.ts'
import { moveIntent } from './intents.queries.ts'
import { payoutsRoutes } from './payouts.routes.ts'
import { sendersRoutes } from './senders.routes.ts'

/** The table in docs/states.md: the effect of each action on a payout in each state. */
const STATES = ['waiting', 'sent', 'held', 'final', 'returned'] as const
const EXITS = ['retry', 'hold', 'return'] as const
type State = (typeof STATES)[number]
type Exit = (typeof EXITS)[number]
const TABLE: Record<State, Record<Exit, string>> = {
  waiting: { retry: 'waiting', hold: 'held', return: 'returned' },
  sent: { retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_SIGNED', return: 'PAYOUT_SIGNED' },
  held: { retry: 'waiting', hold: 'held', return: 'returned' },
  final: { retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_ENDED', return: 'PAYOUT_ENDED' },
  returned: { retry: 'PAYOUT_NOT_HELD', hold: 'PAYOUT_ENDED', return: 'PAYOUT_ENDED' },
}

const host = useChainHost()
const USDT = 10n ** 18n

type Case = { world: SenderWorld; receiver: Hex; id: bigint }

const database = useTestDatabase()
let proxy: FaultyProxy
let app: App
let count = 0

beforeAll(async () => {
  const { db } = database
  app = await createTestApp({ db, realClock })
  const deps = {
    ...{ prefix: '/api', db, clock: realClock, dctDecimals: 6 },
    ...{ operator: newBscKey().address, payoutOperator: newBscKey().address },
    codesOfClaims: async () => new Map(),
    recordAdminAction: async () => undefined,
    requireStepUp: async () => undefined,
  }
  await app.register(payoutsRoutes, deps)
  await app.register(sendersRoutes, deps)
  proxy = await startFaultyProxy(host().bscUrl)
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
})
afterAll(async () => {
  await proxy.stop()
  await app.close()
})

/** An admin does it on the pages. @returns the code of the refusal; undefined if it was done */
async function post(path: string, payload: object): Promise<string | undefined> {
  const admin = await givenUser({ db: database.db, clock: realClock, realClock }, { role: 'admin' })
  const url = `/api/admin/${path}`
  const reply = await app.inject({ method: 'POST', url, headers: bearer(admin), payload })
  return reply.statusCode === 200 ? undefined : String(reply.json().code)
}

async function givenCase(state: State): Promise<Case> {
  await wipe(database.db)
  const { world } = await givenVaultWorld(database.db, host())
  const receiver = newBscKey().address
  count += 1
  const id = await givenUsdtPayout(world, { to: receiver, amount: USDT, cause: `state:${count}` })
  const given = { world, receiver, id }
  await bring(given, state)
  return given
}

/** Brings a new payout into a state through the events that lead there in production. */
async function bring(given: Case, state: State): Promise<void> {
  const { world } = given
  const lossy = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  if (state === 'sent') await bscSenderOf(lossy, { timing: RESTLESS }).step()
  if (state === 'held') await act(given, 'hold')
  if (state === 'final') await runToEnd(world, bscSenderOf(world))
  if (state === 'returned') await act(given, 'return')
}

/** Performs an admin's action. A payout is returned with its referral claim, whose own route is tested there. */
async function act({ id }: Case, exit: Exit): Promise<string | undefined> {
  if (exit === 'retry') return post('payouts/retry', { id: `${id}` })
  if (exit === 'hold') return post('payouts/hold', { id: `${id}`, reason: 'Under review' })
  try {
    await inTransaction(database.db, (tx) => voidPayout(tx, id))
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${error.code}`
    throw error
  }
}

const stateOf = (row: { state: PayoutState; wait_reason: string | null }) =>
  row.wait_reason === 'HELD' ? 'held' : row.state

async function outcomeOf(given: Case, exit: Exit): Promise<string> {
  const refusal = await act(given, exit)
  return refusal ?? stateOf(await payoutRow(database.db, given.id))
}

/** The amount that the sender pays afterwards. */
async function paidAfterwards({ world, receiver }: Case): Promise<bigint> {
  const before = await usdtOf(host(), receiver)
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  return (await usdtOf(host(), receiver)) - before
}

/** The states in which the service still pays, exactly once. */
const STILL_PAYABLE: readonly string[] = ['waiting', 'sent']

describe.each(STATES)('a payout that is %s', (state) => {
  test.each(EXITS)('%s', async (exit) => {
    const given = await givenCase(state)
    expect(await outcomeOf(given, exit)).toBe(TABLE[state][exit])
    const after = await payoutRow(database.db, given.id)
    const paid = await paidAfterwards(given)
    expect(paid).toBe(STILL_PAYABLE.includes(stateOf(after)) ? USDT : 0n)
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
  const path = exit === 'retry' ? 'operator-calls/retry' : 'operator-calls/give-up'
  const refusal = await post(path, { id: `${callId}` })
  if (refusal !== undefined) return refusal
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
