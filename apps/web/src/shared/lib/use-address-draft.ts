import { useState } from 'react'

/**
 * The draft of an input whose value is in the URL. The URL follows later than the typing, so the input shows its draft,
 * and ignores the values that it has sent itself when they come back; a value from elsewhere, such as Back or a reset,
 * replaces the draft. Every input that is bound to the URL needs this; otherwise it loses what is typed meanwhile.
 * @param value what the URL says
 * @returns the draft, a function that changes it, and one that sends a value to the URL
 */
export function useAddressDraft(
  value: string,
  onSend: (value: string) => void,
): [draft: string, setDraft: (typed: string) => void, send: (typed: string) => void] {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState<readonly string[]>([])
  if (value !== seen) {
    setSeen(value)
    const place = sent.indexOf(value)
    setSent(place < 0 ? [] : sent.slice(place + 1))
    if (place < 0) setDraft(value)
  }
  const send = (typed: string) => {
    setDraft(typed)
    if (typed === (sent.at(-1) ?? value)) return
    setSent([...sent, typed])
    onSend(typed)
  }
  return [draft, setDraft, send]
}
