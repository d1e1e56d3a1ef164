import type { DctPosition, MoneyReply } from '@dct/api-contract/operations'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { moneyTexts } from './admin-money.texts.ts'
import './admin-money.css'

type Position = DctPosition & { pool_on_chain: string | null }

/** The rows, in the order in which they add up; those with a hint are not clear from their names. */
const FIGURES = [
  ['promised', 'promised', 'promisedHint'],
  ['credited', 'credited', 'creditedHint'],
  ['awaiting_fee', 'awaitingFee'],
  ['awaiting_payout', 'awaitingPayout'],
  ['owed', 'owed'],
  ['free', 'free', 'freeHint'],
  ['lapsed', 'lapsed', 'lapsedHint'],
  ['pool_booked', 'poolBooked'],
  ['pool_on_chain', 'poolOnChain'],
  ['paid', 'paid', 'paidHint'],
] as const

/** What is owed to holders and what the pool has to cover it, in DCT: all plans, and each. */
export function PlanMatrix({
  dct,
  poolOnChain,
}: Pick<MoneyReply, 'dct'> & { poolOnChain: string | null }) {
  const text = useTexts(moneyTexts)
  const columns: readonly (readonly [string, Position])[] = [
    [text('allPlans'), { ...dct.total, pool_on_chain: poolOnChain }],
    ...dct.plans.map((plan) => [plan.plan_code, plan] as const),
  ]
  return (
    <div className="plan-matrix">
      <PlainTable
        hasRowNames
        caption={text('owedDct')}
        columns={[
          { header: text('figure') },
          ...columns.map(([header]) => ({ header, align: 'end' as const })),
        ]}
        rows={FIGURES.map(([key, name, hint]) => ({
          key,
          isSum: key === 'owed',
          cells: [
            <span key="name">
              {text(name)}
              {hint && <span className="soft small"> · {text(hint)}</span>}
            </span>,
            ...columns.map(([header, position]) => <Amount key={header} value={position[key]} />),
          ],
        }))}
      />
    </div>
  )
}
