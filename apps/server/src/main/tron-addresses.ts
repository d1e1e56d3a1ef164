import { formatTronAddress, parseTronAddress } from '@dct/rules/addresses'
import type { Hex } from 'viem'
import { bytesOf, hexOf } from '../modules/chain/index.ts'
import { invariant } from '../platform/errors.ts'

/** The 20 bytes of a `T…` address from the settings as hex: the form that nodes expect. */
export function tronHexOf(address: string): Hex {
  const bytes = parseTronAddress(address)
  invariant(bytes !== undefined, 'settings contain valid addresses')
  return hexOf(bytes)
}

/** The `T…` form of an address, for people. */
export function shownTron(address: Hex): string {
  return formatTronAddress(bytesOf(address))
}
