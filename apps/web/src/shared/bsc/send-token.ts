import { type AbiArgument, encodeArguments, wordAt } from '../chain/abi-codec.ts'
import { type FailureMeaning, isA, readFailure } from '../chain/read-failure.ts'
import { endedWith } from '../lib/ended-with.ts'
import { lookAgain } from '../lib/look-again.ts'
import { peek } from '../lib/peek.ts'
import type { EvmProvider } from './evm-wallets.ts'
import { PaymentError, type PaymentProblem } from './payment-error.ts'

export { PaymentError, type PaymentProblem } from './payment-error.ts'

const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

export type TokenPayment = {
  network: { chainId: number; name: string; rpc: string; explorer: string }
  token: string
  to: string
  /** In base units. */
  amount: bigint
}

export type SendOptions = {
  /** Ends the wait, whatever the wallet is doing; after that it is asked nothing more. */
  signal?: AbortSignal
  /** Called just before the wallet is asked to send; from then on it may have sent. */
  onAsked?(): void
}

/**
 * Asks a wallet to send exactly `amount` of a token on the given network; the wallet asks its owner to confirm.
 * @returns the transaction's hash
 * @throws PaymentError when the wallet does not return a hash; `mayBeSent` tells whether it may have sent it anyway
 */
export async function sendToken(
  wallet: EvmProvider,
  payment: TokenPayment,
  { signal, onAsked }: SendOptions = {},
): Promise<string> {
  const { network, token, to, amount } = payment
  const provider = endedBy(wallet, signal)
  const connected = await askAccount(provider, 'eth_requestAccounts')
  const hasSwitched = await chooseNetwork(provider, network)
  // Some wallets keep an account for each network.
  const from = hasSwitched ? await askAccount(provider, 'eth_accounts') : connected
  if ((await balanceOf(provider, { token, owner: from })) < amount) {
    throw new PaymentError('tooLittle')
  }
  const transaction = {
    from,
    to: token,
    data: TRANSFER + encode({ type: 'address', value: to }, { type: 'uint256', value: amount }),
    value: '0x0',
    chainId: hexOf(network.chainId),
  }
  if (signal?.aborted) throw new PaymentError('cancelled')
  onAsked?.()
  return endedWith(send(wallet, transaction), signal, (late) => {
    return new PaymentError('leftOpen', { late })
  })
}

/** The wallet, for questions that cannot send anything: each ends with the signal, and none is asked after it. */
function endedBy(wallet: EvmProvider, signal: AbortSignal | undefined): EvmProvider {
  return {
    async request(asked) {
      const left = () => new PaymentError('cancelled')
      if (signal?.aborted) throw left()
      const answer = async () => wallet.request(asked)
      return endedWith(answer(), signal, left)
    },
  }
}

/** After these it has not sent for sure; after every other failure it may have. */
const NOT_SENT: Readonly<Partial<Record<FailureMeaning, PaymentProblem>>> = {
  refused: 'rejected',
  busy: 'pending',
  locked: 'noAccount',
  notConnected: 'noAccount',
  otherAccount: 'noAccount',
  unknownNetwork: 'otherNetwork',
  otherNetwork: 'otherNetwork',
  noFunds: 'noFee',
  unsupported: 'notSent',
  wouldFail: 'notSent',
  gone: 'notSent',
}

/** Why the wallet has not sent; undefined if that is not sure. */
function whyNotSent(failure: unknown): PaymentProblem | undefined {
  return NOT_SENT[readFailure(failure).meaning]
}

async function send(provider: EvmProvider, transaction: object): Promise<string> {
  const params = [transaction]
  const asked = async () => provider.request({ method: 'eth_sendTransaction', params })
  const answer = await asked().catch((thrown: unknown) => thrown)
  const hash = hashIn(answer)
  if (hash !== undefined) return hash
  throw new PaymentError(whyNotSent(answer) ?? 'failed', { cause: answer })
}

