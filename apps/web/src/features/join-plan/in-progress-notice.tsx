import { clock } from '../../shared/clock.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { joinTexts } from './join-plan.texts.ts'

type InProgressNoticeProps = {
  hash: string
  plan: string
  amount: string
  /** When its countdown ends, in milliseconds since 1970. */
  deadline: number
}

/** Stands on the page for as long as a lock that was sent is not decided. */
export function InProgressNotice({ hash, plan, amount, deadline }: InProgressNoticeProps) {
  const text = useTexts(joinTexts)
  const isLate = deadline <= clock.now().getTime()
  return (
    <Notice role="status">
      <p>{text(isLate ? 'inProgressLate' : 'inProgress', { plan, amount })}</p>
      <p>
        <ExplorerValue chain="tron" kind="transaction" value={hash} />
      </p>
    </Notice>
  )
}
