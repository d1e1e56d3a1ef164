import { useState } from 'react'
import { tabMemory } from '../storage/memory.ts'

/** A text field's draft, which survives a reload of this tab. */
export function useDraft(key: string): [string, (text: string) => void] {
  const storageKey = `draft.${key}`
  const [text, setText] = useState(() => tabMemory.getItem(storageKey) ?? '')
  return [
    text,
    (typed) => {
      tabMemory.setItem(storageKey, typed)
      setText(typed)
    },
  ]
}
