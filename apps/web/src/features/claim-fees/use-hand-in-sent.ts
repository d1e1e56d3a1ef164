import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../shared/api/client.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { feeStep } from './pay-fee.ts'
import { paymentHashProblem } from './payment-hash.ts'

const tried = new Set<string>()

/**
 * Submits the hash of a payment that a wallet has reported, if the page that asked the wallet could not: it was closed,
 * or the service did not answer. Once per page; the payment is found without it, only later.
 */
export function useHandInSent(fee: PendingClaimFee): void {
  const queryClient = useQueryClient()
  const sent = useOpenSteps(feeStep(fee)).find(
    ({ state, hash }) =>
      state === 'sent' && hash !== null && paymentHashProblem(hash) === undefined,
  )
  const hash = fee.hint === null ? (sent?.hash ?? undefined) : undefined
  const { code_claim, earning_plan_code } = fee
  useEffect(() => {
    if (hash === undefined || tried.has(hash)) return
    tried.add(hash)
    const body = { earning_plan_code, code_claim, tx_hash_usdt: hash }
    const handIn = async () => {
      await api.post('/user/pay-claim-fee', body)
      await queryClient.invalidateQueries({ queryKey: pendingFeeQueries.all })
    }
    // The card shows the step all the same.
    void handIn().catch(() => undefined)
  }, [hash, code_claim, earning_plan_code, queryClient])
}
