import { hexToBytes } from 'viem'
import { type DigestSigner, SignerUnavailable } from './digest-signer.ts'
import { askKms, KMS_TIMEOUT_MS } from './kms-call.ts'
import { addressOfPublicKey, readDerSignature } from './signature.ts'

const SERVICE = 'Google Cloud KMS'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** Signing twice is harmless, so a call that the service was too busy for is repeated. */
const RETRIES = {
  retry: 2,
  httpMethodsToRetry: ['GET', 'POST'],
  statusCodesToRetry: [
    [429, 429],
    [500, 599],
  ],
}

/**
 * Signs with a key in Google Cloud KMS (EC_SIGN_SECP256K1_SHA256). Credentials are Google's Application Default
 * Credentials.
 * @param version the full name of the key's version: projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…
 * @throws SignerUnavailable when the public key can't be read, RangeError when it is on another curve
 */
export async function googleKmsSigner(
  version: string,
  service = 'https://cloudkms.googleapis.com',
): Promise<DigestSigner> {
  // Imported here, so that processes with another kind of key never load it.
  const { GoogleAuth } = await import('google-auth-library')
  const auth = new GoogleAuth({ scopes: SCOPE })
  // A service account signs its own tokens, so that Google's token service need not be up as well.
  auth.useJWTAccessWithScope = true
  const ask = <T>(call: string, data?: object) =>
    askKms(SERVICE, async () => {
      const reply = await auth.request<T>({
        url: `${service}/v1/${version}${call}`,
        ...(data === undefined ? { method: 'GET' } : { method: 'POST', data }),
        ...{ timeout: KMS_TIMEOUT_MS, retryConfig: RETRIES, responseType: 'json' },
      })
      return reply.data
    })
  const { pem } = await ask<{ pem?: string }>('/publicKey')
  if (pem === undefined) throw new SignerUnavailable(`${SERVICE} sent no public key.`)
  const address = addressOfPublicKey(pem)
  return {
    address,
    async signDigest(digest) {
      // The key's algorithm is named after SHA-256, but the service signs any digest of that size.
      const sha256 = Buffer.from(hexToBytes(digest)).toString('base64')
      const { signature } = await ask<{ signature?: string }>(':asymmetricSign', {
        digest: { sha256 },
      })
      if (signature === undefined) throw new SignerUnavailable(`${SERVICE} sent no signature.`)
      return readDerSignature(Buffer.from(signature, 'base64'), { digest, address })
    },
  }
}
