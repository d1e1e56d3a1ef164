/** "RW-…" and "RTX-…" stand where a transaction's hash will be once it is final. */
export function isInternalHash(hash: string): boolean {
  return hash.startsWith('RW-') || hash.startsWith('RTX-')
}
