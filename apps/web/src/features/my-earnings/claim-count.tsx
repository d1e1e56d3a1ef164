import type { Earning } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Fact } from '../../shared/ui/fact.tsx'
import { earningsTexts } from './my-earnings.texts.ts'

/** Counted cycles since the last claim, out of the number at which the earning freezes. */
export function ClaimCount({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const { reward_distribution_count: count, freeze_limit: limit } = earning
  const isNear = earning.freeze_warning !== null
  const hint =
    count > limit
      ? text('claimCountOver', { count, limit, over: count - limit })
      : text('claimCountHint')
  return (
    <Fact
      term={text('claimCount')}
      word="cycle"
      hint={hint}
      {...(isNear && { tone: 'warn' as const })}
    >
      {count} / {limit}
    </Fact>
  )
}
