/** After this many failed attempts at one message, a channel is in trouble. The third one is made within a minute. */
const TROUBLE_AFTER = 3
/** Attempts of which each waits for an answer take longer. */
const UNREACHED_AFTER = 2
/** So is one whose every attempt has failed for this long. */
const TROUBLE_AFTER_MS = 20_000
/** How many receivers have to fail before it is no coincidence. */
const SEVERAL = 3
const MOST_REMEMBERED = 200

/** What the latest attempts over a channel say about it. */
export type LaneStanding = {
  succeeded(receiver: string): void
  failed(receiver: string, failure: LaneFailure): void
  /**
   * Whether the operator has to act: a failure that is not personal, or most receivers fail, and several of them, so
   * that it cannot be theirs.
   */
  isFailing(): boolean
  /** Whether the latest attempt found nobody who answers, so that many attempts at once would be wasted. */
  isSilent(): boolean
}

export type LaneFailure = {
  attempts: number
  /** No further attempt is made. */
  isOver: boolean
  isPersonal: boolean
  isUnreached: boolean
  /** How long the attempt took. */
  tookMs: number
}

export function createLaneStanding(): LaneStanding {
  /** Whether the latest attempt at each receiver succeeded, the latest last. */
  const latest = new Map<string, boolean>()
  let isShared = false
  let isSilent = false
  let failingSince: number | undefined
  const remember = (receiver: string, hasSucceeded: boolean) => {
    latest.delete(receiver)
    latest.set(receiver, hasSucceeded)
    const [oldest] = latest.keys()
    if (latest.size > MOST_REMEMBERED && oldest !== undefined) latest.delete(oldest)
  }
  return {
    succeeded(receiver) {
      remember(receiver, true)
      isShared = false
      isSilent = false
      failingSince = undefined
    },
    failed(receiver, { attempts, isOver, isPersonal, isUnreached, tookMs }) {
      isSilent = isUnreached && !isPersonal
      const enough = isUnreached ? UNREACHED_AFTER : TROUBLE_AFTER
      if (isPersonal && attempts >= enough) remember(receiver, false)
      if (isPersonal) return
      failingSince ??= performance.now() - tookMs
      const forMs = performance.now() - failingSince
      if (attempts >= TROUBLE_AFTER || isOver || forMs >= TROUBLE_AFTER_MS) isShared = true
    },
    isFailing() {
      const failing = [...latest.values()].filter((hasSucceeded) => !hasSucceeded).length
      return isShared || (failing >= SEVERAL && 2 * failing > latest.size)
    },
    isSilent: () => isSilent,
  }
}
