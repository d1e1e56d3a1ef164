import { useEffect, useEffectEvent } from 'react'

/** A browser may ignore `history.back()`, for example after too many calls. */
const LEAVES_WITHIN_MS = 1000

type Close = () => void

/** The close functions of everything open, the topmost last. */
const open: Close[] = []
/** The timer that ends the wait for our own `history.back()`, while it is in progress. */
let leaving: ReturnType<typeof setTimeout> | undefined
/** The navigations that wait for it. */
const waiting: (() => void)[] = []
let isDue = false

/**
 * While the caller is on the page, the browser's Back button closes it instead of leaving the page; of several, the one
 * opened last. All of them share one history entry, because one dialog often replaces another.
 */
export function useBackCloses(close: Close): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    const entry = () => onBack()
    open.push(entry)
    window.addEventListener('popstate', stepBack)
    align()
    return () => {
      open.splice(open.indexOf(entry), 1)
      align()
    }
  }, [])
}

/** Calls `navigate` once no `history.back()` of ours is in progress: at once, or a moment later. */
export function afterLeaving(navigate: () => void): void {
  if (leaving === undefined) navigate()
  else waiting.push(navigate)
}

function leave(): void {
  leaving = setTimeout(endLeaving, LEAVES_WITHIN_MS)
  window.history.back()
}

function endLeaving(): void {
  clearTimeout(leaving)
  leaving = undefined
  for (const navigate of waiting.splice(0)) navigate()
}

function stepBack(): void {
  if (leaving !== undefined) endLeaving()
  else if (!isOnEntry()) open.at(-1)?.()
  align()
}

/** Adds the history entry if something is open and removes it if nothing is, once all effects of a change have run. */
function align(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    if (leaving !== undefined) return
    if (open.length > 0 && !isOnEntry()) {
      window.history.pushState({ ...window.history.state, isOfDialog: true }, '')
    } else if (open.length === 0 && isOnEntry()) {
      leave()
    }
  })
}

function isOnEntry(): boolean {
  return window.history.state?.isOfDialog === true
}
