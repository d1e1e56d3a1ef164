import { hexToBytes } from 'viem'
import type { DigestSigner } from './digest-signer.ts'
import { askKms, KMS_LIMITS, type KmsLimits, sendToKms } from './kms-call.ts'
import { addressOfPublicKey, readDerSignature } from './signature.ts'

const SERVICE = 'AWS KMS'

/**
 * Signs with a key in AWS KMS (ECC_SECG_P256K1, for signing). Credentials and endpoint come from AWS's own settings,
 * and so does the region unless the key is named by its ARN.
 * @throws SignerUnavailable when the public key can't be read, RangeError when it is on another curve
 */
export async function awsKmsSigner(keyId: string, limits = KMS_LIMITS): Promise<DigestSigner> {
  // Imported here, so that processes with another kind of key never load it.
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await import('@aws-sdk/client-kms')
  const region = /^arn:aws[\w-]*:kms:([\w-]+):/.exec(keyId)?.[1]
  const client = new KMSClient({
    ...(region !== undefined && { region }),
    requestHandler: { handle: (request: AwsRequest) => handle(request, limits) },
  })
  const ask = (field: string, call: () => Promise<object>) =>
    askKms(SERVICE, limits, async () => {
      const value: unknown = Reflect.get(await call(), field)
      if (value instanceof Uint8Array) return value
      throw new Error(`It sent no ${field}.`)
    })
  const asked = new GetPublicKeyCommand({ KeyId: keyId })
  const address = addressOfPublicKey(await ask('PublicKey', () => client.send(asked)))
  return {
    address,
    async signDigest(digest) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: hexToBytes(digest),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      })
      const signature = await ask('Signature', () => client.send(command))
      return readDerSignature(signature, { digest, address })
    },
  }
}

/** A request of AWS's library, whose calls of this service are all POST. */
type AwsRequest = {
  protocol: string
  hostname: string
  port?: number
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

async function handle(
  { protocol, hostname, port, path, headers, body }: AwsRequest,
  limits: KmsLimits,
) {
  const url = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`
  // The library's own kind of array complains when its value is asked for, as Buffer.from does.
  const content = typeof body === 'object' ? Buffer.copyBytesFrom(body) : Buffer.from(body ?? '')
  const reply = await sendToKms({ method: 'POST', url, headers, body: content }, limits)
  const single = Object.entries(reply.headers).map(([name, value]) => [name, `${value}`])
  return {
    response: {
      statusCode: reply.status,
      headers: Object.fromEntries(single) as Record<string, string>,
      body: Buffer.from(reply.body),
    },
  }
}
