import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import { addressToHex } from './tron-address.ts'

/** Tron's prices in sun since August 2025; used for estimates when a node does not report its parameters. */
const DEFAULT_PRICES = {
  getEnergyFee: 100,
  getTransactionFee: 1_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateAccountFee: 100_000,
}

/** Reads the account's TRX in sun (6 decimals); 0 for an account that is not on chain yet. @throws NodeError */
export async function readTrxBalance(node: TronNode, owner: string): Promise<bigint> {
  return (await readAccount(node, owner)).balanceSun
}

/** Reads the account's TRX and whether it is active: before its first TRX it can send nothing. @throws NodeError */
export async function readAccount(
  node: TronNode,
  owner: string,
): Promise<{ isActive: boolean; balanceSun: bigint }> {
  const account = await nodeRequest<{ address?: string; balance?: number | string }>(
    node,
    'wallet/getaccount',
    { address: addressToHex(owner) },
  )
  return { isActive: account.address !== undefined, balanceSun: BigInt(account.balance ?? 0) }
}

/** The resources an account can use without burning TRX. A transaction takes its bandwidth from only one of the two. */
export type FreeResources = { energy: number; freeBandwidth: number; stakedBandwidth: number }

type ResourceName = 'Energy' | 'freeNet' | 'Net'
type ResourceReply = { [Name in ResourceName as `${Name}Limit` | `${Name}Used`]?: number }

/** @throws NodeError */
export async function readFreeResources(node: TronNode, owner: string): Promise<FreeResources> {
  const reply = await nodeRequest<ResourceReply>(node, 'wallet/getaccountresource', {
    address: addressToHex(owner),
  })
  const left = (name: ResourceName) =>
    Math.max(0, (reply[`${name}Limit`] ?? 0) - (reply[`${name}Used`] ?? 0))
  return {
    energy: left('Energy'),
    freeBandwidth: left('freeNet'),
    stakedBandwidth: left('Net'),
  }
}

/**
 * In sun: the price of one energy, of one byte of bandwidth, and of activating a new address with its first transfer.
 */
export type ChainPrices = { energy: number; bandwidth: number; activation: number }

/** @throws NodeError */
export async function readPrices(node: TronNode): Promise<ChainPrices> {
  const { chainParameter = [] } = await nodeRequest<{
    chainParameter?: { key?: string; value?: number }[]
  }>(node, 'wallet/getchainparameters', {})
  const priceOf = (name: keyof typeof DEFAULT_PRICES) => {
    const found = chainParameter.find(({ key }) => key === name)
    // Nodes leave a value of zero out.
    return found === undefined ? DEFAULT_PRICES[name] : (found.value ?? 0)
  }
  return {
    energy: priceOf('getEnergyFee'),
    bandwidth: priceOf('getTransactionFee'),
    activation: priceOf('getCreateNewAccountFeeInSystemContract') + priceOf('getCreateAccountFee'),
  }
}
