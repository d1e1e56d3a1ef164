import type { PayClaimFeeReply, PendingClaimFee } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, errorText } from '../../shared/api/api-error.ts'
import { checkTerms } from '../../shared/api/check-terms.ts'
import { api } from '../../shared/api/client.ts'
import { findOpenFee, pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { clock } from '../../shared/clock.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useOnce } from '../../shared/lib/use-once.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { problemText } from './problem-text.ts'
import { tellPaid } from './tell-paid.ts'

const LOOK_EVERY_MS = 1_000

/**
 * Submits a payment's hash and waits under the overlay until the fee is settled.
 * @returns true when it is settled
 */
export function usePayFee(fee: PendingClaimFee): (hash: string) => Promise<boolean | undefined> {
  const text = useTexts(feeTexts)
  const queryClient = useQueryClient()
  const { run } = useTx()

  const work = async (hash: string, report: TxReport): Promise<boolean> => {
    report.step('submit')
    const { message, status } = await api.post<PayClaimFeeReply>('/user/pay-claim-fee', {
      earning_plan_code: fee.earning_plan_code,
      tx_hash_usdt: hash,
    })
    report.log(message)
    report.step('settle')
    if (status === 'recorded') return true
    while (clock.now().getTime() < report.deadline) {
      const still = await findOpenFee(queryClient, fee)
      if (!still) return true
      throwOnProblem(still, hash)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return false
  }

  return useOnce(async (hash) => {
    const steps = [
      { id: 'submit', label: text('stepSubmit') },
      { id: 'settle', label: text('stepSettle') },
    ]
    const result = await checkTerms().then(
      () => run({ steps, work: (report) => work(hash, report) }),
      (error: unknown) => ({ ok: false as const, error }),
    )
    await queryClient.invalidateQueries({ queryKey: pendingFeeQueries.all })
    if (!result.ok) toast.error(errorText(result.error, FEE_WORDING.payFailed))
    else if (result.value) tellPaid(fee.code_claim)
    else toast.info(text('stillLooking'))
    return result.ok && result.value
  })
}

/** Throws if the service has since found that this payment does not match the fee. @throws ApiError */
function throwOnProblem({ hint }: PendingClaimFee, hash: string): void {
  const isAbout = hint?.tx_hash.toLowerCase() === hash.toLowerCase()
  if (hint && isAbout && hint.problem_code !== null) {
    throw new ApiError({ status: 422, code: hint.problem_code, message: problemText(hint) })
  }
}
