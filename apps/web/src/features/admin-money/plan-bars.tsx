import type { MoneyReply } from '@dct/api-contract/operations'
import type { CSSProperties } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { moneyTexts } from './admin-money.texts.ts'
import './admin-money.css'

type PlanPosition = MoneyReply['dct']['plans'][number]

/** What became of each plan's funds, one bar a plan. */
export function PlanBars({ plans }: { plans: readonly PlanPosition[] }) {
  return (
    <div className="plan-bars">
      {plans.map((plan) => (
        <PlanBar key={plan.plan_code} plan={plan} />
      ))}
    </div>
  )
}

function PlanBar({ plan }: { plan: PlanPosition }) {
  const text = useTexts(moneyTexts)
  const parts = [
    { name: 'paid', amount: plan.paid },
    { name: 'reserved', amount: plan.owed },
    { name: 'free', amount: plan.free },
    ...(Number(plan.lapsed) > 0 ? [{ name: 'lapsed', amount: plan.lapsed } as const] : []),
  ] as const
  return (
    <article className="plan-bar" aria-label={plan.plan_code}>
      <div className="plan-bar__head">
        <h3>{plan.plan_code}</h3>
        <span>
          <span className="soft small">{text('funded')} </span>
          <Amount value={plan.funded} unit="DCT" />
        </span>
      </div>
      <div className="plan-bar__track" aria-hidden="true">
        {parts
          .filter(({ amount }) => Number(amount) > 0)
          .map(({ name, amount }) => (
            <span
              key={name}
              className="plan-bar__part"
              data-part={name}
              style={{ '--share': Number(amount) } as CSSProperties}
            />
          ))}
      </div>
      <dl className="plan-bar__parts">
        {parts.map(({ name, amount }) => (
          <div key={name} data-part={name}>
            <dt>{text(name)}</dt>
            <dd>
              <Amount value={amount} unit="DCT" />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  )
}
