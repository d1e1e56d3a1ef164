import type { BonusType } from '@dct/api-contract/referrals'
import { useQueryClient } from '@tanstack/react-query'
import { WalletError, walletErrorText } from '../../shared/chain/wallet-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { useSession } from '../../shared/session/session.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSignature } from '../../shared/wallet/use-signature.ts'
import { useWalletPress } from '../../shared/wallet/use-wallet-press.ts'
import { claimAddressProblem } from './claim-address.ts'
import { type ReferralClaim, referralQueries, saveReferralClaim } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'

type ClaimOptions = { type: BonusType; onDone(): void }

/** Claims a bonus to an address, reports the outcome, and refetches summary and list. */
export function useReferralClaim({ type, onDone }: ClaimOptions) {
  const text = useTexts(referralTexts)
  const { isWaiting, press } = useWalletPress()
  const { user } = useSession()
  const queryClient = useQueryClient()

  // The dialog can be closed while the wallet is prompting; a signature given after that is not submitted.
  const { sign, isAsking } = useSignature()

  const saving = useAction({
    mutationFn: (claim: ReferralClaim) => saveReferralClaim(claim, sign),
    onSuccess: ({ message }) => {
      toast.success(message || REFERRAL_WORDING.claimed)
      onDone()
    },
    onError: (error) => toast.error(walletErrorText(error, REFERRAL_WORDING.claimFailed)),
    // Even after a refusal, the figures on the screen may be out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: referralQueries.all }),
  })

  /** Why the wallet cannot sign for this user; undefined if it can. */
  const walletProblem = (account: string | undefined, tronAddress: string): string | undefined => {
    if (account === undefined) return new WalletError('notConnected').message
    if (account === tronAddress) return undefined
    return text('otherWallet', { wallet: shorten(account), user: shorten(tronAddress) })
  }
  return {
    isBusy: isWaiting || saving.isPending,
    isAsking,
    claim(usdtAddress: string) {
      void press((account) => {
        const tronAddress = user?.tron_address ?? ''
        const problem = claimAddressProblem(usdtAddress) ?? walletProblem(account, tronAddress)
        if (problem !== undefined) toast.error(problem)
        else saving.mutate({ tronAddress, usdtAddress, type })
      })
    },
  }
}
