import { type AbiArgument, encodeArguments, wordAt } from '../chain/abi-codec.ts'
import { codeOf } from '../chain/wallet-error.ts'
import type { EvmProvider } from './evm-wallets.ts'

const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'
const UNKNOWN_CHAIN = 4902

export type TokenPayment = {
  network: { chainId: number; name: string; rpc: string; explorer: string }
  token: string
  to: string
  /** In base units. */
  amount: bigint
}

/** Why a payment was not sent. */
export type PaymentProblem =
  | 'noAccount'
  | 'otherNetwork'
  | 'tooLittle'
  | 'rejected'
  | 'pending'
  | 'failed'

export class PaymentError extends Error {
  override name = 'PaymentError'
  readonly problem: PaymentProblem
  constructor(problem: PaymentProblem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

/**
 * Asks a wallet to send exactly `amount` of a token on the given network; the wallet asks its owner to confirm.
 * @returns the transaction's hash
 * @throws PaymentError when the wallet does not return a hash
 */
export async function sendToken(provider: EvmProvider, payment: TokenPayment): Promise<string> {
  const { network, token, to, amount } = payment
  const from = await accountOf(provider)
  await chooseNetwork(provider, network)
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
  const hash = await ask(provider, 'eth_sendTransaction', [transaction])
  if (typeof hash !== 'string') throw new PaymentError('failed')
  return hash
}

async function accountOf(provider: EvmProvider): Promise<string> {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof first !== 'string') throw new PaymentError('noAccount')
  return first
}

/** A transfer on the wrong network would be lost, so we verify the chain that the wallet itself reports. */
async function chooseNetwork(
  provider: EvmProvider,
  network: TokenPayment['network'],
): Promise<void> {
  if (await isOn(provider, network.chainId)) return
  const chainId = hexOf(network.chainId)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (thrown) {
    if (!isUnknownChain(thrown)) throw toPaymentError(thrown)
    await ask(provider, 'wallet_addEthereumChain', [
      {
        chainId,
        chainName: network.name,
        rpcUrls: [network.rpc],
        blockExplorerUrls: [network.explorer],
        nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      },
    ])
  }
  if (!(await isOn(provider, network.chainId))) throw new PaymentError('otherNetwork')
}

/** Mobile wallets nest the error code one level deeper. */
function isUnknownChain(thrown: unknown): boolean {
  const { data } = (thrown ?? {}) as { data?: { originalError?: unknown } }
  return codeOf(thrown) === UNKNOWN_CHAIN || codeOf(data?.originalError) === UNKNOWN_CHAIN
}

async function isOn(provider: EvmProvider, chainId: number): Promise<boolean> {
  return Number(await ask(provider, 'eth_chainId')) === chainId
}

async function balanceOf(
  provider: EvmProvider,
  { token, owner }: { token: string; owner: string },
): Promise<bigint> {
  const call = { to: token, data: BALANCE_OF + encode({ type: 'address', value: owner }) }
  const answer = await ask(provider, 'eth_call', [call, 'latest'])
  if (typeof answer !== 'string' || answer.length < 66) throw new PaymentError('otherNetwork')
  return wordAt(answer.slice(2), 0)
}

function encode(...args: AbiArgument[]): string {
  return encodeArguments(args, (address) => address.toLowerCase())
}

async function ask(
  provider: EvmProvider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (thrown) {
    throw toPaymentError(thrown)
  }
}

function toPaymentError(cause: unknown): PaymentError {
  const code = codeOf(cause)
  if (code === 4001) return new PaymentError('rejected', { cause })
  return new PaymentError(code === -32002 ? 'pending' : 'failed', { cause })
}

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}
