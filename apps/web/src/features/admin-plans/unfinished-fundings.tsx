import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { planTexts } from './admin-plans.texts.ts'
import { forgetFunding, fundingsOf } from './sent-fundings.ts'
import { useAddPlan } from './use-add-plan.ts'

/**
 * Rewards that were sent but have no plan yet, because the page was closed, the chain was slow or the service did not
 * answer.
 */
export function UnfinishedFundings() {
  const text = useTexts(planTexts)
  const owner = useSession().user?.tron_address ?? ''
  const { isWaiting, finish } = useAddPlan()
  const [looks, setLooks] = useState(0)
  const lookAgain = () => setLooks(looks + 1)
  return fundingsOf(owner).map(({ body }) => (
    <Callout key={body.tx_hash} tone="warn">
      <p>{text('unfinished', { plan: body.plan_code, amount: body.total_reward })}</p>
      <p>
        <ExplorerValue chain="tron" kind="transaction" value={body.tx_hash} />
      </p>
      <p className="row">
        <SmallButton aria-busy={isWaiting} onClick={() => void finish(body).then(lookAgain)}>
          {text('finish')}
        </SmallButton>
        <QuietButton
          onClick={() => {
            forgetFunding(body.tx_hash)
            lookAgain()
          }}
        >
          {text('dismiss')}
        </QuietButton>
      </p>
    </Callout>
  ))
}
