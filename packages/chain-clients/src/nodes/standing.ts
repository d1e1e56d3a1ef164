import {
  type FailureKind,
  NodeRefused,
  NodeThrottled,
  NodeUnavailable,
  NodeUnfit,
  NotOffered,
} from './failures.ts'
import type { Quota } from './node-client.ts'

/** What is wrong with a node. The names are those of the alarms. */
export type TroubleKind =
  | 'node_wrong_network'
  | 'node_lags'
  | 'node_differs'
  | 'node_omits'
  | 'node_down'
  | 'node_refuses'
  | 'node_unfit'
/** The message names the node only by its host. */
export type Trouble = { kind: TroubleKind; message: string }

/**
 * What this process knows about one node: its readers and senders record here how it behaves, and check before they use
 * it.
 */
export type NodeStanding = {
  /** The host, because paths contain keys. */
  name: string
  /** Whether its answers would be wrong or outdated. */
  isAside(): boolean
  /** Whether it has just failed several times in a row: others should be asked first. */
  isResting(): boolean
  /** Ends its rest. What it has failed at, and since when, is not forgotten. */
  wake(): void
  isOnWrongNetwork(): boolean
  /**
   * Records that the node answered a question, or that one of its addresses answered a request. A node whose one address
   * answers may still fail at the other.
   */
  answered(address?: string): void
  failed(error: NodeUnavailable, address?: string): void
  /** Records the result of the check of its network: a message if it is the wrong one, undefined if it is right. */
  networkChecked(wrong: string | undefined): void
  /**
   * Records that its newest final block is so old that it must be behind; undefined when it is not. It is used all the
   * same while too few others are up to date.
   */
  lagSeen(lagMs: number | undefined, isNeeded?: boolean): void
  /** Records that the other nodes agreed on another answer. */
  differed(what: string): void
  /** Records that it left events of this block out of a search. */
  omitted(block: bigint): void
  countRequest(outcome: 'answered' | FailureKind): void
  quotaReported(quota: Quota): void
  /** The quota that its provider last reported. */
  quota(): Quota | undefined
  /** Requests since the process started, by how they ended. */
  requests(): ReadonlyMap<string, number>
  troubles(): Trouble[]
}

const FAILURES_BEFORE_REST = 3
const REST_MS = 10_000
/**
 * A shorter outage is nothing to wake somebody for. With a poll, a time-out and the pace of the alarms, a node that falls
 * silent is named within a minute.
 */
const DOWN_AFTER_MS = 20_000
/** How long a single different answer, or a refusal, remains worth reporting. */
const REMEMBERED_MS = 10 * 60_000

/** Holes in an index do not repair themselves. */
const OMISSION_REMEMBERED_MS = 24 * 60 * 60_000

type Failing = { sinceMs: number; lastMs: number; count: number; message: string }
type Incident = { atMs: number; message: string }

/** @param nowMs real time in milliseconds, from any beginning */
export function createNodeStanding(
  name: string,
  nowMs: () => number = () => performance.now(),
): NodeStanding {
  let wrong: string | undefined
  let lag: number | undefined
  let isNeeded = false
  /** By address; under an empty one, the questions that may have used several. */
  const failing = new Map<string, Failing>()
  let refusal: Incident | undefined
  let unfit: Incident | undefined
  let difference: Incident | undefined
  let quota: Quota | undefined
  const requests = new Map<string, number>()
  let omission: Incident | undefined
  const recent = (incident: Incident | undefined, forMs = REMEMBERED_MS) =>
    incident !== undefined && nowMs() - incident.atMs < forMs ? incident : undefined
  return {
    name,
    isAside: () => wrong !== undefined || (lag !== undefined && !isNeeded),
    isOnWrongNetwork: () => wrong !== undefined,
    wake() {
      for (const one of failing.values()) one.count = 0
    },
    isResting: () =>
      [...failing.values()].some(
        ({ count, lastMs }) => count >= FAILURES_BEFORE_REST && nowMs() - lastMs < REST_MS,
      ),
    answered(address = '') {
      failing.delete(address)
    },
    failed(error, address = '') {
      if (error.isAnswer) return
      const { sinceMs = nowMs(), count = 0 } = failing.get(address) ?? {}
      // A node that only asks for a pause keeps its place, but one that does nothing else is of no use.
      const failures = error instanceof NodeThrottled ? count : count + 1
      failing.set(address, { sinceMs, count: failures, lastMs: nowMs(), message: error.message })
      if (error instanceof NodeRefused || error instanceof NotOffered) {
        refusal = { atMs: nowMs(), message: error.message }
      }
      if (error instanceof NodeUnfit) unfit = { atMs: nowMs(), message: error.message }
    },
    networkChecked(found) {
      wrong = found
    },
    lagSeen(found, isStillNeeded = false) {
      lag = found
      isNeeded = isStillNeeded
    },
    differed(what) {
      difference = { atMs: nowMs(), message: `${name} disagrees with the other nodes: ${what}.` }
    },
    omitted(block) {
      const message = `${name} left events of block ${block} out: its index of logs has holes.`
      omission = { atMs: nowMs(), message }
    },
    countRequest(outcome) {
      requests.set(outcome, (requests.get(outcome) ?? 0) + 1)
    },
    quotaReported(found) {
      quota = found
    },
    quota: () => quota,
    requests: () => requests,
    troubles() {
      const found: Trouble[] = []
      const add = (kind: TroubleKind, message: string | undefined) => {
        if (message !== undefined) found.push({ kind, message })
      }
      add('node_wrong_network', wrong)
      add('node_lags', lag === undefined ? undefined : lagWords(name, lag))
      add('node_differs', recent(difference)?.message)
      add('node_omits', recent(omission, OMISSION_REMEMBERED_MS)?.message)
      add('node_refuses', recent(refusal)?.message)
      add('node_unfit', recent(unfit)?.message)
      const down = [...failing.values()].find(({ sinceMs }) => nowMs() - sinceMs >= DOWN_AFTER_MS)
      add('node_down', down && `${name} gives no answers: ${down.message}`)
      return found
    },
  }
}

function lagWords(name: string, lagMs: number): string {
  return `The newest final block of ${name} is ${Math.round(lagMs / 1_000)} s old: it is behind, and not used while others are not.`
}

/** Asks a node a question and records the outcome. */
export async function withStanding<R>(
  standing: NodeStanding,
  question: () => Promise<R>,
): Promise<R> {
  try {
    const answer = await question()
    standing.answered()
    return answer
  } catch (error) {
    if (error instanceof NodeUnavailable) standing.failed(error)
    throw error
  }
}
