import type { RegisterReply } from '@dct/api-contract/auth'
import { typedText } from '@dct/money'
import { readEmail } from '@dct/rules/email'
import { parseReferralCode } from '@dct/rules/referral-code'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { walletErrorText } from '../../shared/chain/wallet-error.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { register } from '../../shared/session/auth.api.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSignature } from '../../shared/wallet/use-signature.ts'
import { useWalletPress } from '../../shared/wallet/use-wallet-press.ts'
import { REGISTER_WORDING } from './register.texts.ts'
import { LEAVES_AFTER_MS } from './registered.tsx'
import { registrationProblem } from './registration.ts'

/** The service's message for an accepted registration. */
const SUCCESS = 'Successful registration'

export type RegistrationForm = { email: string; referrerCode: string; hasAcceptedTerms: boolean }

export type Registration = {
  isBusy: boolean
  /** Whether the wallet is being asked to sign, which `cancel` ends. */
  isAsking: boolean
  cancel(): void
  registered: Partial<RegisterReply> | undefined
  submit(form: RegistrationForm): void
}

/** Validates and sends a registration, reports the outcome, and opens the login page four seconds later. */
export function useRegistration(): Registration {
  const signature = useSignature()
  const { isWaiting, press } = useWalletPress()
  const navigate = useNavigate()

  const registration = useAction({
    mutationFn: (input: RegistrationForm & { tronAddress: string }) =>
      register(input, signature.sign),
    onSuccess: ({ message }) => {
      if (message === SUCCESS) toast.success(REGISTER_WORDING.succeeded)
      else toast.error(REGISTER_WORDING.notRegistered)
    },
    onError: (error) => toast.error(walletErrorText(error, REGISTER_WORDING.callFailed)),
  })

  const isRegistered = registration.data?.message === SUCCESS
  useEffect(() => {
    if (!isRegistered) return undefined
    const timer = setTimeout(() => void navigate('/login'), LEAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isRegistered, navigate])

  return {
    isBusy: isWaiting || registration.isPending,
    isAsking: signature.isAsking,
    cancel: signature.cancel,
    registered: isRegistered ? registration.data : undefined,
    submit(form) {
      const cleaned = {
        ...form,
        email: readEmail(form.email).email ?? form.email,
        referrerCode: parseReferralCode(form.referrerCode) ?? typedText(form.referrerCode),
      }
      void press((tronAddress) => {
        const problem = registrationProblem({ ...cleaned, tronAddress })
        if (problem !== undefined || tronAddress === undefined) toast.error(problem ?? '')
        else registration.mutate({ ...cleaned, tronAddress })
      })
    },
  }
}
