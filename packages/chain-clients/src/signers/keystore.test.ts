import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { KeystoreError, makeKeystore, openKeystore } from './keystore.ts'
import { isKeystore } from './keystore-format.ts'
import { rawKeySigner } from './raw-key.ts'

const KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const QUICK = { N: 2, r: 8, p: 1 }
const DIGEST = keccak256('0x01')

/** The example from the Web3 Secret Storage Definition, with the address in the form that Tron wallets use. */
const EXAMPLE = {
  address: 'TA59nQV1pBeFUZFEmXN3tEMwLFyV9VbR8m',
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      ...{ c: 262_144, dklen: 32, prf: 'hmac-sha256' },
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

test('the format’s published example can be opened', async () => {
  const signer = await openKeystore(JSON.stringify(EXAMPLE), 'testpassword')
  expect(await signer.signDigest(DIGEST)).toEqual(await rawKeySigner(KEY).signDigest(DIGEST))
})

test('a key can be read back from its keystore, which does not reveal it', async () => {
  const json = await makeKeystore(KEY, 'correct horse battery', QUICK)
  expect(isKeystore(json)).toBe(true)
  expect(json).not.toContain(KEY)
  expect(await makeKeystore(KEY, 'correct horse battery', QUICK)).not.toBe(json)
  expect((await openKeystore(json, 'correct horse battery')).address).toBe(
    rawKeySigner(KEY).address,
  )
})

test('a wrong passphrase or a damaged file is refused, and the error contains neither key nor passphrase', async () => {
  const json = await makeKeystore(KEY, 'correct horse battery', QUICK)
  const damaged = json.replace(/"mac":"[0-9a-f]{2}/, '"mac":"zz')
  for (const [text, passphrase] of [
    [json, 'correct horse'],
    [damaged, 'correct horse battery'],
    ['{"version":3}', 'correct horse battery'],
    ['nonsense', 'correct horse battery'],
  ] as const) {
    const error: Error = await openKeystore(text, passphrase).then(
      () => new Error('opened'),
      (reason: Error) => reason,
    )
    expect(error).toBeInstanceOf(KeystoreError)
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toMatch(
      /correct horse|7a28b5/,
    )
  }
})
