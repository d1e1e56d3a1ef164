import type { PendingClaimFee } from '@dct/api-contract/claims'
import { parseUnits } from '@dct/money'
import { useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { checkTerms } from '../../shared/api/check-terms.ts'
import { findOpenFee } from '../../shared/api/pending-fees.api.ts'
import { type EvmWallet, useEvmWallets } from '../../shared/bsc/evm-wallets.ts'
import { PaymentError, sendToken } from '../../shared/bsc/send-token.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'

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
  const pay = usePayFromWallet(fee, onSent)
  if (wallets.length === 0) return null
  const amount = toFixedDecimal(fee.unpaid_fee_usdt, 6) ?? fee.unpaid_fee_usdt
  return (
    <section className="stack stack--tight" aria-label={text('payFromWallet')}>
      <span className="field__label">{text('payFromWallet')}</span>
      {wallets.map((wallet) => (
        <button
          key={wallet.id}
          type="button"
          className="button button--usdt button--wide"
          disabled={isSent || pay.isPending}
          aria-busy={pay.isPending && pay.variables.id === wallet.id}
          onClick={() => pay.mutate(wallet)}
        >
          {text('payWith', { amount, wallet: wallet.name })}
        </button>
      ))}
      <p className="field__hint" role="status">
        {text(isSent ? 'alreadySent' : pay.isPending ? 'confirmPayment' : 'payWithHint')}
      </p>
    </section>
  )
}

const PROBLEMS = {
  noAccount: 'payNoAccount',
  otherKind: 'payOtherKind',
  otherNetwork: 'payOtherNetwork',
  noFee: 'payNoFee',
  notSent: 'payNotSent',
  cancelled: 'payNotSent',
  leftOpen: 'payLeftOpen',
  tooLittle: 'payTooLittle',
  rejected: 'payRejected',
  pending: 'payPending',
  failed: 'payWalletFailed',
} as const

function usePayFromWallet(fee: PendingClaimFee, onSent: (hash: string) => void) {
  const text = useTexts(feeTexts)
  const bsc = usePublicConfig()?.bsc
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: async ({ provider }: EvmWallet) => {
      if (!bsc) throw new PaymentError('notSent')
      // It may have been paid on another device in the meantime.
      if (!(await findOpenFee(queryClient, fee))) return null
      await checkTerms()
      const { chain_id: chainId, rpc, explorer } = bsc
      return sendToken(provider, {
        network: { chainId, name: bsc.network, rpc, explorer },
        token: bsc.usdt,
        to: fee.receiver_address,
        amount: parseUnits(fee.unpaid_fee_usdt, bsc.usdt_decimals),
      })
    },
    onSuccess: (hash) => {
      if (hash === null) toast.info(text('paidElsewhere'))
      else {
        toast.money(text('paymentSent', { amount: fee.unpaid_fee_usdt, hash }))
        onSent(hash)
      }
    },
    onError: (error) => {
      if (!(error instanceof PaymentError)) toast.error(errorText(error, FEE_WORDING.listFailed))
      else if (error.problem === 'rejected') toast.info(text('payRejected'))
      else toast.error(text(PROBLEMS[error.problem]))
    },
  })
}
