import type { LogEntry } from '@dct/chain-clients'
import { tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex, toEventSelector } from 'viem'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** A transfer of any token, in its base units. `logIndex` is its position within its transaction. */
export type TokenTransfer = { logIndex: number; token: Hex; from: Hex; to: Hex; value: bigint }

/** The transfers among a transaction's logs, of any token. Those of nothing are left out: anyone can make them. */
export function readTransfers(logs: readonly LogEntry[]): TokenTransfer[] {
  return logs.flatMap(readTransfer)
}

function readTransfer(log: LogEntry, logIndex: number): TokenTransfer[] {
  const [signature, ...rest] = log.topics
  if (signature !== TRANSFER || rest.length !== 2) return []
  try {
    const topics: [Hex, ...Hex[]] = [signature, ...rest]
    const { args } = decodeEventLog({
      abi: tokenAbi,
      eventName: 'Transfer',
      data: log.data,
      topics,
    })
    if (args.value === 0n) return []
    const [from, to] = [lowerCase(args.from), lowerCase(args.to)]
    return [{ logIndex, token: log.address, from, to, value: args.value }]
  } catch {
    // A look-alike event whose data is not an amount; viem reports that only by throwing.
    return []
  }
}

function lowerCase(address: Hex): Hex {
  return address.toLowerCase() as Hex
}
