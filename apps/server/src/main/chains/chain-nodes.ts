import {
  type ChainReader,
  createEvmReader,
  createNodeGroup,
  createNodeStanding,
  createRequestBudget,
  createTronReader,
  type NodeAccess,
  type NodeGroup,
  type NodeStanding,
  type RequestBudget,
  tronGridHeaders,
} from '@dct/chain-clients'
import {
  createEvmRpc,
  createTronPost,
  type EvmRpc,
  type TronPost,
} from '@dct/chain-clients/senders/index'
import type { Config } from '../config.ts'

const TIMEOUT_MS = 10_000

/** The nodes of one chain, for readers and for senders, which share what they learn about each node. */
type Connected<Sender> = { readers: NodeGroup<ChainReader>; senders: NodeGroup<Sender> }

/** One client for each address in the settings; those of one provider share a request budget. */
export function connectNodes(config: Config): {
  tron: Connected<TronPost>
  bsc: Connected<EvmRpc>
} {
  const { tron, bsc } = config
  const accessOf = accesses(config)
  const tronNodes = tron.fullHosts.map((fullHost, at) => {
    const jsonRpcUrl = tron.jsonRpcs[at] ?? ''
    const standing = createNodeStanding(nameOf(fullHost, jsonRpcUrl))
    return { standing, http: accessOf(fullHost, standing), jsonRpc: accessOf(jsonRpcUrl, standing) }
  })
  const bscNodes = bsc.rpcs.map((url) => {
    const standing = createNodeStanding(nameOf(url))
    return { standing, access: accessOf(url, standing) }
  })
  return {
    tron: {
      readers: createNodeGroup(
        tronNodes.map(({ standing, ...node }) => ({ standing, client: createTronReader(node) })),
        tron.nodesAgree,
      ),
      senders: createNodeGroup(
        tronNodes.map(({ standing, http }) => ({ standing, client: createTronPost(http) })),
        tron.nodesAgree,
      ),
    },
    bsc: {
      readers: createNodeGroup(
        bscNodes.map(({ standing, access }) => ({ standing, client: createEvmReader(access) })),
        bsc.nodesAgree,
      ),
      senders: createNodeGroup(
        bscNodes.map(({ standing, access }) => ({ standing, client: createEvmRpc(access) })),
        bsc.nodesAgree,
      ),
    },
  }
}

function accesses({ nodes, tron }: Config): (url: string, standing: NodeStanding) => NodeAccess {
  const budgets = new Map<string, RequestBudget>()
  return (url, standing) => {
    const { host } = new URL(url)
    const own = nodes.headers.filter((header) => header.host === host)
    const headers = {
      ...tronGridHeaders(url, tron.apiKey),
      ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
    }
    // Providers count requests per customer, whom they recognise by the headers that we send.
    const customer = JSON.stringify([host, headers])
    const budget =
      budgets.get(customer) ?? createRequestBudget({ host, perSecond: nodes.requestsPerSecond })
    budgets.set(customer, budget)
    return {
      ...{ url, headers, budget, timeoutMs: TIMEOUT_MS },
      onQuota: standing.quotaReported,
      onRequest: (outcome) =>
        standing.countRequest(outcome === 'answered' ? outcome : outcome.kind),
    }
  }
}

/** Only the hosts, because paths may contain keys. */
function nameOf(...urls: readonly string[]): string {
  return [...new Set(urls.map((url) => new URL(url).host))].join(' with ')
}
