import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import type { HistoryItem } from '@dct/api-contract/history'
import { formatAmount } from '@dct/money'
import { formatPercentage } from '@dct/rules/percentages'
import { hexOf } from '../../chain/index.ts'
import type { HistoryPlace, HistoryRow } from './history.queries.ts'

/** An item as shown to its holder. */
export function describeItem(row: HistoryRow, dctDecimals: number): HistoryItem {
  const { asset, amount, tx_hash } = row
  const chain = asset === 'DCT' ? 'TRON' : 'BSC'
  return {
    at: row.at.toISOString(),
    kind: row.kind,
    direction: row.direction,
    asset,
    amount:
      asset === null || amount === null
        ? null
        : formatAmount(asset, amount, asset === 'DCT' ? dctDecimals : undefined),
    earning_plan_code: row.plan_code,
    first_day: row.first_day,
    last_day: row.last_day,
    days: row.days === null ? null : Number(row.days),
    code_claim: row.code_claim,
    claim_type: row.claim_type,
    bonus_type: row.bonus_type,
    percentage: row.rate_bps === null ? null : formatPercentage(BigInt(row.rate_bps)),
    reason: row.kind === 'join_failed' ? ERRORS[row.reason as ErrorCode].message : row.reason,
    chain: tx_hash === null ? null : chain,
    tx_hash: tx_hash === null ? null : chain === 'TRON' ? tx_hash.toString('hex') : hexOf(tx_hash),
    id: formatPlace(row),
  }
}

/** A position in a history as the parameter that requests the page after it. */
export function formatPlace({ at, source, id }: HistoryPlace): string {
  return `${at.getTime()}-${source}-${id}`
}

/** The inverse of `formatPlace`; the request's schema has validated the text. */
export function readPlace(text: string): HistoryPlace {
  const [at, source, id] = text.split('-')
  return { at: new Date(Number(at)), source: Number(source), id: BigInt(id ?? 0) }
}
