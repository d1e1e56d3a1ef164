import type { ClaimBody, ClaimReply, ClaimType } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { refreshClaims } from '../../shared/api/refresh-claims.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { knownCodes, rememberCode } from './known-codes.ts'

type ClaimInput = { planCode: string; type: ClaimType; maxFeeUsdt: string | null }

/** Claims everything claimable of one plan, for at most the fee that was shown. */
export function useClaim() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: async ({ planCode, type, maxFeeUsdt }: ClaimInput) => {
      const codes = knownCodes()
      const body: ClaimBody = {
        earning_plan_code: planCode,
        claim_type: type,
        ...(maxFeeUsdt !== null && { max_fee_usdt: maxFeeUsdt }),
        ...(codes.length > 0 && { known_codes: codes }),
      }
      const reply = await api.post<ClaimReply>('/user/claim', body)
      rememberCode(reply.data.code_claim)
      return reply
    },
    // Even after a refusal, the figures on the screen may be out of date.
    onSettled: () => refreshClaims(queryClient),
  })
}
