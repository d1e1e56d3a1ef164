import type { ChainHost } from '@dct/devnet/chains/index'
import { pad, parseUnits, toEventSelector } from 'viem'
import {
  type Fault,
  type ProxyRequest,
  startFaultyProxy,
} from '../../apps/server/src/testing/faulty-proxy.ts'

/** How a node answers each request. */
export type Behaviour = (request: ProxyRequest) => Fault

/** A node as processes see it: an address whose responses can be made faulty. */
export type LiveNode = {
  url: string
  /** The name that alarms use for it. */
  host: string
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

/**
 * The development chain reports Nile's chain id, but live processes identify Nile by its first block, which this chain
 * does not have. So the id is replaced by that of a private network.
 */
const [NILE, PRIVATE] = ['cd8690dc', '7e570001'] as const

/** Starts a node of the Tron chain, which identifies itself as a private network. */
export function startTronNode({ tronUrl }: ChainHost): Promise<LiveNode> {
  const rename = (text: string) => text.replaceAll(NILE, PRIVATE)
  return startNode(tronUrl, (fault) => {
    if (fault === 'none') return { answer: rename }
    if (typeof fault !== 'object') return fault
    return { ...fault, answer: async (text) => rename((await fault.answer?.(text)) ?? text) }
  })
}

/** Starts a node of the BSC chain. */
export function startBscNode({ bscUrl }: ChainHost): Promise<LiveNode> {
  return startNode(bscUrl, (fault) => fault)
}

async function startNode(target: string, adapt: (fault: Fault) => Fault): Promise<LiveNode> {
  const proxy = await startFaultyProxy(target)
  const behave = (behaviour: Behaviour) => proxy.setFaults((request) => adapt(behaviour(request)))
  behave(sound)
  return { url: proxy.url, host: new URL(proxy.url).host, behave, stop: proxy.stop }
}

export const sound: Behaviour = () => 'none'
export const lost: Behaviour = () => 'lose-request'

/** Causes a fault on every n-th request. */
export function everyNth(count: number, fault: Fault): Behaviour {
  let asked = 0
  return () => {
    asked += 1
    return asked % count === 0 ? fault : 'none'
  }
}

/** A Tron node stuck at a block. It does not answer contract calls, because the chain only has its latest state. */
export function stuckAt(block: number): Behaviour {
  const height = `0x${block.toString(16)}`
  return ({ path, body }) => {
    if (path.endsWith('/getnowblock')) {
      const byNumber = path.replace('getnowblock', 'getblockbynum')
      return { path: byNumber, body: JSON.stringify({ num: block }) }
    }
    if (path.endsWith('/triggerconstantcontract')) return 'lose-request'
    if (!body.includes('eth_blockNumber')) return 'none'
    return { answer: (text) => JSON.stringify({ ...JSON.parse(text), result: height }) }
  }
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const INVENTED = `0x${'1e'.repeat(32)}`

/** A BSC node that adds a USDT payment that was never made to every response about transfers. */
export function inventing(payment: {
  usdt: string
  from: string
  to: string
  amount: string
}): Behaviour {
  const topics = [TRANSFER, ...[payment.from, payment.to].map((one) => pad(one as `0x${string}`))]
  const data = pad(`0x${parseUnits(payment.amount, 18).toString(16)}`)
  return ({ body }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: { toBlock: string }[] }
    if (method !== 'eth_getLogs') return 'none'
    const log = {
      ...{ address: payment.usdt.toLowerCase(), topics, data, removed: false },
      ...{ blockNumber: params[0]?.toBlock, blockHash: INVENTED, transactionHash: INVENTED },
      ...{ transactionIndex: '0x0', logIndex: '0x0' },
    }
    return {
      answer(text) {
        const reply = JSON.parse(text) as { result: unknown[] }
        return JSON.stringify({ ...reply, result: [...reply.result, log] })
      },
    }
  }
}
