import { clock } from '../../shared/clock.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { TX_WAIT_MS } from '../../shared/tx/tx-stage.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { joinTexts } from './join-plan.texts.ts'

type InProgressCalloutProps = {
  hash: string
  plan: string
  amount: string
  /** When the countdown ends, in milliseconds since 1970. */
  deadline: number
}

/** Shown on the page until the outcome of a sent lock is known. */
export function InProgressCallout({ hash, plan, amount, deadline }: InProgressCalloutProps) {
  const text = useTexts(joinTexts)
  const isLate = deadline <= clock.now().getTime()
  return (
    <Callout role="status">
      <p>
        {isLate
          ? text('inProgressLate', { plan, amount, seconds: TX_WAIT_MS / 1_000 })
          : text('inProgress', { plan, amount })}
      </p>
      <p>
        <ExplorerValue chain="tron" kind="transaction" value={hash} />
      </p>
    </Callout>
  )
}
