import type { Engine } from '../core/engine.ts'
import { ENERGY_PRICE, FREE_BANDWIDTH, JAVA_TRON_VERSION, MAX_FEE_LIMIT } from './parameters.ts'
import type { Json } from './wire.ts'

/** The node's own state, as far as clients need it to watch the node's lag. */
export function nodeInfo(engine: Engine): Json {
  return {
    beginSyncNum: 0,
    block: `Num:${engine.nodes.tron.head().number}`,
    solidityBlock: `Num:${engine.solidNumber()}`,
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    configNodeInfo: { codeVersion: JAVA_TRON_VERSION, supportConstant: true },
    machineInfo: {},
    cheatWitnessInfoMap: {},
    peerList: [],
  }
}

/** The chain parameters from which clients compute fees. A parameter without a value is 0. */
export function chainParameters(): Json {
  const values: Record<string, number> = {
    getMaintenanceTimeInterval: 21_600_000,
    getTransactionFee: 1_000,
    getCreateAccountFee: 100_000,
    getCreateNewAccountFeeInSystemContract: 1_000_000,
    getCreateNewAccountBandwidthRate: 1,
    getEnergyFee: ENERGY_PRICE,
    getFreeNetLimit: FREE_BANDWIDTH,
    getMaxFeeLimit: MAX_FEE_LIMIT,
    getMemoFee: 0,
    getMultiSignFee: 1_000_000,
    getAllowTvmTransferTrc10: 1,
    getAllowTvmConstantinople: 1,
    getAllowTvmIstanbul: 1,
    getAllowTvmLondon: 1,
    getAllowTvmShangHai: 1,
    getAllowTvmCancun: 1,
  }
  const chainParameter = Object.entries(values).map(([key, value]) =>
    value === 0 ? { key } : { key, value },
  )
  return { chainParameter }
}
