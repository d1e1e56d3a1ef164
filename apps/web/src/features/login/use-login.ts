import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '../../shared/api/api-error.ts'
import { walletErrorText } from '../../shared/chain/wallet-error.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { logIn } from '../../shared/session/auth.api.ts'
import { homeOf } from '../../shared/session/home-of.ts'
import { returnPlaceOf } from '../../shared/session/return-place.ts'
import { useSession } from '../../shared/session/session.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSignature } from '../../shared/wallet/use-signature.ts'
import { useWalletPress } from '../../shared/wallet/use-wallet-press.ts'
import { LOGIN_WORDING } from './login.texts.ts'

const REDIRECT_AFTER_MS = 2_000

/**
 * Logs in with the connected wallet, reports the outcome, and two seconds later opens the dashboard, or the page on
 * which the previous session ended. A wallet that is not registered is led to the registration.
 */
export function useLogin(): {
  isBusy: boolean
  /** Whether the wallet is being asked to sign, which `cancel` ends. */
  isAsking: boolean
  cancel(): void
  start(): void
} {
  const signature = useSignature()
  const { isWaiting, press } = useWalletPress()
  const session = useSession()
  const navigate = useNavigate()

  const login = useAction({
    mutationFn: (address: string) => logIn(address, signature.sign),
    onSuccess: ({ token, user }) => {
      if (!token) {
        toast.error(LOGIN_WORDING.noToken)
        return
      }
      session.signIn(token, user)
      toast.success(LOGIN_WORDING.succeeded)
    },
    onError: (error) => {
      toast.error(walletErrorText(error, LOGIN_WORDING.callFailed))
      const isStranger = error instanceof ApiError && error.code === 'NOT_REGISTERED'
      if (isStranger) void navigate('/register')
    },
  })

  const place = returnPlaceOf(useLocation().state)
  const owner = login.data?.token ? login.data.user : undefined
  const home = owner && (place?.role === owner.role ? place.path : homeOf(owner))
  useEffect(() => {
    if (home === undefined) return undefined
    const timer = setTimeout(() => void navigate(home), REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [home, navigate])

  return {
    isBusy: isWaiting || login.isPending || home !== undefined,
    isAsking: signature.isAsking,
    cancel: signature.cancel,
    start() {
      void press((address) => {
        if (address === undefined) toast.error(LOGIN_WORDING.notConnected)
        else login.mutate(address)
      })
    },
  }
}
