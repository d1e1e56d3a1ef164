import type { Earning } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Fact } from '../../shared/ui/fact.tsx'
import { earningsTexts } from './my-earnings.texts.ts'

/** Counting cycles since the last claim, out of those at which the earning freezes. */
export function ClaimCount({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const isNear = earning.freeze_warning !== null
  return (
    <Fact
      term={text('claimCount')}
      hint={text('claimCountHint')}
      {...(isNear && { tone: 'warn' as const })}
    >
      {earning.reward_distribution_count} / {earning.freeze_limit}
    </Fact>
  )
}