/** The hash in an answer, or in the error of a wallet that failed after sending; some wrap it or omit its prefix. */
function hashIn(answer: unknown): string | undefined {
  const wrapped = ['hash', 'result', 'transactionHash', 'txHash'].map((key) => peek(answer, key))
  const found = [answer, ...wrapped].find(
    (each): each is string => typeof each === 'string' && /^(0x)?[0-9a-f]{64}$/i.test(each),
  )
  return found?.toLowerCase().replace(/^(0x)?/, '0x')
}

/** @throws PaymentError unless the wallet shows an account of this kind of chain */
async function askAccount(
  provider: EvmProvider,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<string> {
  const answer = await ask(provider, method)
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  if (typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first)) return first
  const isOtherKind = typeof first === 'string' && /^\w{26,}$/.test(first)
  throw new PaymentError(whyNotSent(answer) ?? (isOtherKind ? 'otherKind' : 'noAccount'))
}

/**
 * Has the wallet switch to the network. A transfer on the wrong network would be lost, so the chain that the wallet
 * itself reports decides, whatever it answered.
 * @returns whether it had to switch
 */
async function chooseNetwork(
  provider: EvmProvider,
  network: TokenPayment['network'],
): Promise<boolean> {
  if (await isOn(provider, network.chainId)) return false
  const chainId = hexOf(network.chainId)
  const failure = await change(provider, 'wallet_switchEthereumChain', { chainId })
  if (failure) {
    // Adding a network that the wallet has is harmless, so whatever hindered the switch, adding it may help.
    await change(provider, 'wallet_addEthereumChain', {
      chainId,
      chainName: network.name,
      rpcUrls: [network.rpc],
      blockExplorerUrls: [network.explorer],
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    })
    // Wallets may add a network without switching to it.
    if (!(await isOn(provider, network.chainId).catch(passCancelled))) {
      await change(provider, 'wallet_switchEthereumChain', { chainId })
    }
  }
  // Wallets report the old network, or nothing, for a moment after the switch.
  const isThere = () => isOn(provider, network.chainId).catch(passCancelled)
  if (await lookAgain(isThere)) return true
  throw new PaymentError('otherNetwork', { cause: failure })
}

/**
 * Asks for a change of networks. @returns why it failed
 * @throws PaymentError when the wallet's owner declined, or has to answer something else first
 */
async function change(provider: EvmProvider, method: string, wanted: object): Promise<unknown> {
  try {
    const answer = await provider.request({ method, params: [wanted] })
    const { meaning } = readFailure(answer)
    return meaning === 'unclear' ? undefined : stopIfAnswered(answer)
  } catch (thrown) {
    if (isA(thrown, PaymentError)) throw thrown
    return stopIfAnswered(thrown) ?? 'failed'
  }
}

function stopIfAnswered(failure: unknown): unknown {
  const { meaning } = readFailure(failure)
  if (meaning === 'refused') throw new PaymentError('rejected', { cause: failure })
  if (meaning === 'busy') throw new PaymentError('pending', { cause: failure })
  return failure
}

/** A look that failed saw nothing, unless nobody wants to know any more. */
function passCancelled(error: unknown): undefined {
  if (isA(error, PaymentError) && error.problem === 'cancelled') throw error
}

async function isOn(provider: EvmProvider, chainId: number): Promise<boolean> {
  return Number(await ask(provider, 'eth_chainId')) === chainId
}

async function balanceOf(
  provider: EvmProvider,
  { token, owner }: { token: string; owner: string },
): Promise<bigint> {
  const call = { to: token, data: BALANCE_OF + encode({ type: 'address', value: owner }) }
  const answer = await lookAgain(async () => {
    const seen = await ask(provider, 'eth_call', [call, 'latest']).catch(passCancelled)
    return typeof seen === 'string' && /^0x[0-9a-f]{64}/i.test(seen) ? seen : undefined
  })
  if (answer === undefined) throw new PaymentError('otherNetwork')
  return wordAt(answer.slice(2), 0)
}

function encode(...args: AbiArgument[]): string {
  return encodeArguments(args, (address) => address.toLowerCase())
}

/** A question that cannot send anything. @throws PaymentError */
async function ask(
  provider: EvmProvider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (cause) {
    if (isA(cause, PaymentError)) throw cause
    throw new PaymentError(whyNotSent(cause) ?? 'notSent', { cause })
  }
}

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}
