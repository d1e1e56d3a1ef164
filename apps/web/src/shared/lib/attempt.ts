/**
 * What `read` returns, or undefined if it fails. For reading objects that others made, such as wallets: their getters
 * throw, and their fields have other types than agreed.
 */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
