import type { PayClaimFeeReply, PendingClaimFee } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { checkTerms } from '../../shared/api/check-terms.ts'
import { api } from '../../shared/api/client.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useOnce } from '../../shared/lib/use-once.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { toastPaid } from './toast-paid.ts'

/**
 * Submits a payment's hash under the overlay. An accepted hash ends the wait: the service looks for the payment, and the
 * fee's card shows how that goes.
 * @returns true when it is accepted
 */
export function usePayFee(fee: PendingClaimFee): (hash: string) => Promise<boolean | undefined> {
  const text = useTexts(feeTexts)
  const queryClient = useQueryClient()
  const { run } = useTx()

  const work = async (hash: string, report: TxReport): Promise<PayClaimFeeReply> => {
    report.step('submit')
    return api.post<PayClaimFeeReply>('/user/pay-claim-fee', {
      earning_plan_code: fee.earning_plan_code,
      code_claim: fee.code_claim,
      tx_hash_usdt: hash,
    })
  }

  return useOnce(async (hash) => {
    const steps = [{ id: 'submit', label: () => text('stepSubmit') }]
    // Closing the overlay stops nothing: the service has the hash, or says why not.
    const onClose = () => undefined
    const result = await checkTerms().then(
      () => run({ steps, onClose, work: (report) => work(hash, report) }),
      (error: unknown) => ({ ok: false as const, error }),
    )
    await queryClient.invalidateQueries({ queryKey: pendingFeeQueries.all })
    if (!result.ok) toast.error(errorText(result.error, FEE_WORDING.payFailed))
    else if (result.value.status === 'recorded') toastPaid(fee.code_claim)
    else toast.info(result.value.message)
    return result.ok
  })
}
