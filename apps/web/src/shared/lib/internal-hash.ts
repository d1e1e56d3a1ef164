/** Whether this is an internal reference ("RW-…" or "RTX-…"), a placeholder until the transaction's hash is final. */
export function isInternalHash(hash: string): boolean {
  return hash.startsWith('RW-') || hash.startsWith('RTX-')
}
