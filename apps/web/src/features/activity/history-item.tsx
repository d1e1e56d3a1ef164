import type { HistoryItem } from '@dct/api-contract/history'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { historyTexts } from './history.texts.ts'

type Text = Translate<(typeof historyTexts)['english']>

/** One event: what happened, when, for which plan, how much, and its transaction. */
export function HistoryEntry({ item }: { item: HistoryItem }) {
  const text = useTexts(historyTexts)
  const { chain, tx_hash, code_claim, claim_type } = item
  return (
    <li className="history__item">
      <p className="history__what">{whatHappened(item, text)}</p>
      <p className="history__amount">
        <SignedAmount item={item} />
      </p>
      <p className="history__facts soft small">
        <When item={item} />
        {item.earning_plan_code !== null && <span>{item.earning_plan_code}</span>}
        {code_claim !== null && claim_type !== null && (
          <span>{text('claimCode', { code: code_claim, type: claim_type })}</span>
        )}
        {item.reason !== null && <span>{text('reason', { reason: item.reason })}</span>}
        {chain !== null && tx_hash !== null && (
          <span>
            {text('transaction')}{' '}
            <ExplorerValue
              chain={chain === 'TRON' ? 'tron' : 'bsc'}
              kind="transaction"
              value={tx_hash}
            />
          </span>
        )}
      </p>
    </li>
  )
}

/** An amount with a plus if it entered the holder's wallets, a minus if it left them, and no sign otherwise. */
function SignedAmount({ item: { asset, amount, direction } }: { item: HistoryItem }) {
  const text = useTexts(historyTexts)
  if (asset === null || amount === null) return null
  return (
    <>
      {direction !== null && (
        <>
          <span className="visually-hidden">{text(direction === 'in' ? 'received' : 'sent')} </span>
          <span aria-hidden="true">{direction === 'in' ? '+' : '−'}</span>
        </>
      )}
      <Amount value={amount} unit={asset} decimals="all" />
    </>
  )
}

/** The days for rewards, the instant for everything else. */
function When({ item: { at, first_day, last_day } }: { item: HistoryItem }) {
  if (last_day === null) return <DateTime value={at} />
  return (
    <span>
      {first_day !== last_day && (
        <>
          <DateTime value={first_day} /> –{' '}
        </>
      )}
      <DateTime value={last_day} />
    </span>
  )
}

function whatHappened(item: HistoryItem, text: Text): string {
  const { kind } = item
  switch (kind) {
    case 'reward':
    case 'reward_lapsed':
      return text(kind, { days: item.days ?? 1 })
    case 'percentage_changed':
      return text(kind, { percentage: shownPercentage(item.percentage ?? undefined) })
    case 'referral_reward':
    case 'referral_claim_made':
    case 'referral_claim_approved':
    case 'referral_claim_declined':
    case 'referral_claim_returned':
    case 'referral_claim_paid':
      return text(kind, { bonus: text(item.bonus_type === 'non-direct' ? 'nonDirect' : 'direct') })
    default:
      return text(kind)
  }
}
