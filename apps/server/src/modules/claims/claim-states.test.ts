import { parseAmount } from '@dct/money'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  givenAdmin,
  givenBscHead,
  givenHolder,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import type { TestUser } from '../../testing/users.ts'
import { hexOf } from '../chain/index.ts'
import { claimJobs } from './claims.jobs.ts'
import type { ClaimState } from './claims.tables.ts'

const { world, clock } = useFreshClaims()
let holder: TestUser
let admin: TestUser

beforeEach(async () => {
  holder = await givenHolder(world)
  admin = await givenAdmin(world)
})

async function row() {
  const [found] = await claimRows(world)
  if (found === undefined) throw new Error('There is no claim')
  return found
}

/** Every event in the life of a claim, caused as in production. An event may be refused but must not throw. */
const EXITS = {
  async 'its fee is paid in time'() {
    const { exact_amount: value } = await row()
    await receive(world, transferEvent(world, { value }))
  },
  async 'its fee is paid after its last day'() {
    const { exact_amount: value, fee_until } = await row()
    await receive(world, transferEvent(world, { value, at: new Date(fee_until.getTime() + 1) }))
  },
  async 'its holder cancels it'() {
    const { code_claim } = await row()
    await post(world, holder, '/user/cancel-claim', { code_claim })
  },
  async 'an admin attaches another payment'() {
    const { code_claim, exact_amount } = await row()
    const event = transferEvent(world, { value: exact_amount - 1n })
    await receive(world, event)
    const payment = { tx_hash: hexOf(event.txHash), log_index: event.logIndex, code_claim }
    await post(world, admin, '/admin/unmatched-payments/attach', payment)
  },
  async 'its time to pay ends'() {
    const { fee_until } = await row()
    clock.set(new Date(fee_until.getTime() + DAY_MS))
    await givenBscHead(world, 5_000n)
    const job = { id: 1n, queue: 'claims.close', key: 'daily', payload: {}, attempts: 0 }
    await inTransaction(world.db, async (tx) => claimJobs({ clock })['claims.close']?.(tx, job))
  },
} as const
type Exit = keyof typeof EXITS

const [PAID, LATE, CANCELLED, ATTACHED, OVER] = Object.keys(EXITS) as [Exit, Exit, Exit, Exit, Exit]
const ENDED = (state: ClaimState): Record<Exit, ClaimState> =>
  Object.fromEntries(Object.keys(EXITS).map((exit) => [exit, state])) as Record<Exit, ClaimState>

type Given = { kind: 'FULL' | 'HALF'; by: Exit | undefined }
const STATES: readonly (Given & { name: string; becomes: Record<Exit, ClaimState> })[] = [
  {
    ...{ name: 'an open FULL claim', kind: 'FULL', by: undefined },
    becomes: {
      ...{ [PAID]: 'paid', [LATE]: 'awaiting_fee', [CANCELLED]: 'cancelled' },
      ...{ [ATTACHED]: 'paid', [OVER]: 'lapsed' },
    } as Record<Exit, ClaimState>,
  },
  {
    ...{ name: 'an open HALF claim', kind: 'HALF', by: undefined },
    becomes: {
      ...{ [PAID]: 'paid', [LATE]: 'awaiting_fee', [CANCELLED]: 'awaiting_fee' },
      ...{ [ATTACHED]: 'paid', [OVER]: 'lapsed' },
    } as Record<Exit, ClaimState>,
  },
  { name: 'a paid FULL claim', kind: 'FULL', by: PAID, becomes: ENDED('paid') },
  { name: 'a paid HALF claim', kind: 'HALF', by: PAID, becomes: ENDED('paid') },
  { name: 'a cancelled claim', kind: 'FULL', by: CANCELLED, becomes: ENDED('cancelled') },
  { name: 'a lapsed FULL claim', kind: 'FULL', by: OVER, becomes: ENDED('lapsed') },
  { name: 'a lapsed HALF claim', kind: 'HALF', by: OVER, becomes: ENDED('lapsed') },
]

/** The amounts of a claim that have become due, each listed once. */
function dueOf(kind: 'FULL' | 'HALF', state: ClaimState): string[] {
  const half = kind === 'HALF' ? ['0.500000'] : []
  if (state !== 'paid') return half
  return kind === 'HALF' ? [...half, '0.500000'] : ['1.000000']
}

const CASES = STATES.flatMap((state) =>
  (Object.keys(EXITS) as Exit[]).map((exit) => ({ ...state, exit, after: state.becomes[exit] })),
)

test.each(CASES)('$name, then $exit: $after, and no part becomes due twice', async (given) => {
  await claim(world, holder, given.kind)
  clock.advanceMs(2 * DAY_MS)
  if (given.by !== undefined) await EXITS[given.by]()
  await EXITS[given.exit]()
  expect((await row()).state).toBe(given.after)
  await EXITS[given.exit]()
  expect((await row()).state).toBe(given.after)
  const payouts = await everything(world.db)
    .selectFrom('payout')
    .select('amount')
    .orderBy('id')
    .execute()
  const due = dueOf(given.kind, given.after).map((text) => parseAmount('DCT', text, 6))
  expect(payouts.map(({ amount }) => amount)).toEqual(due)
  await expectBooksToBalance(world)
})
