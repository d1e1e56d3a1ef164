import { parseTronAddress } from '@dct/rules/addresses'
import { Refusal } from '../../platform/errors.ts'

/** Parses a Tron address of a request into its 20 bytes. @throws Refusal `BAD_ADDRESS` */
export function readTronAddress(text: string): Buffer {
  const bytes = parseTronAddress(text)
  if (bytes === undefined) throw new Refusal('BAD_ADDRESS')
  return Buffer.from(bytes)
}
