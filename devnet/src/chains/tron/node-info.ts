import type { Engine } from '../core/engine.ts'
import { JAVA_TRON_VERSION, SLOT_MS, WITNESS_ADDRESS } from './parameters.ts'
import { compact, type Json } from './wire.ts'

const SLOT_SECONDS = SLOT_MS / 1_000

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

/** The only block producer. */
export function witnesses(engine: Engine): Json {
  const { number } = engine.nodes.tron.head()
  const witness = {
    ...{ address: WITNESS_ADDRESS, voteCount: 100, url: 'http://witness.invalid' },
    ...{ totalProduced: number, latestBlockNum: number, isJobs: true },
    latestSlotNum: Math.floor(engine.nodes.tron.head().timestamp / SLOT_SECONDS),
  }
  return { witnesses: [witness] }
}

/** All fees so far: nobody receives them. */
export function burntTrx({ records }: Engine): Json {
  const burnTrxAmount = records.all().reduce((sum, { outcome }) => sum + outcome.fee, 0)
  return compact({ burnTrxAmount })
}
