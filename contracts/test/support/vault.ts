import { devUsdtAbi, payoutVaultAbi } from '@dct/contract-abi'
import { devUsdtBytecode, payoutVaultBytecode } from '@dct/contract-abi/bytecode'
import { type Address, formatUnits, type Hex, keccak256, stringToBytes, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { addressOf, type Chain, type Contract } from './chain.ts'
import { OPERATOR, OWNER } from './system.ts'

/** One USDT in base units. */
export const USDT = 10n ** 18n
/** Base units in a millionth of a USDT, the unit of a claim's amounts. */
export const MILLIONTH = 10n ** 12n
export const DAILY_LIMIT = 1_000n * USDT
export const KINDS = ['direct', 'non-direct'] as const

/** The id of the chain that the tests run on. */
const CHAIN_ID = 31_337n

export type Vault = Contract<typeof payoutVaultAbi>
export type Claim = {
  account: Address
  kind: number
  to: Address
  claimed: bigint
  total: bigint
  opening: string
  closing: string
  signature: Hex
}
/** What a test says of a claim; amounts in millionths. */
export type Wish = {
  kind?: number
  to?: Address
  claimed?: bigint
  total?: bigint
  vault?: Address
  chainId?: bigint
}

/** A referrer's wallet: on Tron and here the same key and the same 20 bytes. */
export function walletOf(name: string): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(toHex(name)))
}

export const FUNDS = 100_000n * USDT

/** Deploys a vault that holds `FUNDS`, with a token of its own unless one is given. */
export async function deployVault(chain: Chain, options: { token?: Address; bytecode?: Hex } = {}) {
  const { bytecode = payoutVaultBytecode } = options
  const usdt = await chain.deploy(OWNER, {
    abi: devUsdtAbi,
    bytecode: devUsdtBytecode,
    args: [OWNER],
  })
  const token = options.token ?? usdt.address
  const vault = await chain.deploy(OWNER, {
    abi: payoutVaultAbi,
    bytecode,
    args: [token, OWNER, OPERATOR, DAILY_LIMIT],
  })
  await chain.send(OWNER, { address: token, abi: devUsdtAbi }, 'mint', [vault.address, FUNDS])
  return { vault, usdt: { address: token, abi: devUsdtAbi } }
}

/** The statement of a claim, written independently of the contract. */
export function statementOf(vault: Address, wish: Required<Omit<Wish, 'vault'>>): string {
  const decimal = (millionths: bigint) => {
    const [whole, rest = ''] = formatUnits(millionths, 6).split('.')
    return `${whole}.${rest.padEnd(6, '0')}`
  }
  return (
    `Claim ${decimal(wish.claimed)} USDT of my referral reward (${KINDS[wish.kind]}), ` +
    `${decimal(wish.total)} USDT with all earlier claims, to the BSC (BEP20) address ${wish.to}, ` +
    `from the vault ${vault} on chain ${wish.chainId}.`
  )
}

/** The digest that a Tron wallet's `signMessageV2` signs. */
export function tronDigest(text: string, prefix = '\x19TRON Signed Message:\n'): Hex {
  const bytes = stringToBytes(text)
  return keccak256(Buffer.concat([stringToBytes(`${prefix}${bytes.length}`), bytes]))
}

/** A claim, signed by a wallet for `wish`; what the vault is told can differ. */
export async function signClaim(
  vault: Vault,
  wallet: PrivateKeyAccount,
  wish: Wish = {},
): Promise<Claim> {
  const kind = wish.kind ?? 0
  const to = wish.to ?? addressOf('receiver')
  const claimed = wish.claimed ?? 12_500_000n
  const total = wish.total ?? claimed
  const opening = `earn.example wants you to sign in with your Tron account:\n${wallet.address}`
  const closing = 'URI: https://earn.example\nNonce: 5f2c\nIssued At: 2026-11-26T00:00:00.000Z'
  const chainId = wish.chainId ?? CHAIN_ID
  const statement = statementOf(wish.vault ?? vault.address, { kind, to, claimed, total, chainId })
  const text = `${opening}\n\n${statement}\n\n${closing}`
  const signature = await wallet.sign({ hash: tronDigest(text) })
  return { account: wallet.address, kind, to, claimed, total, opening, closing, signature }
}

export function paidOf(chain: Chain, vault: Vault, account: Address, kind = 0): Promise<bigint> {
  return chain.client.readContract({ ...vault, functionName: 'paidOf', args: [account, kind] })
}
