import type { ChangesReply } from '@dct/api-contract/changes'
import type { Db } from '../../../platform/database/db.ts'
import { type Holder, ownPart, readMark } from './read-mark.ts'

/** How long a poll without changes is held open before it is answered with 204. */
const HELD_MS = 10_000
/** How long a poll is held while signals may be missed: the next poll then has to detect the changes. */
const UNHEARD_MS = 3_000

/** Answers open pages when something of their holder has changed. */
export type LongPoll = {
  /**
   * Waits until the holder's mark differs from `since`. Undefined if it is still the same after a while, when `isGone`
   * is aborted, or when the process ends.
   */
  ask(
    holder: Holder,
    question: { since: string | undefined; isGone: AbortSignal },
  ): Promise<ChangesReply | undefined>
  /** Rechecks the polls of a holder, given by id or by address in hex. */
  wake(whom: string): void
  /** Rechecks all polls: signals may have been missed. */
  wakeAll(): void
  /** Answers all polls: the process is ending. */
  close(): void
}

type Question = { lookAgain(): void; end(): void }

export function createLongPoll(deps: {
  db: Db
  isListening: () => boolean
  heldMs?: number
}): LongPoll {
  const { db, isListening, heldMs = HELD_MS } = deps
  const waiting = new Map<string, Set<Question>>()
  const all = () => [...new Set([...waiting.values()].flatMap((some) => [...some]))]

  const enter = (keys: readonly string[], question: Question) => {
    for (const key of keys) waiting.set(key, (waiting.get(key) ?? new Set()).add(question))
    return () => {
      for (const key of keys) {
        const some = waiting.get(key)
        some?.delete(question)
        if (some?.size === 0) waiting.delete(key)
      }
    }
  }

  return {
    async ask(holder, { since, isGone }) {
      const pause = createPause(isListening() ? heldMs : Math.min(heldMs, UNHEARD_MS))
      const keys = [`${holder.id}`, holder.address.toString('hex')]
      // Registers before it reads, so that no signal in between is missed.
      const leave = enter(keys, pause)
      isGone.addEventListener('abort', pause.end)
      try {
        do {
          const mark = await readMark(db, holder)
          if (mark !== since) return { mark, is_own: ownPart(mark) !== ownPart(since) }
        } while (await pause.next())
        return undefined
      } finally {
        leave()
        pause.end()
        isGone.removeEventListener('abort', pause.end)
      }
    },
    wake(whom) {
      for (const question of waiting.get(whom) ?? []) question.lookAgain()
    },
    wakeAll() {
      for (const question of all()) question.lookAgain()
    },
    close() {
      for (const question of all()) question.end()
    },
  }
}

/**
 * A wait that can be interrupted: `next` resolves to true when there is a reason to check again, and to false once the
 * wait is over.
 */
function createPause(ms: number): Question & { next(): Promise<boolean> } {
  let isOver = false
  let isWoken = false
  let wake = () => {}
  const end = () => {
    isOver = true
    clearTimeout(timer)
    wake()
  }
  const timer = setTimeout(end, ms)
  return {
    end,
    lookAgain() {
      isWoken = true
      wake()
    },
    async next() {
      if (!isWoken && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const isToLook = isWoken && !isOver
      isWoken = false
      return isToLook
    },
  }
}
