import { DECIMALS, formatUnits } from '@dct/money'
import { CLAIM_FEE_BPS, CLAIM_MIN_DCT, PRICE_DECIMALS } from '@dct/rules/constants'
import { CLAIM_KINDS, type ClaimKind } from '@dct/rules/fees'
import { formatPercentage } from '@dct/rules/percentages'
import { type ReactNode, useState } from 'react'
import { Term } from '../../shared/glossary/term.tsx'
import type { Word } from '../../shared/glossary/word.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import type { Money, Outcome } from './calculator.ts'
import { joinTexts } from './join-plan.texts.ts'
import type { Calculation } from './use-calculator.ts'

const FEE_PERCENTAGE = formatPercentage(CLAIM_FEE_BPS)

/** The key figures, between the amount and the button, with a warning if the time to claim will be short. */
export function KeyFigures({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, cycles } = calculation
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  const { from, before, days, time } = outcome.firstClaim
  const window = {
    from: shownDate(from),
    before: shownDate(before),
    days,
    minimum: CLAIM_MIN_DCT,
  }
  const claimed = dct(outcome.oneClaim.claimed)
  return (
    <div className="stack" aria-live="polite">
      <dl className="join-calculator__figures">
        <Figure name={text('calcDaily')} word="cycle">
          <Amount value={dct(outcome.dailyReward)} unit="DCT" />
        </Figure>
        <Figure name={text('calcReward', { cycles })} word="reward">
          <Amount value={dct(outcome.reward)} unit="DCT" />
        </Figure>
        {outcome.money && (
          <Figure
            name={text('calcFee', { claimed, cycles: Math.min(outcome.freezeAfter, cycles) })}
            word="fee"
          >
            <Amount value={usdt(outcome.money.feePerClaim)} unit="USDT" />
          </Figure>
        )}
        <Figure name={text('calcFirst')} word="claim">
          <span>{text('calcFirstDays', window)}</span>
        </Figure>
        <Figure name={text('calcCapital', { amount: dct(calculation.amount) })} word="capital">
          <DateTime value={outcome.capitalReturns} />
        </Figure>
      </dl>
      {time !== 'enough' && (
        <Notice tone="warn">{text(time === 'short' ? 'calcShort' : 'calcGrace', window)}</Notice>
      )}
    </div>
  )
}

/** The width from which the details fit beside the form; the same as in the style sheet. */
const WIDE = '(min-width: 60rem)'

/**
 * What all claims cost, both claim types, and what can go wrong: expanded beside the form where there is room,
 * otherwise collapsed below the button.
 */
export function JoinDetails({ calculation }: { calculation: Calculation | undefined }) {
  const text = useTexts(joinTexts)
  const [isOpenAtFirst] = useState(() => window.matchMedia(WIDE).matches)
  return (
    <details className="join-calculator" open={isOpenAtFirst}>
      <summary>{text('calcTitle')}</summary>
      <div className="join-calculator__details">
        {calculation ? (
          <Details calculation={calculation} />
        ) : (
          <p className="soft small">{text('calcEnter')}</p>
        )}
        <Risks />
      </div>
    </details>
  )
}

function Details({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, graceCycles } = calculation
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  return (
    <>
      {outcome.money ? (
        <MoneyFigures calculation={calculation} money={outcome.money} />
      ) : (
        <Notice tone="warn">{text('calcNoPrice', { percentage: FEE_PERCENTAGE })}</Notice>
      )}
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
  const why = text('calcFeeWhy', {
    ...{ percentage: FEE_PERCENTAGE, price: price ?? '', energy: energyFee },
  })
  return (
    <dl className="join-calculator__figures">
      <Figure name={text('calcFees', { claims: outcome.claims })} note={why}>
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
    </dl>
  )
}

function usdt(base: bigint): string {
  return formatUnits(base, DECIMALS.USDT)
}

/** One claim, compared for each claim type. */
function Methods({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals } = calculation
  const { claimed, parts } = outcome.oneClaim
  const fee = outcome.money && usdt(outcome.money.feePerClaim)
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

type FigureProps = { name: string; word?: Word; note?: string; children: ReactNode }

/** One line of a calculation: its name, the figure, and how the figure comes about. */
export function Figure(props: FigureProps) {
  return (
    <div>
      <dt>{props.word ? <Term word={props.word}>{props.name}</Term> : props.name}</dt>
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
      <h3>{text('calcRisks')}</h3>
      <p className="small">{text('calcRisksText')}</p>
    </div>
  )
}
