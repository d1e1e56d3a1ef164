import type { EarningPlan } from '@dct/api-contract/plans'
import { formatUnits } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { CLAIM_KINDS, type ClaimKind } from '@dct/rules/fees'
import type { ReactNode } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import type { Money, Outcome } from './calculator.ts'
import { joinTexts } from './join-plan.texts.ts'
import { type Calculation, useCalculation } from './use-calculator.ts'

const USDT_DECIMALS = 18

/** Shows, next to the amount and before joining, what the join yields, what it costs and what can go wrong. */
export function JoinCalculator({
  plan,
  amount,
}: {
  plan: EarningPlan | undefined
  amount: string
}) {
  const text = useTexts(joinTexts)
  const calculation = useCalculation(plan, amount)
  return (
    <section className="join-calculator" aria-labelledby="join-calculator-title">
      <h3 id="join-calculator-title">{text('calcTitle')}</h3>
      {calculation && plan ? (
        <Figures calculation={calculation} cycles={plan.duration_days} />
      ) : (
        <p className="soft small">{text('calcEnter')}</p>
      )}
      <Risks />
    </section>
  )
}

function Figures({ calculation, cycles }: { calculation: Calculation; cycles: number }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, graceCycles } = calculation
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  return (
    <>
      <dl className="join-calculator__figures">
        <Figure name={text('calcDaily')}>
          <Amount value={dct(outcome.dailyReward)} unit="DCT" />
        </Figure>
        <Figure name={text('calcReward', { cycles })}>
          <Amount value={dct(outcome.reward)} unit="DCT" />
        </Figure>
        {outcome.money && <MoneyFigures calculation={calculation} money={outcome.money} />}
        <Figure name={text('calcCapital', { amount: dct(calculation.amount) })}>
          <DateTime value={outcome.capitalReturns} />
        </Figure>
      </dl>
      {!outcome.money && <Notice tone="warn">{text('calcNoPrice')}</Notice>}
      <Methods calculation={calculation} />
      {outcome.money && outcome.money.net < 0n && <Notice tone="warn">{text('calcLoss')}</Notice>}
      <ul className="join-calculator__notes">
        <li>
          {text('calcFreeze', {
            cycles: outcome.freezeAfter,
            grace: graceCycles,
            daily: dct(outcome.dailyReward),
          })}{' '}
          {outcome.neverClaimed.lost > 0n &&
            text('calcNever', {
              credited: dct(outcome.neverClaimed.credited),
              lost: dct(outcome.neverClaimed.lost),
            })}
        </li>
        <BreakEven outcome={outcome} />
      </ul>
    </>
  )
}

function MoneyFigures({ calculation, money }: { calculation: Calculation; money: Money }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, price, energyFee } = calculation
  const claimed = formatUnits(outcome.oneClaim.claimed, dctDecimals)
  const usdt = (base: bigint) => formatUnits(base, USDT_DECIMALS)
  const why = text('calcFeeWhy', { price: price ?? '', energy: energyFee })
  return (
    <>
      <Figure name={text('calcFee', { claimed })} note={why}>
        <Amount value={usdt(money.feePerClaim)} unit="USDT" />
      </Figure>
      <Figure name={text('calcFees', { claims: outcome.claims })}>
        <Amount value={usdt(money.fees)} unit="USDT" />
      </Figure>
      <Figure
        name={text('calcNet')}
        note={text('calcValue', { value: toFixedDecimal(usdt(money.value), 6) ?? '' })}
      >
        <Amount value={usdt(money.net)} unit="USDT" />
      </Figure>
      <Figure name={text('calcNetDct')}>
        <Amount value={formatUnits(money.netDct, dctDecimals)} unit="DCT" />
      </Figure>
    </>
  )
}

/** One claim, compared for each claim type. */
function Methods({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals } = calculation
  const { claimed, parts } = outcome.oneClaim
  const fee = outcome.money && formatUnits(outcome.money.feePerClaim, USDT_DECIMALS)
  const dct = (base: bigint) => <Amount value={formatUnits(base, dctDecimals)} unit="DCT" />
  const rows = [
    { name: text('calcAtOnce'), cell: (kind: ClaimKind) => dct(parts[kind].now) },
    { name: text('calcAfterFee'), cell: (kind: ClaimKind) => dct(parts[kind].later) },
    { name: text('calcFeeShort'), cell: () => <Amount value={fee} unit="USDT" /> },
  ]
  return (
    <table className="join-calculator__methods">
      <caption>{text('calcMethods', { claimed: formatUnits(claimed, dctDecimals) })}</caption>
      <thead>
        <tr>
          <td />
          {CLAIM_KINDS.map((kind) => (
            <th key={kind} scope="col">
              {kind}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cell }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {CLAIM_KINDS.map((kind) => (
              <td key={kind}>{cell(kind)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function BreakEven({ outcome }: { outcome: Outcome }) {
  const text = useTexts(joinTexts)
  const breakEven = outcome.money?.breakEven
  if (breakEven === undefined) return null
  return <li>{text('calcBreakEven', { price: formatUnits(breakEven, PRICE_DECIMALS) })}</li>
}

function Figure(props: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        {props.children}
        {props.note && <span className="join-calculator__note">{props.note}</span>}
      </dd>
    </div>
  )
}

function Risks() {
  const text = useTexts(joinTexts)
  return (
    <div className="join-calculator__risks">
      <h4>{text('calcRisks')}</h4>
      <p className="small">{text('calcRisksText')}</p>
    </div>
  )
}
