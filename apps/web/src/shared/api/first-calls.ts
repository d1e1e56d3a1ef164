import { LIST_ORDERS } from '@dct/api-contract/lists'
import { callAddress } from './call-address.ts'
import { firstPage, type ListQuery } from './wire.ts'

/** The first page of earnings; shared by the panel and everything that depends on it, so that they use one query. */
export const FIRST_EARNINGS = firstPage(LIST_ORDERS.earnings)

/** The query for fees that are waiting for a payment, shared by every screen that shows them. */
export const OPEN_FEES: ListQuery & { is_paid: false } = {
  ...firstPage(LIST_ORDERS.pendingFees),
  is_paid: false,
}

/** The query for the first page of paid fees. */
export const PAID_FEES: ListQuery & { is_paid: true } = {
  ...firstPage(LIST_ORDERS.pendingFees),
  is_paid: true,
}

/** The URLs that a page requests while its code is still loading. */
type FirstCalls = {
  /** Requested for every user and visitor. */
  open: readonly string[]
  /** Returns the signed-in user. */
  session: string
  /** Requested only for a signed-in holder. */
  own: readonly string[]
}

const EVERYWHERE: FirstCalls = {
  open: [callAddress('/config')],
  session: callAddress('/auth/me'),
  own: [],
}
const DASHBOARD: FirstCalls = {
  ...EVERYWHERE,
  own: [
    callAddress('/user/earnings', FIRST_EARNINGS),
    callAddress('/user/claimable-reward'),
    callAddress('/user/get-claimed-rewards'),
    callAddress('/user/pending-claim-fees', OPEN_FEES),
    callAddress('/user/pending-claim-fees', PAID_FEES),
  ],
}

/**
 * The first requests of the page at this path. The page's own requests must match these URLs exactly.
 *
 * @public the build writes them into the pages
 */
export function firstCallsOf(path: string): FirstCalls {
  return path === '/dashboard' ? DASHBOARD : EVERYWHERE
}
