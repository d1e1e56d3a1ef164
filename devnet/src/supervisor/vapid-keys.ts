import { createECDH } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The key that identifies this devnet to push services. It is generated only once, because a browser's subscription is
 * bound to the key that it was created with.
 */
export function vapidKey(folder: string): string {
  const file = join(folder, 'vapid.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).privateKey as string
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // A small private key has leading zeros, which must not be left out.
  const bytes = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
  const privateKey = bytes.toString('base64url')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify({ privateKey }), { mode: 0o600 })
  return privateKey
}
