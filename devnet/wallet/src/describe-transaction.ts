import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { TronWeb } from 'tronweb'
import { type Abi, decodeFunctionData, type Hex } from 'viem'
import type { DevnetInfo } from './devnet-api.ts'

type Fact = [label: string, value: string]
type ContractPart = {
  type: string
  parameter: {
    value: {
      contract_address?: string
      to_address?: string
      data?: string
      amount?: number
      call_value?: number
    }
  }
}

/** Only calls of the product's own contracts are named; others are shown raw. */
const ABI: Abi = [...tokenAbi, ...stakingAbi, ...rewardPoolAbi]

/** Describes a transaction for the user who has to sign it. */
export function describeTransaction(payload: unknown, info: DevnetInfo): Fact[] {
  const raw = (payload as { raw_data?: { contract?: ContractPart[]; fee_limit?: number } }).raw_data
  const part = raw?.contract?.[0]
  if (!part) return [['Text', String(payload)]]
  const { contract_address, to_address, data, amount } = part.parameter.value
  const facts: Fact[] = [['Type', part.type]]
  const to = contract_address ?? to_address
  if (to) facts.push(['To', nameOf(base58(to), info)])
  if (amount) facts.push(['Amount (sun)', String(amount)])
  if (data) facts.push(['Call', describeCall(`0x${data}`, info)])
  if (raw?.fee_limit) facts.push(['Fee limit', `${raw.fee_limit / 1e6} TRX`])
  return facts
}

function describeCall(data: Hex, info: DevnetInfo): string {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: ABI, data })
    const shown = args.map((arg) => {
      const text = String(arg)
      return /^0x[0-9a-fA-F]{40}$/.test(text) ? nameOf(base58(`41${text.slice(2)}`), info) : text
    })
    return `${functionName}(${shown.join(', ')})`
  } catch {
    return data
  }
}

function nameOf(address: string, { tron }: DevnetInfo): string {
  const names: Record<string, string> = {
    [tron.token]: 'DCT token',
    [tron.staking]: 'Staking',
    [tron.reward_pool]: 'RewardPool',
  }
  return names[address] ? `${names[address]} (${address})` : address
}

function base58(hex: string): string {
  return TronWeb.address.fromHex(hex)
}
