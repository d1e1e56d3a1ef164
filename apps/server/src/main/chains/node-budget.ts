import { NodeUnavailable } from '@dct/chain-clients'
import type { Chains } from './chains.ts'

/** How many node calls the API may make: the rest is left to watchers and senders. */
export type NodeBudget = {
  atOnce: number
  perSecond: number
  /** How long a node call waits for its turn before it is abandoned. */
  patienceMs: number
}

/**
 * The chains for use by API calls: all their node calls share one budget, and one that does not get its turn in time
 * fails as if no node had answered. Watchers and senders call the nodes directly.
 */
export function budgetedChains({ tron, bsc }: Chains, budget: NodeBudget): Chains {
  const takeTurn = createTurns(budget)
  const limited = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const member: unknown = Reflect.get(object, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          const done = await takeTurn()
          try {
            return await Reflect.apply(member, object, args)
          } finally {
            done()
          }
        }
      },
    })
  return {
    tron: { ...tron, reader: limited(tron.reader), node: limited(tron.node) },
    bsc: { ...bsc, reader: limited(bsc.reader), node: limited(bsc.node) },
  }
}

type Waiting = { start(): void }

/** Hands out turns, first come, first served. @throws NodeUnavailable if the caller waits too long */
function createTurns({ atOnce, perSecond, patienceMs }: NodeBudget): () => Promise<() => void> {
  const queue: Waiting[] = []
  let running = 0
  let started = 0
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    while (queue.length > 0 && running < atOnce && started < perSecond) {
      running += 1
      started += 1
      queue.shift()?.start()
    }
    if (started === 0 || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      started = 0
      begin()
    }, 1_000).unref()
  }
  const done = () => {
    running -= 1
    begin()
  }
  return () =>
    new Promise((resolve, reject) => {
      const waiting = {
        start() {
          clearTimeout(patience)
          resolve(done)
        },
      }
      const patience = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new NodeUnavailable('the nodes are too busy right now'))
      }, patienceMs).unref()
      queue.push(waiting)
      begin()
    })
}
