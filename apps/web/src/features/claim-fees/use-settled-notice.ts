import type { PendingClaimFee } from '@dct/api-contract/claims'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { tellPaid } from './tell-paid.ts'

type Fees = readonly Pick<PendingClaimFee, 'code_claim'>[] | undefined

/** Shows a notice when a fee that was open on this screen has been paid, however the payment was found. */
export function useSettledNotice(open: Fees, paid: Fees): void {
  const queryClient = useQueryClient()
  const awaited = useRef(new Set<string>())

  useEffect(() => {
    const codes = new Set(open?.map(({ code_claim }) => code_claim))
    const isOneGone = open !== undefined && [...awaited.current].some((code) => !codes.has(code))
    for (const code of codes) awaited.current.add(code)
    if (isOneGone) refreshAfterPayment(queryClient)
  }, [open, queryClient])

  // Either list may be refetched first.
  useEffect(() => {
    for (const { code_claim } of paid ?? []) {
      if (!awaited.current.delete(code_claim)) continue
      tellPaid(code_claim)
      refreshAfterPayment(queryClient)
    }
  }, [paid, queryClient])
}

/** The fee has moved to the other list, and its earning may be unfrozen. */
function refreshAfterPayment(queryClient: QueryClient): void {
  const stale = [pendingFeeQueries.all, claimableQuery.queryKey, earningsQueries.all]
  for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey })
}
