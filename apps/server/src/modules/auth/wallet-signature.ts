import { type Hex, hexToBytes, keccak256, recoverAddress, stringToBytes } from 'viem'

const PREFIX = '\x19TRON Signed Message:\n'
/**
 * Half of the order of secp256k1. Every signature has a twin with an s above it, which no supported wallet produces.
 */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const FIRST_RECOVERY_BYTE = 27
const RECOVERY_BYTES = new Set(['00', '01', '1b', '1c'])

/**
 * Recovers the signer of a text signed with `signMessageV2`: 20 bytes, or undefined when the signature is malformed.
 * Accepts only the 65-byte form with a low s; the recovery byte may be 0/1 or 27/28 and the 0x may be missing, as some
 * hardware wallets write it. The caller compares the signer. A signature has several encodings, so it cannot protect
 * against replay: the nonce does.
 */
export async function signerOf(text: string, signature: string): Promise<Uint8Array | undefined> {
  const digits = /^(?:0x)?([0-9a-f]{130})$/i.exec(signature)?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  const isLow = BigInt(`0x${digits.slice(64, 128)}`) <= MAX_S
  if (!isLow || !RECOVERY_BYTES.has(digits.slice(128))) return undefined
  try {
    return hexToBytes(await recoverAddress({ hash: digestOf(text), signature: `0x${digits}` }))
  } catch {
    // r or s is 0 or beyond the order, or r belongs to no point: not a valid signature.
    return undefined
  }
}

/** The digest that `signMessageV2` signs: of the prefix, the length in bytes, and the text in UTF-8. */
function digestOf(text: string): Hex {
  const bytes = stringToBytes(text)
  return keccak256(Buffer.concat([stringToBytes(`${PREFIX}${bytes.length}`), bytes]))
}

/** A signature that `signerOf` accepted, in the form that contracts accept: 65 bytes that end with 27 or 28. */
export function contractSignature(signature: string): Buffer {
  const bytes = Buffer.from(signature.replace(/^0x/, ''), 'hex')
  const recovery = bytes.at(-1) ?? 0
  bytes[bytes.length - 1] =
    recovery < FIRST_RECOVERY_BYTE ? recovery + FIRST_RECOVERY_BYTE : recovery
  return bytes
}
