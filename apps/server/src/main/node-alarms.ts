import type { NodeStanding, TroubleKind } from '@dct/chain-clients'
import { clearAlarm, confirmAlarm, openAlarms, raiseAlarm } from '../platform/alarms.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { Loop } from '../platform/loop.ts'

const EVERY_MS = 15_000
/** Each process has its own view of a node, so one may miss what another still finds. */
const UNCONFIRMED_MS = 60_000
const KINDS: Record<TroubleKind, true> = {
  node_wrong_network: true,
  node_lags: true,
  node_differs: true,
  node_omits: true,
  node_down: true,
  node_refuses: true,
}

/** What this process knows of its nodes, by their chain. */
export type KnownNodes = Readonly<Record<'TRON' | 'BSC', readonly NodeStanding[]>>

/**
 * Raises an alarm for everything that is wrong with a node, and ends it when no process has found its cause for a
 * minute. Alarms of nodes that are no longer in the settings end too.
 */
export function createNodeAlarmLoop({
  db,
  realClock,
  nodes,
}: {
  db: Db
  realClock: Clock
  nodes: KnownNodes
}): Loop {
  return {
    name: 'node alarms',
    isDrained: false,
    pauseMs: EVERY_MS,
    async step() {
      const at = realClock.now()
      const found = troublesOf(nodes)
      for (const trouble of found) {
        const isNew = await raiseAlarm(db, { ...trouble, at })
        if (!isNew) await confirmAlarm(db, { ...trouble, at })
      }
      for (const { kind, subject, raised_at, confirmed_at } of await openAlarms(db)) {
        const age = at.getTime() - (confirmed_at ?? raised_at).getTime()
        if (isOfNodes(kind) && age >= UNCONFIRMED_MS) await clearAlarm(db, { kind, subject, at })
      }
      return true
    },
  }
}

function isOfNodes(kind: string): kind is TroubleKind {
  return kind in KINDS
}

function troublesOf(nodes: KnownNodes) {
  return (['TRON', 'BSC'] as const).flatMap((chain) =>
    nodes[chain].flatMap((node) =>
      node.troubles().map((trouble) => ({ ...trouble, subject: `${chain} ${node.name}` })),
    ),
  )
}
