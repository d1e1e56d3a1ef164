import type { LogEntry } from '@dct/chain-clients'
import { rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex, parseEventLogs, type RpcLog, toEventSelector } from 'viem'

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

/** A payment by the reward contract, in base units of DCT. */
export type PaidReward = {
  logIndex: number
  payoutKey: Hex
  planCode: string
  from: Hex
  to: Hex
  amount: bigint
}

/** The reward contract's payments among a transaction's logs. */
export function readRewards(logs: readonly LogEntry[], rewardPool: Hex): PaidReward[] {
  return logs.flatMap((log, logIndex) => {
    if (log.address !== rewardPool) return []
    const [event] = parseEventLogs({
      abi: rewardPoolAbi,
      eventName: 'RewardPaid',
      logs: [log] as unknown as RpcLog[],
    })
    if (event === undefined) return []
    const { payoutId: payoutKey, planCode, to, amount } = event.args
    return [{ logIndex, payoutKey, planCode, from: rewardPool, to: lowerCase(to), amount }]
  })
}

function lowerCase(address: Hex): Hex {
  return address.toLowerCase() as Hex
}
