import { Link } from 'react-router'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/fixed-decimal.ts'
import { loginTexts } from './login.texts.ts'
import './before-you-start.css'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'

/** What a newcomer should know, including costs and obligations, in this installation's own figures. */
export function BeforeYouStart() {
  const text = useTexts(loginTexts)
  const config = usePublicConfig()
  if (!config) return null
  const { limits, rates } = config
  const plain = (amount: string) => toFixedDecimal(amount, 2)?.replace(/\.00$/, '') ?? amount
  const facts = [
    {
      name: text('lockName'),
      text: text('lockText', {
        minimum: plain(limits.join_minimum),
        maximum: plain(limits.join_maximum),
      }),
    },
    { name: text('earnName'), text: text('earnText') },
    { name: text('claimName'), text: text('claimText', { cycles: limits.freeze_after_cycles }) },
    {
      name: text('costName'),
      text: text('costText', {
        percentage: shownPercentage(rates.claim_fee_percentage),
        energy: plain(config.energy_fee_usdt),
      }),
    },
  ]
  return (
    <aside className="before" aria-label={text('beforeTitle')}>
      <h2 className="before__title">{text('beforeTitle')}</h2>
      <dl className="before__facts">
        {facts.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.text}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link className="small" to="/questions#begin">
          {text('askBegin')}
        </Link>
      </p>
    </aside>
  )
}
