import type { EvmSigner } from '@dct/chain-clients/senders/index'
import type { BookDeps } from '../book-payment.ts'
import type { SenderDeps } from '../sender-deps.ts'
import type { VaultDeps } from './vault-call.ts'

export type BscSenderDeps = SenderDeps &
  BookDeps &
  Omit<VaultDeps, 'operator'> & {
    signer: EvmSigner
    /** Wei. Nothing is sent at a higher price. */
    maxGasPrice: bigint
  }
export type BscDeps = BscSenderDeps & VaultDeps
