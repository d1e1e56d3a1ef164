import { MOST_KNOWN_CODES } from '@dct/rules/constants'
import { storedList } from '../../shared/lib/stored-list.ts'
import { deviceMemory } from '../../shared/storage/memory.ts'

const STORAGE_KEY = 'claimCodes'
const CODE = /^CL-[0-9A-F]{16}$/

/**
 * Codes of claims that were made on this device, newest first. A service whose backup is restored may have lost a claim: its
 * code proves whose it was, so that its fee is not asked for again.
 */
export function knownCodes(): string[] {
  return storedList(deviceMemory, STORAGE_KEY, isCode).slice(0, MOST_KNOWN_CODES)
}

export function rememberCode(code: string): void {
  const others = knownCodes().filter((known) => known !== code)
  deviceMemory.setItem(STORAGE_KEY, JSON.stringify([code, ...others].slice(0, MOST_KNOWN_CODES)))
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value)
}
