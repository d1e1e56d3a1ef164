import { createPublicKey } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { bytesToHex, type Hex, hexToBytes, numberToHex, serializeSignature } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { type RecoverableSignature, WrongSignature } from './digest-signer.ts'

type Secp256k1Signature = InstanceType<typeof secp256k1.Signature>

/**
 * Reads a signature as key services return it: DER, with either s and without the recovery bit.
 * @throws WrongSignature unless it is a signature of the digest by the key of the address
 */
export function readDerSignature(
  der: Uint8Array,
  signed: { digest: Hex; address: Hex },
): RecoverableSignature {
  const signature = parse(der).normalizeS()
  for (const yParity of [0, 1] as const) {
    if (recover(signature, yParity, signed.digest) !== signed.address) continue
    const { r, s } = signature
    return { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity }
  }
  throw new WrongSignature(`The signature isn't by the key of ${signed.address}.`)
}

function parse(der: Uint8Array): Secp256k1Signature {
  try {
    return secp256k1.Signature.fromDER(der)
  } catch (cause) {
    throw new WrongSignature('The signer returned something that is not a signature.', { cause })
  }
}

function recover(signature: Secp256k1Signature, yParity: 0 | 1, digest: Hex): Hex | undefined {
  try {
    const key = signature.addRecoveryBit(yParity).recoverPublicKey(hexToBytes(digest))
    return addressOf(key.toRawBytes(false))
  } catch {
    // Not every r is the coordinate of a point of both parities.
    return undefined
  }
}

/** The 65 bytes that Tron expects: r, s, and 27 or 28. */
export function signatureBytes(signature: RecoverableSignature): Uint8Array {
  return hexToBytes(serializeSignature(signature))
}

/**
 * The address of a public key in the form that key services publish (SubjectPublicKeyInfo).
 * @throws RangeError when it is on another curve
 */
export function addressOfPublicKey(key: Uint8Array | string): Hex {
  const { crv, x, y } = createPublicKey(
    typeof key === 'string' ? key : { key: Buffer.from(key), format: 'der', type: 'spki' },
  ).export({ format: 'jwk' })
  if (crv !== 'secp256k1' || x === undefined || y === undefined) {
    throw new RangeError(`a key on secp256k1 is needed, not on ${crv ?? 'another curve'}`)
  }
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'))
  return addressOf(Buffer.concat([Buffer.of(4), left ?? Buffer.of(), right ?? Buffer.of()]))
}

function addressOf(uncompressed: Uint8Array): Hex {
  return publicKeyToAddress(bytesToHex(uncompressed)).toLowerCase() as Hex
}
