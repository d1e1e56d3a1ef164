import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { hexOf } from '../chain/index.ts'
import type { Chain } from './payouts.tables.ts'

/** An address in the format of its chain. */
export function formatAddress(chain: Chain, address: Uint8Array): string {
  return chain === 'TRON' ? formatTronAddress(address) : formatEvmAddress(address)
}

/** A transaction hash in the format of its chain: Tron omits the 0x. */
export function formatHash(chain: Chain, hash: Uint8Array): string {
  return chain === 'TRON' ? hexOf(hash).slice(2) : hexOf(hash)
}

export function formatWithUnit(
  deps: { dctDecimals: number },
  chain: Chain,
  amount: bigint,
): string {
  return chain === 'TRON'
    ? formatAmount('DCT', amount, deps.dctDecimals)
    : formatAmount('USDT', amount)
}
