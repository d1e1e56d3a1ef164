type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const FIELDS = 'input, textarea, select'
const NOT_TYPED = ['checkbox', 'radio', 'file', 'submit', 'button', 'hidden']
/** How long fields may take to appear again. */
const WITHIN_MS = 5_000

/**
 * Keeps what was typed into the page's fields while the page is rendered anew.
 * @returns a function that types it again, once the fields are there
 */
export function keepTypedTexts(): () => void {
  const kept = new Map<string, string>()
  for (const [name, field] of fields()) if (field.value !== '') kept.set(name, field.value)
  return () => {
    const type = () => {
      for (const [name, field] of fields()) {
        const text = kept.get(name)
        if (text === undefined || !kept.delete(name) || field.value === text) continue
        // React hears only of a value that was set behind its back.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(
          field,
          text,
        )
        field.dispatchEvent(new Event('input', { bubbles: true }))
        field.dispatchEvent(new Event('change', { bubbles: true }))
      }
      if (kept.size === 0) observer.disconnect()
    }
    const observer = new MutationObserver(type)
    observer.observe(document.body, { childList: true, subtree: true })
    setTimeout(() => observer.disconnect(), WITHIN_MS)
    type()
  }
}

/** The page's fields, each with a name that it has again after the page was rendered anew. */
function fields(): [string, Field][] {
  const all = [...document.querySelectorAll<Field>(FIELDS)]
  const typed = all.filter(({ type, isConnected }) => isConnected && !NOT_TYPED.includes(type))
  const seen = new Map<string, number>()
  return typed.map((field) => {
    const label = field.labels?.[0]?.textContent ?? ''
    const given = [field.tagName, label, field.name, field.getAttribute('aria-label')]
    const name = given.join('|')
    const place = seen.get(name) ?? 0
    seen.set(name, place + 1)
    return [`${name}|${place}`, field]
  })
}
