import { typedText } from '@dct/money'

const MAX_TEXT = 2_000
/** Digits that stand alone; longer runs are something else. A receiver without its 0x may be one of another chain. */
const ADDRESSES = /(?:^|[^\da-zA-Z])0[xX]([\da-fA-F]{40})(?![\da-zA-Z])/g
const HASHES = /(?:^|[^\da-zA-Z])(?:0[xX])?([\da-fA-F]{64})(?![\da-zA-Z])/g

/**
 * Finds the BSC address in what was typed or pasted: with spaces in it, in a link to an explorer, or behind a scheme
 * such as `ethereum:`. Its digits keep their case, which is a checksum.
 * @returns 0x and 40 digits; undefined when there is none, or several
 */
export function findEvmAddress(text: string): string | undefined {
  const digits = onlyMatch(text, ADDRESSES)
  return digits === undefined ? undefined : `0x${digits}`
}

/**
 * Finds the transaction hash in what was typed or pasted, in the same way or without its 0x; of any chain.
 * @returns 64 small digits, without 0x; undefined when there is none, or several
 */
export function findTransactionHash(text: string): string | undefined {
  return onlyMatch(text, HASHES)?.toLowerCase()
}

function onlyMatch(text: string, pattern: RegExp): string | undefined {
  if (text.length > MAX_TEXT) return undefined
  const typed = typedText(text)
  // Spaces are either around it, or within it, as in groups that are easy to compare.
  for (const form of [typed, typed.replaceAll(' ', '')]) {
    // The name of the network may precede the address, as in `ethereum:pay-0x…`.
    const found = new Set([...form.matchAll(pattern)].map(([, digits = '']) => digits))
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined
  }
  return undefined
}
