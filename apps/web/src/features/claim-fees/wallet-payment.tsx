import type { PendingClaimFee } from '@dct/api-contract/claims'
import { parseUnits } from '@dct/money'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { checkTerms } from '../../shared/api/check-terms.ts'
import { findOpenFee } from '../../shared/api/pending-fees.api.ts'
import { type EvmWallet, useEvmWallets } from '../../shared/bsc/evm-wallets.ts'
import { PaymentError, sendToken } from '../../shared/bsc/send-token.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { StepQuestion } from '../../shared/money-step/step-callout.tsx'
import { StepTaken } from '../../shared/money-step/take-step.ts'
import { useMoneySteps } from '../../shared/money-step/use-money-step.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { WalletWait } from '../../shared/wallet/wallet-wait.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { FeeClosed, feeStep, payFee } from './pay-fee.ts'

type WalletPaymentProps = {
  fee: PendingClaimFee
  /** A payment is already known, so paying again would be paying twice. */
  isSent: boolean
  onSent(hash: string): void
}

/**
 * Pays from a BSC wallet in this browser, with the right network, token and exact amount. Renders nothing without one.
 */
export function WalletPayment({ fee, isSent, onSent }: WalletPaymentProps) {
  const text = useTexts(feeTexts)
  const wallets = useEvmWallets()
  const { pay, cancel, taken, leave } = usePayFromWallet(fee, onSent)
  if (wallets.length === 0) return null
  const amount = toFixedDecimal(fee.unpaid_fee_usdt, 6) ?? fee.unpaid_fee_usdt
  return (
    <div className="stack stack--tight">
      {taken ? (
        <StepQuestion
          chain="bsc"
          steps={taken.why.steps}
          mayConfirm={taken.why.mayConfirm}
          confirm={text('payAgain', { amount, wallet: taken.wallet.name })}
          onConfirm={(known) => pay.mutate({ wallet: taken.wallet, known })}
          onLeave={leave}
        />
      ) : (
        wallets.map((wallet) => (
          <button
            key={wallet.id}
            type="button"
            className="button button--usdt button--wide"
            disabled={isSent || pay.isPending}
            aria-busy={pay.isPending && pay.variables.wallet.id === wallet.id}
            onClick={() => pay.mutate({ wallet, known: [] })}
          >
            {text('payWith', { amount, wallet: wallet.name })}
          </button>
        ))
      )}
      <p className="field__hint" role="status">
        {isSent ? text('alreadySent') : pay.isPending && text('confirmPayment')}
      </p>
      {pay.isPending && <WalletWait name={pay.variables.wallet.name} onCancel={cancel} />}
    </div>
  )
}

const PROBLEMS = {
  noAccount: 'payNoAccount',
  otherKind: 'payOtherKind',
  otherNetwork: 'payOtherNetwork',
  noFee: 'payNoFee',
  notSent: 'payNotSent',
  cancelled: 'payCancelled',
  leftOpen: 'payLeftOpen',
  tooLittle: 'payTooLittle',
  rejected: 'payRejected',
  pending: 'payPending',
  failed: 'payWalletFailed',
} as const

type Pressed = { wallet: EvmWallet; known: readonly string[] }

function usePayFromWallet(fee: PendingClaimFee, onSent: (hash: string) => void) {
  const text = useTexts(feeTexts)
  const bsc = usePublicConfig()?.bsc
  const queryClient = useQueryClient()
  const steps = useMoneySteps()
  const [taken, setTaken] = useState<{ wallet: EvmWallet; why: StepTaken }>()
  const stop = useRef(new AbortController())

  const onHash = (hash: string) => {
    toast.money(text('paymentSent', { amount: fee.unpaid_fee_usdt, hash }))
    onSent(hash)
  }
  const pay = useAction({
    mutationFn: async ({ wallet: { provider }, known }: Pressed) => {
      setTaken(undefined)
      if (!bsc) throw new PaymentError('notSent')
      await checkTerms()
      const { chain_id: chainId, rpc, explorer } = bsc
      stop.current = new AbortController()
      const { signal } = stop.current
      const deps = {
        ...steps,
        findFee: () => findOpenFee(queryClient, fee),
        send: (options: Parameters<typeof sendToken>[2]) =>
          sendToken(
            provider,
            {
              network: { chainId, name: bsc.network, rpc, explorer },
              token: bsc.usdt,
              to: fee.receiver_address,
              amount: parseUnits(fee.unpaid_fee_usdt, bsc.usdt_decimals),
            },
            options,
          ),
        onLate: onHash,
      }
      return payFee(deps, { step: feeStep(fee), known, signal })
    },
    onSuccess: onHash,
    onError: (error, { wallet }) => {
      if (error instanceof StepTaken) setTaken({ wallet, why: error })
      else if (error instanceof FeeClosed) toast.info(text('paidElsewhere'))
      else if (!(error instanceof PaymentError))
        toast.error(errorText(error, FEE_WORDING.listFailed))
      else if (['rejected', 'cancelled'].includes(error.problem)) {
        toast.info(text(PROBLEMS[error.problem]))
      } else toast.error(text(PROBLEMS[error.problem]))
    },
  })
  return { pay, taken, cancel: () => stop.current.abort(), leave: () => setTaken(undefined) }
}
