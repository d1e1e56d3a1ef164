import type { HexAddress } from './address.ts'
import {
  BANDWIDTH_PRICE,
  FREE_BANDWIDTH,
  NEW_ACCOUNT_NET_FEE,
  RESULT_BYTES,
  SLOT_MS,
  WINDOW_SLOTS,
} from './parameters.ts'
import { type TronTransaction, wireSize } from './transaction.ts'

type Usage = { bytes: number; slot: number }

/** The accounts' usage of free bandwidth, which recovers linearly over a day. */
export type BandwidthUsage = {
  /** The bytes in use at a time in milliseconds. */
  usedAt(account: HexAddress, timeMs: number): number
  /** The bytes in use after the account's last transaction, and its time. */
  last(account: HexAddress): { bytes: number; timeMs: number } | undefined
  spend(account: HexAddress, bytes: number, timeMs: number): void
  /** A copy for trial use. */
  fork(): BandwidthUsage
}

export function createBandwidthUsage(parent?: Pick<Map<HexAddress, Usage>, 'get'>): BandwidthUsage {
  const own = new Map<HexAddress, Usage>()
  const get = (account: HexAddress) => own.get(account) ?? parent?.get(account)
  const usedAt = (account: HexAddress, timeMs: number) => {
    const { bytes, slot } = get(account) ?? { bytes: 0, slot: 0 }
    const passed = slotOf(timeMs) - slot
    return passed >= WINDOW_SLOTS ? 0 : Math.round(bytes * (1 - Math.max(0, passed) / WINDOW_SLOTS))
  }
  return {
    usedAt,
    last(account) {
      const usage = get(account)
      return usage && { bytes: usage.bytes, timeMs: usage.slot * SLOT_MS }
    },
    spend(account, bytes, timeMs) {
      own.set(account, { bytes: usedAt(account, timeMs) + bytes, slot: slotOf(timeMs) })
    },
    fork: () => createBandwidthUsage({ get }),
  }
}

/** The bytes for which a transaction is charged: its size plus room for its result. */
export function chargedBytes(transaction: TronTransaction): number {
  return wireSize(transaction) + RESULT_BYTES
}

/** How a transaction's bandwidth is paid for: from the free allowance, or in sun. */
export type BandwidthBill = { netUsage: number; netFee: number }

/**
 * If the free bandwidth does not cover all bytes, all of them are charged, not only the excess. A transaction that
 * creates an account pays a fixed price.
 * @returns undefined if the sender has too little of both bandwidth and TRX
 */
export function billBandwidth(facts: {
  bytes: number
  usedBytes: number
  balance: bigint
  makesAccount: boolean
}): BandwidthBill | undefined {
  const { bytes, usedBytes, balance, makesAccount } = facts
  if (!makesAccount && bytes <= FREE_BANDWIDTH - usedBytes) return { netUsage: bytes, netFee: 0 }
  const netFee = makesAccount ? NEW_ACCOUNT_NET_FEE : bytes * BANDWIDTH_PRICE
  return balance >= BigInt(netFee) ? { netUsage: 0, netFee } : undefined
}

function slotOf(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS)
}
