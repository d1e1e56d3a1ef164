import type { PlanReserves } from '@dct/api-contract/statements'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { transparencyTexts } from './transparency.texts.ts'
import '../../shared/ui/data-table.css'
import '../../shared/ui/wide-table.css'

/** Each plan's means and what they are promised to. */
export function PlanReservesTable({ plans }: { plans: readonly PlanReserves[] }) {
  const text = useTexts(transparencyTexts)
  if (plans.length === 0) return <p>{text('noPlans')}</p>
  const names = {
    plan: text('plan'),
    funded: text('funded'),
    reserved: text('reserved'),
    paid: text('paid'),
    free: text('free'),
    promised: text('promised'),
    locked: text('planLocked'),
    stakes: text('planStakes'),
  }
  return (
    <div className="data-table">
      <div className="data-table__scroll">
        <table>
          <caption className="visually-hidden">{text('plansTitle')}</caption>
          <thead>
            <tr>
              {Object.entries(names).map(([id, name]) => (
                <th key={id} scope="col" data-align={id === 'plan' ? undefined : 'end'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <PlanRow key={plan.plan_code} plan={plan} names={names} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type RowProps = { plan: PlanReserves; names: Readonly<Record<string, string>> }

function PlanRow({ plan, names }: RowProps) {
  const text = useTexts(transparencyTexts)
  const { on_chain: chain, booked } = plan
  const { future, unclaimed, claimed, total } = booked.promised
  return (
    <tr className="data-table__row">
      <td data-label={names.plan}>{plan.plan_code}</td>
      {(['funded', 'reserved', 'paid', 'free'] as const).map((figure) => (
        <td key={figure} data-label={names[figure]} data-align="end">
          <Amount value={chain?.[figure]} unit="DCT" />
        </td>
      ))}
      <td data-label={names.promised} data-align="end">
        <Amount value={total} unit="DCT" />
        <p className="soft small">{text('promisedParts', { future, unclaimed, claimed })}</p>
      </td>
      <td data-label={names.locked} data-align="end">
        <Amount value={booked.locked} unit="DCT" />
      </td>
      <td data-label={names.stakes} data-align="end">
        {booked.stakes}
      </td>
    </tr>
  )
}
