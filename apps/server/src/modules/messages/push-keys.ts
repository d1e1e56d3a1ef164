import { createECDH } from 'node:crypto'

const CURVE = 'prime256v1'
/** A point of the curve, uncompressed. */
const KEY_BYTES = 65
/** Libraries also read a second form of this length, with which no browser could decrypt. */
const UNCOMPRESSED = 4
const SECRET_BYTES = 16

/** Whether a browser's public key (base64url) is a point of the curve, so that a message can be encrypted for it. */
export function isPushKey(text: string): boolean {
  const key = Buffer.from(text, 'base64url')
  if (key.length !== KEY_BYTES || key[0] !== UNCOMPRESSED) return false
  const own = createECDH(CURVE)
  own.generateKeys()
  try {
    own.computeSecret(key)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Whether a browser's authentication secret (base64url) has the length that encryption needs. */
export function isPushSecret(text: string): boolean {
  return Buffer.from(text, 'base64url').length === SECRET_BYTES
}
