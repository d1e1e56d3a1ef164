/** A service that holds keys and signs with them, as Google's does: behind the network, and out of reach now and then. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'

/** Where the service's library finds it. */
export const KEY_SERVICE = 'cloudkms.googleapis.com'
const RING = 'projects/simulation/locations/here/keyRings/ring/cryptoKeys'
const CALL = new RegExp(
  `^/v1/${RING}/k([0-9a-f]{64})/cryptoKeyVersions/1(/publicKey|:asymmetricSign)$`,
)

/** The name of a key at the service. The simulated service needs no other book of its keys. */
export function nameAtService(key: Hex): string {
  return `${RING}/k${key.slice(2)}/cryptoKeyVersions/1`
}

export function answerOfKeyService({ pathname }: URL, body: string): string {
  const [, key, call] = CALL.exec(pathname) ?? []
  if (key === undefined) return '{}'
  if (call === '/publicKey') return JSON.stringify({ pem: publicKeyOf(key) })
  return JSON.stringify({ signature: signatureOf(key, JSON.parse(body).digest.sha256) })
}

function publicKeyOf(key: string): string {
  const point = Buffer.from(secp256k1.getPublicKey(key, false))
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const jwk = { kty: 'EC', crv: 'secp256k1', x, y }
  return `${createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })}`
}

function signatureOf(key: string, sha256: string): string {
  const signature = secp256k1.sign(Buffer.from(sha256, 'base64'), key)
  return Buffer.from(signature.toDERRawBytes()).toString('base64')
}

/** Writes the account with which the library signs its calls. */
export function writeServiceAccount(path: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = {
    ...{ type: 'service_account', project_id: 'simulation', client_email: 'signer@example.org' },
    ...{ private_key_id: 'k', private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
  }
  writeFileSync(path, JSON.stringify(account), { mode: 0o600 })
}
