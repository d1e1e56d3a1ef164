import fc from 'fast-check'
import { utils } from 'tronweb'
import { hashMessage, hexToBigInt, numberToHex, pad, parseSignature } from 'viem'
import { sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createWallet } from '../../testing/wallet.ts'
import { signerOf } from './wallet-signature.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const wallet = createWallet()
const TEXT = 'Log in. This does not move any funds.\nNonce: é 1'

async function recovered(signature: string, text = TEXT) {
  const signer = await signerOf(text, signature)
  return signer === undefined ? undefined : Buffer.from(signer).toString('hex')
}
const own = wallet.address.toString('hex')

test('the signer of an unmodified TronWeb signature is recovered', async () => {
  const signature = utils.message.signMessage(TEXT, wallet.privateKey.slice(2))
  expect(await recovered(signature)).toBe(own)
  expect(await wallet.signText(TEXT)).toBe(signature)
})

test('[T006] hardware wallets may leave out 0x and count the recovery byte from 0', async () => {
  const signature = await wallet.signText(TEXT)
  const low = `${signature.slice(0, -2)}0${Number(signature.endsWith('1c'))}`
  expect(await recovered(signature.slice(2))).toBe(own)
  expect(await recovered(low)).toBe(own)
  expect(await recovered(`0x${signature.slice(2).toUpperCase()}`)).toBe(own)
})

test('[T006] the equivalent signature with a high s is refused', async () => {
  const { r, s, yParity } = parseSignature(await wallet.signText(TEXT))
  const twin = pad(numberToHex(ORDER - hexToBigInt(s)), { size: 32 })
  expect(await recovered(`${r}${twin.slice(2)}${yParity === 0 ? '1c' : '1b'}`)).toBeUndefined()
})

test('[T006] only 65 bytes with a valid recovery byte are accepted', async () => {
  const signature = await wallet.signText(TEXT)
  const odd = [
    '',
    '0x',
    signature.slice(0, -2),
    `${signature}00`,
    `${signature.slice(0, -2)}02`,
    `${signature.slice(0, -2)}1d`,
    `${signature.slice(0, -2)}zz`,
    ` ${signature}`,
    `${signature}\n`,
    `0x${'00'.repeat(64)}1b`,
    `0x${'00'.repeat(32)}${signature.slice(66)}`,
    `${signature.slice(0, 66)}${'00'.repeat(32)}1b`,
    `0x${'ff'.repeat(32)}${signature.slice(66)}`,
    `0x${'ab'.repeat(5_000)}`,
  ]
  for (const text of odd) expect(await recovered(text), text.slice(0, 140)).toBeUndefined()
})

test('[T006] a signature by the older scheme or by Ethereum’s recovers another address', async () => {
  const legacyHeader = `\x19TRON Signed Message:\n32${TEXT}`
  const { keccak256, stringToBytes } = await import('viem')
  const legacy = await sign({
    hash: keccak256(stringToBytes(legacyHeader)),
    privateKey: wallet.privateKey,
    to: 'hex',
  })
  const ethereum = await sign({
    hash: hashMessage(TEXT),
    privateKey: wallet.privateKey,
    to: 'hex',
  })
  expect(await recovered(legacy)).not.toBe(own)
  expect(await recovered(ethereum)).not.toBe(own)
})

test('[T004] a signature is accepted exactly when the wallet signed this text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (signed, checked) => {
      const signature = await wallet.signText(signed)
      expect((await recovered(signature, checked)) === own).toBe(signed === checked)
    }),
    { numRuns: 100 },
  )
})

test('[T004] changing any byte of a signature changes the recovered signer', async () => {
  const signature = await wallet.signText(TEXT)
  for (let at = 2; at < 130; at += 1) {
    const digit = signature[at] === '0' ? '1' : '0'
    const changed = signature.slice(0, at) + digit + signature.slice(at + 1)
    expect(await recovered(changed)).not.toBe(own)
  }
})
