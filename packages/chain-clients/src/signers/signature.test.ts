import { generateKeyPairSync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, recoverAddress } from 'viem'
import { expect, test } from 'vitest'
import { WrongSignature } from './digest-signer.ts'
import { rawKeySigner } from './raw-key.ts'
import { addressOfPublicKey, readDerSignature, signatureBytes } from './signature.ts'

const KEY = '11'.repeat(32)
const local = rawKeySigner(KEY)
const { address } = local
const ORDER = secp256k1.CURVE.n
const HIGHEST_LOW_S = ORDER / 2n

type Numbers = { r: bigint; s: bigint }
const digestNumber = (number: number) => keccak256(numberToHex(number))
const sign = (digest: Hex): Numbers => secp256k1.sign(hexToBytes(digest), KEY)
const derOf = ({ r, s }: Numbers) => new secp256k1.Signature(r, s).toDERRawBytes()

/** Finds a digest whose signature matches. */
function digestWith(matches: (signature: Numbers) => boolean): Hex {
  for (let number = 0; ; number += 1) {
    const digest = digestNumber(number)
    if (matches(sign(digest))) return digest
  }
}

async function expectRead(digest: Hex, der: Uint8Array): Promise<void> {
  const read = readDerSignature(der, { digest, address })
  expect(read).toEqual(await local.signDigest(digest))
  expect(BigInt(read.s)).toBeLessThanOrEqual(HIGHEST_LOW_S)
  const signature = bytesToHex(signatureBytes(read))
  expect(signature).toHaveLength(2 + 2 * 65)
  expect((await recoverAddress({ hash: digest, signature })).toLowerCase()).toBe(address)
}

const SHORT = 2n ** 247n
test.each([
  ['an ordinary signature', () => true],
  ['r below 32 bytes', ({ r }: Numbers) => r < SHORT],
  ['s below 32 bytes', ({ s }: Numbers) => s < SHORT],
  ['r that needs a leading zero in DER', ({ r }: Numbers) => r >= 2n ** 255n],
])(
  '%s becomes 65 bytes with the bit that recovers the key, with either s',
  async (_what, matches) => {
    const digest = digestWith(matches)
    const { r, s } = sign(digest)
    await expectRead(digest, derOf({ r, s }))
    await expectRead(digest, derOf({ r, s: ORDER - s }))
  },
)

test('both recovery bits occur, and each recovers the key', async () => {
  const parities = new Set<number>()
  for (let number = 0; number < 16; number += 1) {
    const digest = digestNumber(number)
    await expectRead(digest, derOf(sign(digest)))
    parities.add(readDerSignature(derOf(sign(digest)), { digest, address }).yParity)
  }
  expect(parities).toEqual(new Set([0, 1]))
})

test('a signature by another key or over another digest, and invalid bytes are refused', () => {
  const [digest, other] = [digestNumber(1), digestNumber(2)]
  const foreign = secp256k1.sign(hexToBytes(digest), '22'.repeat(32))
  const der = derOf(sign(digest))
  for (const bad of [
    ...[derOf(foreign), derOf(sign(other))],
    ...[der.slice(0, -1), Uint8Array.of(...der, 0), Uint8Array.of(), new Uint8Array(70)],
  ]) {
    expect(() => readDerSignature(bad, { digest, address })).toThrow(WrongSignature)
  }
})

test('a public key in DER or PEM gives the same address, and other curves are refused', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const { d = '' } = pair.privateKey.export({ format: 'jwk' })
  const expected = rawKeySigner(Buffer.from(d, 'base64url').toString('hex')).address
  expect(addressOfPublicKey(pair.publicKey.export({ format: 'der', type: 'spki' }))).toBe(expected)
  const pem = pair.publicKey.export({ format: 'pem', type: 'spki' })
  expect(addressOfPublicKey(pem.toString())).toBe(expected)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const otherCurve = publicKey.export({ format: 'der', type: 'spki' })
  expect(() => addressOfPublicKey(otherCurve)).toThrow(RangeError)
})
