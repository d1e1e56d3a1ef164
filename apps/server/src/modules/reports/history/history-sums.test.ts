import {
  HISTORY_KINDS,
  type HistoryItem,
  type HistoryKind,
  type HistoryReply,
} from '@dct/api-contract/history'
import { parseAmount } from '@dct/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../../testing/database.ts'
import {
  createHistoryWorld,
  HISTORY_TOUR,
  type HistoryWorld,
  type Holder,
  historySteps,
} from '../../../testing/random-histories.ts'
import { bearer, type TestUser } from '../../../testing/users.ts'
import { type Account, account, balanceOf } from '../../ledger/index.ts'

const database = useTestDatabase()
let histories: HistoryWorld

beforeAll(async () => {
  histories = await createHistoryWorld(database.db)
})
afterAll(() => histories.close())

async function historyOf(holder: TestUser, query = ''): Promise<HistoryReply> {
  const url = `/api/user/history?${query}`
  const answer = await histories.world.app.inject({ url, headers: bearer(holder) })
  expect([query, answer.statusCode, answer.body]).toEqual([query, 200, answer.body])
  return answer.json()
}

/** The whole history, page by page. */
async function readPages(holder: TestUser, query: string): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: HistoryReply = await historyOf(holder, `${query}${next && `&after=${next}`}`)
    items.push(...page.items)
    next = page.next
  }
  return items
}

const units = ({ asset, amount }: HistoryItem) =>
  asset === null ? 0n : parseAmount(asset, amount ?? '0')
const sumOf = (items: readonly HistoryItem[], ...kinds: HistoryKind[]) =>
  items.filter(({ kind }) => kinds.includes(kind)).reduce((sum, item) => sum + units(item), 0n)

/** What the books contain for a holder, and the same figures from the holder's history. */
async function compare({ id, plan }: Holder, items: readonly HistoryItem[]) {
  const sum = (...kinds: HistoryKind[]) => sumOf(items, ...kinds)
  const dct = (of: Account) => balanceOf(database.db, { asset: 'DCT', account: of })
  const usdt = (of: Account) => balanceOf(database.db, { asset: 'USDT', account: of })
  const claimed = sum('claim_made') - sum('claim_cancelled')
  return {
    books: {
      locked: await dct(account.principal(plan)),
      unclaimed: await dct(account.credited(plan)),
      lost: await dct(account.lapsed(plan)),
      paid: parseAmount('DCT', '10000') - (await dct(account.chainPool(plan))),
      referral:
        (await usdt(account.referralDirect(id))) + (await usdt(account.referralIndirect(id))),
    },
    history: {
      locked: sum('capital_locked') - sum('capital_returned'),
      unclaimed: sum('reward') - claimed - sum('reward_expired'),
      lost: sum('reward_lapsed', 'reward_expired', 'claim_lapsed'),
      paid: sum('reward_sent'),
      referral:
        sum('referral_reward') -
        sum('referral_claim_made') +
        sum('referral_claim_declined', 'referral_claim_returned'),
    },
  }
}

test('whatever happened, the sums of each history equal the ledger, however it is read', async () => {
  const kinds = new Set<HistoryKind>()
  await fc.assert(
    fc.asyncProperty(historySteps, fc.integer({ min: 1, max: 30 }), async (played, limit) => {
      const cast = await histories.givenCast()
      for (const step of played) await histories.play(cast, step)
      const all: HistoryItem[] = []
      for (const holder of cast.holders) {
        const items = await readPages(holder, `limit=${limit}`)
        all.push(...items)
        const { books, history } = await compare(holder, items)
        expect(history).toEqual(books)
        // Every page size, both directions, and months instead of days yield the same items.
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
        expect(items.map(({ at }) => at)).toEqual(
          items
            .map(({ at }) => at)
            .toSorted()
            .reverse(),
        )
        const upwards = await readPages(holder, 'limit=100&sort_order=asc')
        expect(upwards.toReversed()).toEqual(items)
        const monthly = await readPages(holder, `limit=${limit}&rewards=monthly`)
        expect((await compare(holder, monthly)).history).toEqual(books)
      }
      const usdt = (of: Account) => balanceOf(database.db, { asset: 'USDT', account: of })
      const unmatched = sumOf(all, 'payment_unmatched')
      expect(await usdt(account.feeReceiver)).toBe(sumOf(all, 'fee_paid') + unmatched)
      expect(await usdt(account.suspense)).toBe(unmatched - sumOf(all, 'payment_refunded'))
      for (const { kind } of all) kinds.add(kind)
    }),
    {
      numRuns: 5,
      seed: 15,
      examples: [[[...HISTORY_TOUR], 7]],
    },
  )
  const { account: _, capital, rewards, claims, referrals: shares } = HISTORY_KINDS
  const seldom = ['join_failed', 'referral_claim_returned']
  const common = [...capital, ...rewards, ...claims, ...shares].filter((k) => !seldom.includes(k))
  expect([...kinds]).toEqual(expect.arrayContaining(common))
})
