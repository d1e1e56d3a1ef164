import { useEffect, useEffectEvent } from 'react'

type Close = () => void

/** The close functions of everything open, the topmost last. */
const open: Close[] = []
/** Whether our own `history.back()` is in progress. */
let isLeaving = false
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

function stepBack(): void {
  if (isLeaving) isLeaving = false
  else if (!isOnEntry()) open.at(-1)?.()
  align()
}

/** Adds the history entry if something is open and removes it if nothing is, once all effects of a change have run. */
function align(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    if (isLeaving) return
    if (open.length > 0 && !isOnEntry()) {
      window.history.pushState({ ...window.history.state, isOfDialog: true }, '')
    } else if (open.length === 0 && isOnEntry()) {
      isLeaving = true
      window.history.back()
    }
  })
}

function isOnEntry(): boolean {
  return window.history.state?.isOfDialog === true
}
