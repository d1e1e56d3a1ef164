import { rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import type { ChainHost } from '@dct/devnet/chains/index'
import { TronWeb } from 'tronweb'
import { type Abi, createPublicClient, type Hex, http, parseEventLogs, type RpcLog } from 'viem'

/** A reward payment by the reward pool. */
export type RewardPaid = {
  planCode: string
  to: string
  amount: bigint
  total: bigint
  txHash: string
}
/** A transfer of USDT. */
export type UsdtTransfer = { from: string; to: string; amount: bigint; txHash: string }

const RANGE = 1_000n

/** Reads every reward payment from the Tron chain. */
export async function rewardsPaid(chains: ChainHost): Promise<RewardPaid[]> {
  const contract = `0x${TronWeb.address.toHex(chains.deployment.tron.rewardPool).slice(2)}` as Hex
  const logs = await allLogs(chains.tronJsonRpcUrl, contract, rewardPoolAbi as Abi, 'RewardPaid')
  return logs.map(({ args, txHash }) => ({
    planCode: String(args.planCode),
    to: String(args.to).toLowerCase(),
    amount: BigInt(String(args.amount)),
    total: BigInt(String(args.total)),
    txHash,
  }))
}

/** Reads every USDT transfer from the BSC chain. */
export async function usdtTransfers(chains: ChainHost): Promise<UsdtTransfer[]> {
  const logs = await allLogs(chains.bscUrl, chains.deployment.bsc.usdt, tokenAbi as Abi, 'Transfer')
  return logs.map(({ args, txHash }) => ({
    from: String(args.from).toLowerCase(),
    to: String(args.to).toLowerCase(),
    amount: BigInt(String(args.value)),
    txHash,
  }))
}

type Found = { args: Record<string, unknown>; txHash: string }

async function allLogs(url: string, address: Hex, abi: Abi, eventName: string): Promise<Found[]> {
  const client = createPublicClient({ transport: http(url) })
  const head = await client.getBlockNumber()
  const found: Found[] = []
  for (let from = 0n; from <= head; from += RANGE) {
    const to = from + RANGE - 1n < head ? from + RANGE - 1n : head
    const range = { address, fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
    const logs = (await client.request({
      method: 'eth_getLogs',
      params: [range as never],
    })) as RpcLog[]
    const events = parseEventLogs({ abi, eventName, logs: logs as never })
    for (const event of events as unknown as { args: Found['args']; transactionHash: string }[]) {
      found.push({ args: event.args, txHash: event.transactionHash.toLowerCase() })
    }
  }
  return found
}
