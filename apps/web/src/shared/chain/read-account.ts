import type { InjectedTronWeb } from './injected.ts'
import { nodeRequest } from './node-request.ts'

/** Tron's price since August 2025; used for an estimate where a node hides its parameters. */
const DEFAULT_ENERGY_PRICE = 100

/** The account's TRX in sun (6 decimals); 0 for an account that the chain does not know yet. @throws NodeError */
export async function readTrxBalance(tronWeb: InjectedTronWeb, owner: string): Promise<bigint> {
  const account = await nodeRequest<{ balance?: number | string }>(tronWeb, 'wallet/getaccount', {
    address: tronWeb.address.toHex(owner),
  })
  return BigInt(account.balance ?? 0)
}

/** Energy that the account may use without paying TRX for it. @throws NodeError */
export async function readFreeEnergy(tronWeb: InjectedTronWeb, owner: string): Promise<number> {
  const resources = await nodeRequest<{ EnergyLimit?: number; EnergyUsed?: number }>(
    tronWeb,
    'wallet/getaccountresource',
    { address: tronWeb.address.toHex(owner) },
  )
  return Math.max(0, (resources.EnergyLimit ?? 0) - (resources.EnergyUsed ?? 0))
}

/** The price of one energy in sun. @throws NodeError */
export async function readEnergyPrice(tronWeb: InjectedTronWeb): Promise<number> {
  const { chainParameter } = await nodeRequest<{
    chainParameter?: { key?: string; value?: number }[]
  }>(tronWeb, 'wallet/getchainparameters', {})
  return chainParameter?.find(({ key }) => key === 'getEnergyFee')?.value ?? DEFAULT_ENERGY_PRICE
}
