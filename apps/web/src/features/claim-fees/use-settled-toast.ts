import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refreshClaims } from '../../shared/api/refresh-claims.ts'
import { toastPaid } from './toast-paid.ts'

type Fees = readonly Pick<PendingClaimFee, 'code_claim'>[] | undefined

/** Shows a toast when a fee that was open on this screen has been paid, however the payment was found. */
export function useSettledToast(open: Fees, paid: Fees): void {
  const queryClient = useQueryClient()
  const awaited = useRef(new Set<string>())

  useEffect(() => {
    const codes = new Set(open?.map(({ code_claim }) => code_claim))
    const isOneGone = open !== undefined && [...awaited.current].some((code) => !codes.has(code))
    for (const code of codes) awaited.current.add(code)
    // The fee has moved to the other list, and its earning may be unfrozen.
    if (isOneGone) void refreshClaims(queryClient)
  }, [open, queryClient])

  // Either list may be refetched first.
  useEffect(() => {
    for (const { code_claim } of paid ?? []) {
      if (!awaited.current.delete(code_claim)) continue
      toastPaid(code_claim)
      void refreshClaims(queryClient)
    }
  }, [paid, queryClient])
}
