import type { MoneyStep } from '@dct/rules/money-steps'
import { useTexts } from '../i18n/texts.ts'
import { shownDate } from '../lib/date.ts'
import { Callout } from '../ui/callout.tsx'
import { ExplorerValue } from '../ui/explorer-value.tsx'
import { stepTexts } from './money-step.texts.ts'

type StepsProps = { chain: 'tron' | 'bsc'; steps: readonly MoneyStep[] }

/** What may still be under way, one line for each asking. */
export function StepLines({ chain, steps }: StepsProps) {
  const text = useTexts(stepTexts)
  return steps.map(({ attempt, askedAt, state, hash }) => (
    <div key={attempt} className="stack stack--tight">
      <p>{text(state, { time: shownDate(new Date(askedAt).toISOString()) })}</p>
      {hash !== null && (
        <p>
          <ExplorerValue chain={chain} kind="transaction" value={hash} />
        </p>
      )}
    </div>
  ))
}

/** Says on the page that something may still be under way, before anybody presses again. */
export function StepCallout({ chain, steps }: StepsProps) {
  if (steps.length === 0) return null
  return (
    <Callout tone="warn" role="status">
      <StepLines chain={chain} steps={steps} />
    </Callout>
  )
}

type StepQuestionProps = StepsProps & {
  mayConfirm: boolean
  /** The button that asks the wallet all the same. */
  confirm: string
  onConfirm(known: string[]): void
  onLeave(): void
}

/** Stands in place of the button that was pressed: asking a wallet again takes a decision of its own. */
export function StepQuestion(props: StepQuestionProps) {
  const { chain, steps, mayConfirm, confirm, onConfirm, onLeave } = props
  const text = useTexts(stepTexts)
  return (
    <Callout tone="warn" role="alert">
      <StepLines chain={chain} steps={steps} />
      <p>{text(mayConfirm ? 'checkFirst' : 'notNow')}</p>
      <p className="row">
        <button type="button" className="button" onClick={onLeave}>
          {text(mayConfirm ? 'leave' : 'understood')}
        </button>
        {mayConfirm && (
          <button
            type="button"
            className="button button--quiet"
            onClick={() => onConfirm(steps.map(({ attempt }) => attempt))}
          >
            {confirm}
          </button>
        )}
      </p>
    </Callout>
  )
}
