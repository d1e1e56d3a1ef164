import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { ClaimCard } from './claim-card.tsx'
import { ClaimDialog } from './claim-dialog.tsx'
import { claimProblem } from './claim-problem.ts'
import { CLAIM_REFUSALS, CLAIM_WORDING, claimTexts } from './claims.texts.ts'
import './claim-panel.css'

/** What can be claimed, plan by plan. */
export function ClaimPanel() {
  const text = useTexts(claimTexts)
  const claimable = useQuery(claimableQuery)
  const [chosen, setChosen] = useState<{ planCode: string; type: ClaimType }>()
  useErrorToast(claimable.error, CLAIM_WORDING.listFailed)

  if (claimable.data === undefined) {
    return <NotLoaded query={claimable}>{text('listFailed')}</NotLoaded>
  }
  const choose = (reward: ClaimableReward, type: ClaimType) => {
    const problem = claimProblem(reward)
    if (problem === undefined) setChosen({ planCode: reward.earning_plan_code, type })
    else toast.warning(problem)
  }
  const rewards = claimable.data
  return (
    <>
      <StaleCallout query={claimable} />
      {rewards.length === 0 && <p className="panel empty">{CLAIM_REFUSALS.empty}</p>}
      <ul className="claims">
        {rewards.map((reward) => (
          <li key={reward.earning_plan_code}>
            <ClaimCard
              reward={reward}
              isStale={claimable.isRefetchError}
              onClaim={(type) => choose(reward, type)}
            />
          </li>
        ))}
      </ul>
      {chosen && (
        <ClaimDialog
          planCode={chosen.planCode}
          type={chosen.type}
          // The figures may have changed since the dialog was opened; always show the current ones.
          reward={rewards.find(({ earning_plan_code }) => earning_plan_code === chosen.planCode)}
          isStale={claimable.isRefetchError}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}
