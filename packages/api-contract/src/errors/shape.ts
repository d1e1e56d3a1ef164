/** The type of a module's catalogue of errors. */
export type ErrorCatalogue = Record<
  string,
  { status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503; message: string }
>

/** Replaces each `{name}` in a message with the fact of that name. */
export function fillIn(message: string, facts: Readonly<Record<string, unknown>>): string {
  return message.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${facts[name] ?? ''}`)
}
