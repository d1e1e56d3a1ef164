import type { Engine } from '../core/engine.ts'
import type { HexAddress } from './address.ts'
import type { BandwidthUsage } from './bandwidth.ts'
import { contractMetadata, isContract } from './contracts.ts'
import { readBalance, stateTag, type View } from './node.ts'
import { FREE_BANDWIDTH } from './parameters.ts'
import { accountExists } from './state.ts'
import { compact, type Json, utf8ToHex } from './wire.ts'

const WINDOW_SIZE = 28_800_000
/** The operations of an active permission: every kind of transaction. */
const ALL_OPERATIONS = '7fff1fc0033efb0f000000000000000000000000000000000000000000000000'
const NETWORK_LIMITS = { TotalNetLimit: 43_200_000_000, TotalNetWeight: 26_711_000_000 }

/** Returns `{}` for an account that was never activated. */
export async function account(engine: Engine, view: View, address: HexAddress): Promise<Json> {
  const tag = stateTag(engine, view)
  if (!(await accountExists(engine.nodes.tron.rpc, address, tag))) return {}
  const balance = Number(await readBalance(engine, view, address))
  const keys = [{ address, weight: 1 }]
  const hasCode = await isContract(engine, address, tag)
  const { name } = contractMetadata(engine, address)
  return compact({
    account_name: name === undefined ? undefined : utf8ToHex(`${name}`),
    address,
    balance,
    ...freeNetUse(engine, view, address),
    type: hasCode ? 'Contract' : undefined,
    account_resource: { energy_window_size: WINDOW_SIZE, energy_window_optimized: true },
    net_window_size: WINDOW_SIZE,
    net_window_optimized: true,
    owner_permission: hasCode ? undefined : { permission_name: 'owner', threshold: 1, keys },
    active_permission: hasCode
      ? undefined
      : [
          {
            type: 'Active',
            id: 2,
            permission_name: 'active',
            threshold: 1,
            operations: ALL_OPERATIONS,
            keys,
          },
        ],
    frozenV2: [{}, { type: 'ENERGY' }, { type: 'TRON_POWER' }],
    asset_optimized: true,
  })
}

export async function accountNet(engine: Engine, view: View, address: HexAddress): Promise<Json> {
  const exists = await accountExists(engine.nodes.tron.rpc, address, stateTag(engine, view))
  const freeNetUsed = usedBandwidth(engine, address)
  return exists ? compact({ freeNetUsed, freeNetLimit: FREE_BANDWIDTH, ...NETWORK_LIMITS }) : {}
}

export async function accountResource(
  engine: Engine,
  view: View,
  address: HexAddress,
): Promise<Json> {
  const net = await accountNet(engine, view, address)
  return Object.keys(net).length === 0
    ? {}
    : { ...net, TotalEnergyLimit: 180_000_000_000, TotalEnergyWeight: 19_000_000_000 }
}

/** The free bandwidth in use at the head. */
export function usedBandwidth(engine: Engine, address: HexAddress): number {
  return usageOf(engine).usedAt(address, engine.nodes.tron.head().timestamp * 1000)
}

/** The stored values of the account: the usage at its last transaction, without what has recovered since. */
function freeNetUse(engine: Engine, view: View, address: HexAddress): Json {
  const last = view === 'head' ? usageOf(engine).last(address) : undefined
  return last ? { free_net_usage: last.bytes, latest_consume_free_time: last.timeMs } : {}
}

function usageOf(engine: Engine): Pick<BandwidthUsage, 'usedAt' | 'last'> {
  return engine.pendingBlock()?.bandwidth ?? engine.records.bandwidth()
}
