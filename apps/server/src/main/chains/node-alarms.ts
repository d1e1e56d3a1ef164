import type { NodeStanding, TroubleKind } from '@dct/chain-clients'
import { reportTroubles } from '../../platform/alarms/found-troubles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'

const EVERY_MS = 10_000
const KINDS: Record<TroubleKind, true> = {
  node_wrong_network: true,
  node_lags: true,
  node_differs: true,
  node_omits: true,
  node_down: true,
  node_refuses: true,
  node_unfit: true,
}

/** What this process knows about its nodes, by chain. */
export type KnownNodes = Readonly<Record<'TRON' | 'BSC', readonly NodeStanding[]>>

/**
 * Raises an alarm for every problem of a node, and ends it when no process has found its cause for a minute. Alarms of
 * nodes that are no longer in the settings end too.
 */
export function createNodeAlarmLoop({
  nodes,
  ...deps
}: {
  db: Db
  realClock: Clock
  nodes: KnownNodes
}): Loop {
  return {
    name: 'node alarms',
    runsAtAnyTime: true,
    isDrained: false,
    pauseMs: EVERY_MS,
    async step() {
      const kinds = Object.keys(KINDS) as TroubleKind[]
      await reportTroubles(deps, { kinds, found: troublesOf(nodes) })
      return true
    },
  }
}

function troublesOf(nodes: KnownNodes) {
  return (['TRON', 'BSC'] as const).flatMap((chain) =>
    nodes[chain].flatMap((node) =>
      node.troubles().map((trouble) => ({ ...trouble, subject: `${chain} ${node.name}` })),
    ),
  )
}
