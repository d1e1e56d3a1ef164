import { decryptKeystoreJson, encryptKeystoreJson } from 'ethers/wallet'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { DigestSigner } from './digest-signer.ts'
import { rawKeySigner } from './raw-key.ts'

/** A keystore can't be opened. The message reveals neither the passphrase nor anything about the key. */
export class KeystoreError extends Error {
  override name = 'KeystoreError'
}

/** The cost that wallets use: about a second and 256 MiB for each guess of the passphrase. */
const SCRYPT = { N: 2 ** 18, r: 8, p: 1 }

/** @throws KeystoreError for a wrong passphrase, or a file that cannot be read */
export async function openKeystore(json: string, passphrase: string): Promise<DigestSigner> {
  try {
    // Tron's wallets write the address in base58; the caller checks the address of the signer.
    const { address: _, ...rest } = JSON.parse(json) as { address?: string }
    const { privateKey } = await decryptKeystoreJson(JSON.stringify(rest), passphrase)
    return rawKeySigner(privateKey)
  } catch {
    // The cause is left out, because it comes from code that handles the key.
    throw new KeystoreError('The passphrase is wrong, or the keystore is damaged.')
  }
}

/**
 * Encrypts a key in the V3 format.
 * @param privateKey 64 hex digits
 * @param cost of scrypt; a guess should be expensive
 */
export async function makeKeystore(
  privateKey: string,
  passphrase: string,
  cost = SCRYPT,
): Promise<string> {
  const key: Hex = `0x${privateKey}`
  const account = { address: privateKeyToAddress(key), privateKey: key }
  return encryptKeystoreJson(account, passphrase, { scrypt: cost })
}
