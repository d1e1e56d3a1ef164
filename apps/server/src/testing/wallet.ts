import { formatTronAddress } from '@dct/rules/addresses'
import { concat, type Hex, hexToBytes, keccak256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'

/** A test wallet: a key with the functions of a wallet extension. */
export type TestWallet = {
  privateKey: Hex
  address: Buffer
  tronAddress: string
  /** `signMessageV2`. */
  signText(text: string): Promise<Hex>
}

export function createWallet(privateKey: Hex = generatePrivateKey()): TestWallet {
  const address = Buffer.from(hexToBytes(privateKeyToAccount(privateKey).address))
  return {
    privateKey,
    address,
    tronAddress: formatTronAddress(address),
    signText: (text) => sign({ hash: tronDigest(text), privateKey, to: 'hex' }),
  }
}

function tronDigest(text: string): Hex {
  const length = Buffer.byteLength(text)
  return keccak256(concat([stringToHex(`\x19TRON Signed Message:\n${length}`), stringToHex(text)]))
}
