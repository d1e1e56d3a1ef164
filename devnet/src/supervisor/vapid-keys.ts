import { createECDH } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type VapidKeys = { publicKey: string; privateKey: string }

/**
 * The keys that identify this devnet to push services. They are generated only once, because a browser's subscription
 * is bound to the key that it was created with.
 */
export function vapidKeys(folder: string): VapidKeys {
  const file = join(folder, 'vapid.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as VapidKeys
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // A small private key has leading zeros, which must not be left out.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
  const keys = {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(keys), { mode: 0o600 })
  return keys
}
