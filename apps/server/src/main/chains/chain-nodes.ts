import {
  createEvmClient,
  createNodeGroup,
  createNodeStanding,
  createRequestBudget,
  createTronClient,
  type EvmNode,
  type NodeAccess,
  type NodeGroup,
  type NodeStanding,
  type RequestBudget,
  type TronNode,
  tronGridHeaders,
} from '@dct/chain-clients'
import type { Config } from '../config.ts'

const TIMEOUT_MS = 10_000

/** One client for each node in the settings; those of one provider share a request budget. */
export function connectNodes(config: Config): {
  tron: NodeGroup<TronNode>
  bsc: NodeGroup<EvmNode>
} {
  const { tron, bsc } = config
  const accessOf = accesses(config)
  const tronNodes = tron.nodes.map((urls) => {
    const standing = createNodeStanding(nameOf(urls.http, urls.jsonRpc))
    const [http, jsonRpc] = [accessOf(urls.http, standing), accessOf(urls.jsonRpc, standing)]
    return { standing, client: createTronClient({ http, jsonRpc }) }
  })
  const bscNodes = bsc.rpcs.map((url) => {
    const standing = createNodeStanding(nameOf(url))
    return { standing, client: createEvmClient(accessOf(url, standing)) }
  })
  return {
    tron: createNodeGroup(tronNodes, tron.nodesAgree),
    bsc: createNodeGroup(bscNodes, bsc.nodesAgree),
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
      onRequest(outcome) {
        standing.countRequest(outcome === 'answered' ? outcome : outcome.kind)
        if (outcome === 'answered') standing.answered(url)
        else standing.failed(outcome, url)
      },
    }
  }
}

/** Only the hosts, because paths may contain keys. */
function nameOf(...urls: readonly string[]): string {
  return [...new Set(urls.map((url) => new URL(url).host))].join(' with ')
}
