import { fromHexText } from './abi-codec.ts'
import type { ContractCall } from './contract-call.ts'
import type {
  BroadcastReply,
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
} from './injected.ts'
import { NodeError } from './node-request.ts'
import { WalletError } from './wallet-error.ts'

/**
 * What is needed to wait for a transaction. After `expiresAt` (milliseconds, the chain's clock) no block can include it
 * any more.
 */
export type SentHash = { hash: string; expiresAt: number | undefined }

/** The part of the wallet that sending a call needs. */
export type SigningWallet = {
  tronWeb(): InjectedTronWeb
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
}
type SendInput = { from: string; call: ContractCall; feeLimitSun: bigint }

/** The node already has the transaction; its first answer was lost on the way. */
const ALREADY_KNOWN = 'DUP_TRANSACTION_ERROR'

/**
 * Has the wallet sign a call and broadcasts it. `onSigned` receives the hash before the broadcast, so that the
 * transaction can be found again whatever happens next.
 * @returns what is needed to wait for it; it is not confirmed yet
 * @throws WalletError when the wallet does not sign, NodeError when the node refuses the transaction
 */
export async function sendCall(
  wallet: SigningWallet,
  input: SendInput,
  onSigned: (signed: SentHash) => void,
): Promise<SentHash> {
  const tronWeb = wallet.tronWeb()
  const transaction = await build(tronWeb, input)
  const signed = await wallet.signTransaction(transaction)
  if (!signed?.txID) throw new WalletError('failed')
  const sent = { hash: signed.txID, expiresAt: signed.raw_data.expiration }
  onSigned(sent)
  await broadcast(tronWeb, signed)
  return sent
}

async function build(
  tronWeb: InjectedTronWeb,
  { from, call, feeLimitSun }: SendInput,
): Promise<UnsignedTransaction> {
  const options = { feeLimit: Number(feeLimitSun), callValue: 0 }
  const args = call.args.map(({ type, value }) => ({ type, value: String(value) }))
  const { contract, selector } = call
  try {
    const built = await tronWeb.transactionBuilder.triggerSmartContract(
      contract,
      selector,
      options,
      args,
      from,
    )
    if (built.transaction) return built.transaction
    throw new NodeError(fromHexText(built.result?.message ?? ''))
  } catch (cause) {
    throw new NodeError('The node did not prepare the transaction', { cause })
  }
}

/** A broadcast without an answer may still have gone out, so only an explicit refusal counts as a failure. */
async function broadcast(tronWeb: InjectedTronWeb, signed: SignedTransaction): Promise<void> {
  let reply: BroadcastReply
  try {
    reply = await tronWeb.trx.sendRawTransaction(signed)
  } catch {
    return // whoever waits for the hash will see the outcome
  }
  if (reply.code && reply.code !== ALREADY_KNOWN) {
    throw new NodeError(fromHexText(reply.message ?? '') || String(reply.code))
  }
}
