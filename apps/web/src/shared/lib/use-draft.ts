import { useState } from 'react'

/** A text field's draft, which survives a reload of this tab. */
export function useDraft(key: string): [string, (text: string) => void] {
  const storageKey = `draft.${key}`
  const [text, setText] = useState(() => sessionStorage.getItem(storageKey) ?? '')
  return [
    text,
    (typed) => {
      sessionStorage.setItem(storageKey, typed)
      setText(typed)
    },
  ]
}
