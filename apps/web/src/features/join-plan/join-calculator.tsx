import { DECIMALS, formatUnits } from '@dct/money'
import { CLAIM_FEE_BPS, CLAIM_MIN_DCT, PRICE_DECIMALS } from '@dct/rules/constants'
import { CLAIM_KINDS, type ClaimKind } from '@dct/rules/fees'
import { formatPercentage } from '@dct/rules/percentages'
import type { ReactNode } from 'react'
import { Term } from '../../shared/glossary/term.tsx'
import type { Word } from '../../shared/glossary/word.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { sixOrMore } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import type { Money, Outcome } from './calculator.ts'
import { joinTexts } from './join-plan.texts.ts'
import type { Calculation } from './use-calculator.ts'

const feePercentage = () => shownPercentage(formatPercentage(CLAIM_FEE_BPS))

/** What the holder keeps, what it takes, and until when; with a warning if the time to claim will be short. */
export function KeyFigures({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, cycles } = calculation
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  const { money } = outcome
  return (
    <div className="stack stack--tight" aria-live="polite">
      <dl className="join-calculator__figures">
        {money && (
          <Figure name={text('calcKeep')} isMain>
            <Amount value={dct(money.netDct)} unit="DCT" />
          </Figure>
        )}
        <Figure name={text('calcReward', { cycles })} word="reward">
          <Amount value={dct(outcome.reward)} unit="DCT" />
        </Figure>
        {money && (
          <Figure name={text('calcFees')} word="fee">
            <Amount value={usdt(money.fees)} unit="USDT" />
          </Figure>
        )}
        <Figure name={text('calcLocked')}>
          <DateTime value={outcome.capitalReturns} />
        </Figure>
        <Figure name={text('calcEvery')} word="claim">
          <span>{text('calcEveryDays', { days: outcome.freezeAfter })}</span>
        </Figure>
      </dl>
      <ShortTime calculation={calculation} />
    </div>
  )
}

/** That the minimum claim is reached only shortly before the freeze, or on that very day. */
export function ShortTime({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { from, days, time } = calculation.outcome.firstClaim
  if (time === 'enough') return null
  const facts = { from: shownDate(from), days, minimum: CLAIM_MIN_DCT }
  return <Callout tone="warn">{text(time === 'short' ? 'calcShort' : 'calcGrace', facts)}</Callout>
}

/** What all claims cost, both claim types, and what can go wrong; folded below the button. */
export function JoinDetails({ calculation }: { calculation: Calculation | undefined }) {
  const text = useTexts(joinTexts)
  return (
    <details className="join-calculator">
      <summary>{text('calcTitle')}</summary>
      <div className="join-calculator__details">
        {calculation ? (
          <Details calculation={calculation} />
        ) : (
          <p className="soft small">{text('calcEnter')}</p>
        )}
        <p className="small">{text('calcRisksText')}</p>
      </div>
    </details>
  )
}

function Details({ calculation }: { calculation: Calculation }) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, cycles, graceCycles } = calculation
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  const { from, before } = outcome.firstClaim
  return (
    <>
      <dl className="join-calculator__figures">
        <Figure name={text('calcDaily')} word="cycle">
          <Amount value={dct(outcome.dailyReward)} unit="DCT" />
        </Figure>
        <Figure name={text('calcFirst')}>
          <span>
            {text('calcFirstDays', {
              from: shownDate(from),
              until: shownDate(lastDayBefore(before)),
            })}
          </span>
        </Figure>
        {outcome.money && (
          <MoneyFigures calculation={calculation} money={outcome.money} cycles={cycles} />
        )}
      </dl>
      {!outcome.money && (
        <Callout tone="warn">{text('calcNoPrice', { percentage: feePercentage() })}</Callout>
      )}
      <Methods calculation={calculation} />
      {outcome.money && outcome.money.net < 0n && <Callout tone="warn">{text('calcLoss')}</Callout>}
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

type MoneyFiguresProps = { calculation: Calculation; money: Money; cycles: number }

function MoneyFigures({ calculation, money, cycles }: MoneyFiguresProps) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, price, energyFee } = calculation
  const claimed = formatUnits(outcome.oneClaim.claimed, dctDecimals)
  const why = text('calcFeeWhy', {
    ...{ percentage: feePercentage(), price: sixOrMore(price ?? ''), energy: energyFee },
  })
  return (
    <>
      <Figure
        name={text('calcFee', { claimed, cycles: Math.min(outcome.freezeAfter, cycles) })}
        note={why}
      >
        <Amount value={usdt(money.feePerClaim)} unit="USDT" />
      </Figure>
      <Figure name={text('calcClaims')}>
        <span>{outcome.claims}</span>
      </Figure>
      <Figure name={text('calcNet')} note={text('calcValue', { value: usdt(money.value) })}>
        <Amount value={usdt(money.net)} unit="USDT" />
      </Figure>
    </>
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
  return (
    <li>{text('calcBreakEven', { price: sixOrMore(formatUnits(breakEven, PRICE_DECIMALS)) })}</li>
  )
}

type FigureProps = {
  name: string
  word?: Word
  note?: string
  /** The one figure that matters most. */
  isMain?: boolean
  children: ReactNode
}

/** One line of a calculation: its name, the figure, and how the figure comes about. */
export function Figure({ name, word, note, isMain = false, children }: FigureProps) {
  return (
    <div data-main={isMain}>
      <dt>{word ? <Term word={word}>{name}</Term> : name}</dt>
      <dd>
        {children}
        {note && <span className="join-calculator__note">{note}</span>}
      </dd>
    </div>
  )
}
