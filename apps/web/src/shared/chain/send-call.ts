import { fromHexText } from './abi-codec.ts'
import { buildTransaction, type TransactionInput } from './build-transaction.ts'
import type { SignedTransaction, TronNode, UnsignedTransaction } from './injected.ts'
import { NodeError, nodeRequest } from './node-request.ts'
import { WalletError } from './wallet-error.ts'

/**
 * What is needed to wait for a transaction. After `expiresAt` (milliseconds, the chain's clock) no block can include it
 * any more.
 */
export type SentHash = { hash: string; expiresAt: number | undefined }

/** The part of the wallet that sending a call needs. */
export type SigningWallet = {
  node(): TronNode
  /** How much longer than usual the wallet's transactions stay valid, because it signs slowly. */
  extraSigningMs(): number
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
}
type SendInput = Omit<TransactionInput, 'extraSigningMs'> & {
  /** Aborted when nobody waits for the wallet any more: what it signs afterwards is not sent. */
  signal: AbortSignal
}
type BroadcastReply = { result?: boolean; code?: string | number; message?: string }

/** The node already has the transaction; its first answer was lost on the way. */
const ALREADY_KNOWN = 'DUP_TRANSACTION_ERROR'
/**
 * A node gives these also after it has taken the transaction: it could not pass it on, or failed at some point. So the
 * transaction may be included all the same.
 */
const UNSURE = new Set(['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'])
/** No block can include the transaction any more, and this was the first attempt to send it. */
const EXPIRED = 'TRANSACTION_EXPIRATION_ERROR'

/**
 * Has the wallet sign a call and broadcasts it. `onSigned` receives the hash before the broadcast, so that the
 * transaction can be found again whatever happens next.
 * @returns what is needed to wait for it; it is not confirmed yet
 * @throws WalletError if the wallet does not sign (`tooSlow` if the transaction expired meanwhile), NodeError if the
 *   node refuses the transaction; the signal's reason if aborted before the wallet has signed
 */
export async function sendCall(
  wallet: SigningWallet,
  input: SendInput,
  onSigned: (signed: SentHash) => void,
): Promise<SentHash> {
  const node = wallet.node()
  const extraSigningMs = wallet.extraSigningMs()
  const { signal, ...order } = input
  const transaction = await buildTransaction(node, { ...order, extraSigningMs })
  signal.throwIfAborted()
  const signed = await wallet.signTransaction(transaction)
  signal.throwIfAborted()
  if (!signed?.txID) throw new WalletError('failed')
  const sent = { hash: signed.txID, expiresAt: signed.raw_data.expiration }
  onSigned(sent)
  await broadcast(node, signed)
  return sent
}

/** A broadcast without an answer may still have gone out, so only a refusal that is sure counts as a failure. */
async function broadcast(node: TronNode, signed: SignedTransaction): Promise<void> {
  let reply: BroadcastReply
  try {
    reply = await nodeRequest<BroadcastReply>(node, 'wallet/broadcasttransaction', signed)
  } catch {
    return // the caller waits for the hash and sees the outcome
  }
  const { result, code, message = '' } = reply
  if (result === true || !code || code === ALREADY_KNOWN || UNSURE.has(String(code))) return
  if (code === EXPIRED) throw new WalletError('tooSlow')
  throw new NodeError(fromHexText(message) || String(code))
}
