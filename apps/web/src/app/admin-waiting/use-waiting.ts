import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { SendersReply } from '@dct/api-contract/payouts'
import type { PriceReply } from '@dct/api-contract/pricing'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { claimPoolQueries } from '../../features/admin-claim-pool/claim-pool.api.ts'
import { healthQueries } from '../../features/admin-health/admin-health.api.ts'
import { moneyQueries } from '../../features/admin-money/admin-money.api.ts'
import { paymentQueries } from '../../features/admin-payments/admin-payments.api.ts'
import { payoutQueries } from '../../features/admin-payouts/admin-payouts.api.ts'
import { priceQueries } from '../../features/admin-price/admin-price.api.ts'
import { proposalsQuery } from '../../features/admin-proposals/proposals.api.ts'
import { firstPage } from '../../shared/api/wire.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'

/** A price that expires within this time should be renewed now. */
const PRICE_SOON_MS = 6 * 60 * 60 * 1000

/** Everything that can await an admin, most urgent first, with the page where it is handled. */
export const WAITING_PLACES = {
  alarms: '/admin/control?tab=health',
  payouts: '/admin/operations?tab=payouts',
  funds: '/admin/control',
  price: '/admin/control?tab=price',
  payments: '/admin/operations',
  directClaims: '/admin/referral-claim-pool',
  nonDirectClaims: '/admin/referral-claim-pool?tab=non-direct',
  approvals: '/admin/operations?tab=approvals',
} as const
export type WaitingKind = keyof typeof WAITING_PLACES
/** The number of pending items of each kind: undefined while loading, null if it could not be determined. */
export type Waiting = Record<WaitingKind, number | undefined | null>

export function useWaiting(): Waiting {
  const now = useBusinessNow()
  const pool = useQuery(
    claimPoolQueries.list({ ...firstPage(LIST_ORDERS.claimPool), bonus_type: 'direct bonus' }),
  )
  const approvals = useQuery(proposalsQuery)
  const payments = useQuery(
    paymentQueries.list({ ...firstPage(LIST_ORDERS.unmatchedPayments), state: 'unmatched' }),
  )
  const senders = useQuery(payoutQueries.senders)
  const calls = useQuery(payoutQueries.calls)
  const alarms = useQuery(healthQueries.alarms)
  const price = useQuery(priceQueries.price)
  const money = useQuery(moneyQueries.now)
  const heldCalls = countOf(
    calls,
    ({ operator_calls }) => operator_calls.filter(({ failures }) => failures > 0).length,
  )
  const heldPayouts = countOf(senders, countHeld)
  return {
    alarms: countOf(alarms, ({ length }) => length),
    payouts: sumOf(heldPayouts, heldCalls),
    funds: countOf(money, ({ warnings }) => warnings.length),
    price: countOf(price, (present) => (isPriceFine(present, now) ? 0 : 1)),
    payments: countOf(payments, ({ total }) => total),
    directClaims: countOf(pool, ({ unapproved }) => unapproved['direct bonus']),
    nonDirectClaims: countOf(pool, ({ unapproved }) => unapproved['non-direct']),
    approvals: countOf(approvals, (all) => all.filter(({ is_mine }) => !is_mine).length),
  }
}

type Count = number | undefined | null

function countOf<T>({ data, isError }: UseQueryResult<T>, count: (data: T) => number): Count {
  if (data !== undefined) return count(data)
  return isError ? null : undefined
}

function sumOf(left: Count, right: Count): Count {
  if (left === null || right === null) return null
  return left === undefined || right === undefined ? undefined : left + right
}

/** Counts held payouts. */
function countHeld({ senders }: SendersReply): number {
  return senders.reduce((sum, { held }) => sum + held, 0)
}

function isPriceFine({ is_current, expires_at }: PriceReply, now: Date): boolean {
  if (!is_current || expires_at === null) return is_current
  return new Date(expires_at).getTime() - now.getTime() > PRICE_SOON_MS
}
