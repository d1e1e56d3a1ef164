import { TronWeb } from 'tronweb'
import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { type Call, callsOf } from './calls.ts'

const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function joinStake(uint256 amount, string planCode, uint256 durationDays)',
  'function addRewardForPlan(string planCode, uint256 amount)',
])

type Sent = { to: string; name: string; args: readonly unknown[] }

/** The contract calls that the page broadcast through the Tron node, oldest first, with base58 addresses. */
export function sentToContracts(calls: readonly Call[]): Sent[] {
  return callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction').map(readBroadcast)
}

function readBroadcast({ body }: Call): Sent {
  const { contract_address, data } = body.raw_data.contract[0].parameter.value
  const { functionName, args } = decodeFunctionData({ abi: ABI, data: `0x${data}` as Hex })
  return {
    to: TronWeb.address.fromHex(contract_address),
    name: functionName,
    args: args.map((arg) => (isAddress(arg) ? TronWeb.address.fromHex(`41${arg.slice(2)}`) : arg)),
  }
}

function isAddress(arg: unknown): arg is string {
  return typeof arg === 'string' && /^0x[0-9a-fA-F]{40}$/.test(arg)
}

type Read = { to: string; selector: string; args: string }

/** The constant contract calls that the page made through the Tron node. */
export function readFromContracts(calls: readonly Call[]): Read[] {
  return callsOf(calls, 'POST', '/tron/wallet/triggerconstantcontract').map(({ body }) => ({
    to: TronWeb.address.fromHex(body.contract_address),
    selector: body.function_selector,
    args: body.parameter ?? '',
  }))
}

/** An address as it is encoded in call data: the last 40 hex digits of a word. */
export function argumentOf(address: string): string {
  return TronWeb.address.toHex(address).slice(2).toLowerCase()
}
