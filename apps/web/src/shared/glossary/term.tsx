import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { Listeners } from '../lib/listeners.ts'
import { GlossaryButton } from './glossary-button.tsx'
import type { Word } from './word.ts'

/** The mounted places of each word, in the order in which they appeared. */
const places = new Map<Word, Set<object>>()
const listeners = new Listeners()

/** A glossary word in a heading or label: a button that opens its meaning at its first place, else plain text. */
export function Term({ word, children }: { word: Word; children: ReactNode }) {
  const [place] = useState(() => ({}))
  useLayoutEffect(() => {
    const all = places.get(word) ?? new Set()
    places.set(word, all.add(place))
    listeners.call()
    return () => {
      all.delete(place)
      listeners.call()
    }
  }, [word, place])
  const first = useSyncExternalStore(
    listeners.subscribe,
    () => places.get(word)?.values().next().value,
  )
  return first === place ? (
    <GlossaryButton word={word}>{children}</GlossaryButton>
  ) : (
    <span>{children}</span>
  )
}
