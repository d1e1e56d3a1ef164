import type { PlanReserves } from '@dct/api-contract/reports'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { transparencyTexts } from './transparency.texts.ts'
import '../../shared/ui/wide-table.css'
import './transparency.css'

const ON_CHAIN = ['funded', 'reserved', 'paid', 'free'] as const

/** Each plan's funds and what they are committed to. */
export function PlanReservesTable({ plans }: { plans: readonly PlanReserves[] }) {
  const text = useTexts(transparencyTexts)
  if (plans.length === 0) return <p>{text('noPlans')}</p>
  const figures = [...ON_CHAIN, 'promised', 'planLocked', 'planStakes'] as const
  return (
    <PlainTable
      caption={text('plansTitle')}
      columns={[
        { header: text('plan') },
        ...figures.map((figure) => ({ header: text(figure), align: 'end' as const })),
      ]}
      rows={plans.map(({ plan_code: code, on_chain: chain, booked }) => ({
        key: code,
        cells: [
          <strong key="plan" className="plan-reserves__code">
            {code}
          </strong>,
          ...ON_CHAIN.map((figure) => <Amount key={figure} value={chain?.[figure]} unit="DCT" />),
          <Promised key="promised" promised={booked.promised} />,
          <Amount key="locked" value={booked.locked} unit="DCT" />,
          booked.stakes,
        ],
      }))}
    />
  )
}

function Promised({ promised }: Pick<PlanReserves['booked'], 'promised'>) {
  const text = useTexts(transparencyTexts)
  const { total, future, unclaimed, claimed } = promised
  return (
    <div>
      <Amount value={total} unit="DCT" />
      <p className="soft small">{text('promisedParts', { future, unclaimed, claimed })}</p>
    </div>
  )
}
