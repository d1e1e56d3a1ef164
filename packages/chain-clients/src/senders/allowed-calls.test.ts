import { rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import { getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { type DigestSigner, rawKeySigner } from '../signers/index.ts'
import {
  CallNotAllowed,
  encodeCall,
  evmSigner,
  restrictEvmSigner,
  restrictTronSigner,
  selectorsOf,
  tronSigner,
} from './index.ts'

const TOKEN: Hex = `0x${'ab'.repeat(20)}`
const OTHER: Hex = `0x${'cd'.repeat(20)}`
const transfer = encodeCall(tokenAbi, 'transfer', [OTHER, 5n])
const approve = encodeCall(tokenAbi, 'approve', [OTHER, 5n])
const ALLOWED = [{ contract: TOKEN, selectors: selectorsOf(tokenAbi, ['transfer']) }]
const anchor = { blockNumber: 1n, blockId: '00'.repeat(32), time: new Date(0) }

/** A key that counts how often it is used. */
function countingKey() {
  const own = rawKeySigner('11'.repeat(32))
  const used: Hex[] = []
  const key: DigestSigner = {
    address: own.address,
    signDigest(digest) {
      used.push(digest)
      return own.signDigest(digest)
    },
  }
  return { key, used }
}

function signersOf(key: DigestSigner) {
  const evm = restrictEvmSigner(evmSigner(key, 97), ALLOWED)
  const tron = restrictTronSigner(tronSigner(key), ALLOWED)
  return [
    (to: Hex | undefined, data: Hex) =>
      evm.sign({ ...(to && { to }), data, gas: 1n, gasPrice: 1n, nonce: 0 }),
    (to: Hex | undefined, data: Hex) =>
      tron.sign({ contract: to ?? '0x', data, feeLimitSun: 1n }, anchor, { lifeMs: 1, salt: 1 }),
  ]
}

test('a restricted key signs the calls that it is meant for, however the address of the contract is written', async () => {
  const { key, used } = countingKey()
  for (const sign of signersOf(key)) {
    await sign(TOKEN, transfer)
    await sign(getAddress(TOKEN), transfer)
  }
  expect(used).toHaveLength(4)
})

test.each([
  ['another contract', OTHER, transfer],
  ['another call of the contract', TOKEN, approve],
  ['a call without a function', TOKEN, '0x'],
  ['half a selector', TOKEN, transfer.slice(0, 6) as Hex],
  ['a new contract', undefined, transfer],
] as const)('a restricted key is not even asked to sign for %s', async (_what, to, data) => {
  const { key, used } = countingKey()
  for (const sign of signersOf(key)) await expect(sign(to, data)).rejects.toThrow(CallNotAllowed)
  expect(used).toEqual([])
})

test('only the named functions have their selectors included', () => {
  const payReward = encodeCall(rewardPoolAbi, 'payReward', ['P', OTHER, 0n, 1n])
  expect(selectorsOf(rewardPoolAbi, ['payReward'])).toEqual([payReward.slice(0, 10)])
})
