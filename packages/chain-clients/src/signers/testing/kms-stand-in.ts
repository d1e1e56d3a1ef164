import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1'
import { bytesToHex, type Hex } from 'viem'

type Answer = { status: number; body: unknown }
type Json = Record<string, unknown>
/** The body of the answer with this signature. */
type Signed = (der: string) => Json

export const GOOGLE_KEY =
  'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1' as const
export const AWS_KEY =
  'arn:aws:kms:eu-central-1:111122223333:key/5d2a8b8e-0000-4000-8000-000000000000'

const OTHER_AWS_KEY = AWS_KEY.replace(/0$/, '1')
const OTHER_GOOGLE_KEY = GOOGLE_KEY.replace(/1$/, '2')

const UNKNOWN_KEY: Answer = {
  status: 400,
  body: { __type: 'NotFoundException', message: 'Key does not exist' },
}

export type KmsStandIn = Awaited<ReturnType<typeof startKms>>

/**
 * A server with one key or two that implements the signing calls of AWS KMS and Google Cloud KMS.
 * Like them it refuses calls without credentials, other keys, and anything but a 32-byte digest.
 */
export async function startKms(privateKey: string, otherKey?: string) {
  const state = {
    /** Signs a digest. Tests replace it to return unusual or wrong signatures. */
    sign: (digest: Uint8Array, key = privateKey): Uint8Array =>
      secp256k1.sign(digest, key).toDERRawBytes(),
    /** Awaited before each signature. */
    beforeSigning: async (): Promise<void> => undefined,
    /** Answers instead of the service, if set. */
    instead: undefined as
      | ((response: ServerResponse, request: IncomingMessage) => void)
      | undefined,
    /** Returned instead of a signature, if set. */
    failure: undefined as Answer | undefined,
    /** The digests that were signed. */
    signed: [] as Hex[],
  }
  const signOrFail = async (message: unknown, answer: Signed, key = privateKey) => {
    const digest = Buffer.from(String(message), 'base64')
    if (digest.length !== 32) return { status: 400, body: { __type: 'ValidationException' } }
    await state.beforeSigning()
    if (state.failure !== undefined) return state.failure
    state.signed.push(bytesToHex(digest))
    return { status: 200, body: answer(Buffer.from(state.sign(digest, key)).toString('base64')) }
  }

  async function answerAws(target: string, body: Json): Promise<Answer> {
    const key = { [AWS_KEY]: privateKey, [OTHER_AWS_KEY]: otherKey }[`${body.KeyId}`]
    if (key === undefined) return UNKNOWN_KEY
    if (target === 'TrentService.GetPublicKey') {
      const PublicKey = publicKeyOf(key).export({ format: 'der', type: 'spki' }).toString('base64')
      return { status: 200, body: { KeyId: body.KeyId, KeySpec: 'ECC_SECG_P256K1', PublicKey } }
    }
    const isDigest = body.MessageType === 'DIGEST' && body.SigningAlgorithm === 'ECDSA_SHA_256'
    if (target !== 'TrentService.Sign' || !isDigest) {
      return { status: 400, body: { __type: 'ValidationException', message: target } }
    }
    return signOrFail(body.Message, (Signature) => ({ KeyId: body.KeyId, Signature }), key)
  }

  async function answerGoogle(call: string, body: Json): Promise<Answer> {
    const [, name = '', asked] = /^\w+ \/v1\/(.+?)(\/publicKey|:asymmetricSign)$/.exec(call) ?? []
    const key = { [GOOGLE_KEY]: privateKey, [OTHER_GOOGLE_KEY]: otherKey }[name]
    const algorithm = 'EC_SIGN_SECP256K1_SHA256'
    if (key !== undefined && asked === '/publicKey' && call.startsWith('GET ')) {
      const pem = publicKeyOf(key).export({ format: 'pem', type: 'spki' })
      return { status: 200, body: { name, algorithm, pem } }
    }
    if (key === undefined || asked !== ':asymmetricSign' || !call.startsWith('POST ')) {
      return {
        status: 404,
        body: { error: { code: 404, message: 'not found', status: 'NOT_FOUND' } },
      }
    }
    const { sha256 } = body.digest as { sha256: string }
    return signOrFail(sha256, (signature) => ({ name, signature }), key)
  }

  const server = createServer(async (request, response) => {
    const { authorization = '', 'x-amz-target': target } = request.headers
    const body = await readJson(request)
    if (state.instead !== undefined) return state.instead(response, request)
    const isSigned = authorization.startsWith(
      target === undefined ? 'Bearer ' : 'AWS4-HMAC-SHA256 ',
    )
    const answer = !isSigned
      ? { status: 403, body: { __type: 'AccessDeniedException' } }
      : target === undefined
        ? await answerGoogle(`${request.method} ${request.url}`, body)
        : await answerAws(`${target}`, body)
    const type = target === undefined ? 'application/json' : 'application/x-amz-json-1.1'
    response.writeHead(answer.status, { 'content-type': type }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'dct-kms-'))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    url,
    /** The names of the second key. */
    otherAwsKey: OTHER_AWS_KEY,
    otherGoogleKey: OTHER_GOOGLE_KEY,
    /** The environment variables that operators set for both services' libraries. */
    environment: {
      AWS_ENDPOINT_URL_KMS: url,
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'an example of a secret access key',
      GOOGLE_APPLICATION_CREDENTIALS: writeServiceAccount(folder),
    },
    stop: async () => {
      rmSync(folder, { recursive: true })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : JSON.parse(text)
}

function publicKeyOf(privateKey: string) {
  const point = Buffer.from(secp256k1.getPublicKey(privateKey, false))
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' })
}

function writeServiceAccount(folder: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const path = join(folder, 'service-account.json')
  const account = {
    ...{ type: 'service_account', project_id: 'p', client_email: 'signer@p.example' },
    ...{ private_key_id: 'k', private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
  }
  writeFileSync(path, JSON.stringify(account), { mode: 0o600 })
  return path
}
