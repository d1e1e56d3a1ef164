import { hexToBytes } from 'viem'
import type { HttpReply } from '../http/ask-http.ts'
import type { DigestSigner } from './digest-signer.ts'
import { askKms, KMS_LIMITS, sendToKms } from './kms-call.ts'
import { addressOfPublicKey, readDerSignature } from './signature.ts'

const SERVICE = 'Google Cloud KMS'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/**
 * Signs with a key in Google Cloud KMS (EC_SIGN_SECP256K1_SHA256). Credentials are Google's Application Default
 * Credentials.
 * @param version the full name of the key's version: projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…
 * @throws SignerUnavailable when the public key can't be read, RangeError when it is on another curve
 */
export async function googleKmsSigner(
  version: string,
  service = 'https://cloudkms.googleapis.com',
  limits = KMS_LIMITS,
): Promise<DigestSigner> {
  // Imported here, so that processes with another kind of key never load it.
  const { GoogleAuth } = await import('google-auth-library')
  const auth = new GoogleAuth({ scopes: SCOPE })
  // A service account signs its own tokens, so that Google's token service need not be up as well.
  auth.useJWTAccessWithScope = true
  const ask = (call: string, field: string, data?: object) =>
    askKms(SERVICE, limits, async () => {
      const url = `${service}/v1/${version}${call}`
      const credentials = Object.fromEntries(await auth.getRequestHeaders(url))
      const headers = { ...credentials, 'content-type': 'application/json' }
      const method = data === undefined ? 'GET' : 'POST'
      const body = data === undefined ? '' : JSON.stringify(data)
      const reply = await sendToKms({ method, url, headers, body }, limits)
      return readField(reply, field)
    })
  const address = addressOfPublicKey(await ask('/publicKey', 'pem'))
  return {
    address,
    async signDigest(digest) {
      // The key's algorithm is named after SHA-256, but the service signs any digest of that size.
      const sha256 = Buffer.from(hexToBytes(digest)).toString('base64')
      const signature = await ask(':asymmetricSign', 'signature', { digest: { sha256 } })
      return readDerSignature(Buffer.from(signature, 'base64'), { digest, address })
    },
  }
}

function readField({ status, body }: HttpReply, field: string): string {
  // Google's own description of an error is in its body, too.
  if (status !== 200) throw new Error(`${status} ${body}`)
  const reply: unknown = JSON.parse(body)
  const value: unknown = Object(reply)[field]
  if (typeof value === 'string') return value
  throw new Error(`It sent no ${field}.`)
}
