import { hexToBytes } from 'viem'
import { type DigestSigner, SignerUnavailable } from './digest-signer.ts'
import { askKms, KMS_TIMEOUT_MS } from './kms-call.ts'
import { addressOfPublicKey, readDerSignature } from './signature.ts'

const SERVICE = 'AWS KMS'

/**
 * Signs with a key in AWS KMS (ECC_SECG_P256K1, for signing). Credentials and endpoint come from AWS's own settings,
 * and so does the region unless the key is named by its ARN.
 * @throws SignerUnavailable when the public key can't be read, RangeError when it is on another curve
 */
export async function awsKmsSigner(keyId: string): Promise<DigestSigner> {
  // Imported here, so that processes with another kind of key never load it.
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await import('@aws-sdk/client-kms')
  const region = /^arn:aws[\w-]*:kms:([\w-]+):/.exec(keyId)?.[1]
  const client = new KMSClient({
    ...(region !== undefined && { region }),
    requestHandler: { requestTimeout: KMS_TIMEOUT_MS, throwOnRequestTimeout: true },
  })
  const inTime = () => ({ abortSignal: AbortSignal.timeout(2 * KMS_TIMEOUT_MS) })
  const { PublicKey } = await askKms(SERVICE, () =>
    client.send(new GetPublicKeyCommand({ KeyId: keyId }), inTime()),
  )
  if (PublicKey === undefined) throw new SignerUnavailable(`${SERVICE} sent no public key.`)
  const address = addressOfPublicKey(PublicKey)
  return {
    address,
    async signDigest(digest) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: hexToBytes(digest),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      })
      const { Signature } = await askKms(SERVICE, () => client.send(command, inTime()))
      if (Signature === undefined) throw new SignerUnavailable(`${SERVICE} sent no signature.`)
      return readDerSignature(Signature, { digest, address })
    },
  }
}
