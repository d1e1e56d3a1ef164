import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256, recoverTransactionAddress, type TransactionSerializedLegacy, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { evmSigner } from '../senders/evm-signer.ts'
import { awsKmsSigner } from './aws-kms.ts'
import { type DigestSigner, SignerUnavailable, WrongSignature } from './digest-signer.ts'
import { googleKmsSigner } from './google-kms.ts'
import { rawKeySigner } from './raw-key.ts'
import { AWS_KEY, GOOGLE_KEY, type KmsStandIn, startKms } from './testing/kms-stand-in.ts'

const KEY = '5f'.repeat(32)
const local = rawKeySigner(KEY)
const DIGEST = keccak256('0x01')
const ORDER = secp256k1.CURVE.n

let kms: KmsStandIn
let ordinary: KmsStandIn['sign']
beforeAll(async () => {
  kms = await startKms(KEY)
  ordinary = kms.sign
})
afterAll(() => kms.stop())
beforeEach(() => {
  kms.sign = ordinary
  kms.failure = undefined
  kms.instead = undefined
  kms.signed.length = 0
  for (const [name, value] of Object.entries(kms.environment)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

/** Enough for a healthy stand-in, and soon over for a silent one. */
const LIMITS = { answerMs: 1_000, longestMs: 2_000 }
const SERVICES: [string, () => Promise<DigestSigner>][] = [
  ['AWS KMS', () => awsKmsSigner(AWS_KEY, LIMITS)],
  ['Google Cloud KMS', () => googleKmsSigner(GOOGLE_KEY, kms.url, LIMITS)],
]

test.each(SERVICES)(
  '%s returns the same signature as the key itself, and gets the digest unchanged',
  async (_name, open) => {
    const signer = await open()
    expect(signer.address).toBe(local.address)
    expect(await signer.signDigest(DIGEST)).toEqual(await local.signDigest(DIGEST))
    expect(kms.signed).toEqual([DIGEST])
  },
)

test.each(SERVICES)('a transaction signed by %s is from its key’s address', async (_name, open) => {
  const call = { to: local.address, data: '0x', gas: 21_000n, gasPrice: 7n, nonce: 3 } as const
  const { raw } = await evmSigner(await open(), 97).sign(call)
  const serializedTransaction = toHex(raw) as TransactionSerializedLegacy
  const from = await recoverTransactionAddress({ serializedTransaction })
  expect(from.toLowerCase()).toBe(local.address)
})

test('each service signs with the key that is named', async () => {
  const other = '6e'.repeat(32)
  const two = await startKms(KEY, other)
  onTestFinished(() => two.stop())
  for (const [name, value] of Object.entries(two.environment)) vi.stubEnv(name, value)
  const itself = rawKeySigner(other)
  for (const signer of [
    await awsKmsSigner(two.otherAwsKey, LIMITS),
    await googleKmsSigner(two.otherGoogleKey, two.url, LIMITS),
  ]) {
    expect(signer.address).toBe(itself.address)
    expect(await signer.signDigest(DIGEST)).toEqual(await itself.signDigest(DIGEST))
  }
})

test.each(SERVICES)('a high s from %s is replaced by the low one', async (_name, open) => {
  kms.sign = (digest) => {
    const { r, s } = secp256k1.sign(digest, KEY)
    return new secp256k1.Signature(r, ORDER - s).toDERRawBytes()
  }
  expect(await (await open()).signDigest(DIGEST)).toEqual(await local.signDigest(DIGEST))
})

test.each(SERVICES)('a signature from %s by another key is refused', async (_name, open) => {
  const signer = await open()
  kms.sign = (digest) => secp256k1.sign(digest, '60'.repeat(32)).toDERRawBytes()
  await expect(signer.signDigest(DIGEST)).rejects.toThrow(WrongSignature)
  kms.sign = () => Buffer.from('not a signature')
  await expect(signer.signDigest(DIGEST)).rejects.toThrow(WrongSignature)
})

test.each(SERVICES)(
  'a refusal by %s is reported with its message, without credentials',
  async (_name, open) => {
    const signer = await open()
    const message = 'the key is disabled'
    const error = { code: 403, message, status: 'FAILED_PRECONDITION' }
    kms.failure = { status: 403, body: { __type: 'DisabledException', message, error } }
    const failure: Error = await signer.signDigest(DIGEST).then(
      () => new Error('signed'),
      (reason: Error) => reason,
    )
    expect(failure).toBeInstanceOf(SignerUnavailable)
    expect(failure.message).toMatch(/KMS did not answer as it should\. .*the key is disabled/)
    expect(failure.cause).toBeUndefined()
    expect(failure.stack).not.toMatch(/secret access key|PRIVATE|Bearer/)
  },
)

test('opening a signer fails for an unknown key or an unreachable service', async () => {
  await expect(awsKmsSigner(AWS_KEY.replace('5d2a', '0000'))).rejects.toThrow(/NotFound/)
  await expect(googleKmsSigner(GOOGLE_KEY.replace(/1$/, '2'), kms.url)).rejects.toThrow(/not found/)
  await expect(googleKmsSigner(GOOGLE_KEY, 'http://127.0.0.1:1')).rejects.toThrow(SignerUnavailable)
})

const UNUSABLE: [string, KmsStandIn['instead']][] = [
  ['silence', () => undefined],
  ['a reply that never ends', (response) => response.writeHead(200).write('{')],
  ['a change of protocols', (_, { socket }) => socket.write(SWITCH)],
  ['a reply of a megabyte', (response) => response.end(`"${'x'.repeat(1_000_000)}"`)],
  ['HTML', (response) => response.end('<html>')],
  ['null', (response) => response.end('null')],
  ['a signature of another type', (response) => response.end('{"Signature":7,"signature":7}')],
]
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'

test.each(
  SERVICES.flatMap(([name, open]) =>
    UNUSABLE.map(([reply, instead]) => [name, reply, open, instead] as const),
  ),
)('%s is asked again later after %s', async (_name, _reply, open, instead) => {
  const signer = await open()
  kms.instead = instead
  await expect(signer.signDigest(DIGEST)).rejects.toThrow(SignerUnavailable)
  kms.instead = undefined
  expect(await signer.signDigest(DIGEST)).toEqual(await local.signDigest(DIGEST))
})

test.each(SERVICES)('a redirect by %s gets neither credentials nor belief', async (_name, open) => {
  const signer = await open()
  const other = await startKms(KEY)
  const asked: (string | undefined)[] = []
  other.instead = (response, { url }) => {
    asked.push(url)
    response.end('{}')
  }
  for (const status of [301, 302, 307, 308]) {
    kms.instead = (response) => response.writeHead(status, { location: other.url }).end()
    await expect(signer.signDigest(DIGEST)).rejects.toThrow(SignerUnavailable)
  }
  expect(asked).toEqual([])
  await other.stop()
})
