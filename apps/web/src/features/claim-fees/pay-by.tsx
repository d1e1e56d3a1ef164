import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useQuery } from '@tanstack/react-query'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { feeTexts } from './claim-fees.texts.ts'
import { payDeadline } from './pay-deadline.ts'

/** By when a fee must be paid and what is lost otherwise: the nearer of its two deadlines. */
export function PayBy({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const earning = earnings?.find((one) => one.earning_plan_code === fee.earning_plan_code)
  const deadline = payDeadline(fee, earning, useGraceCycles())
  return <p className="soft small">{text(deadline.text, { day: shownDate(deadline.day) })}</p>
}
