import { rewardPoolAbi } from '@dct/contract-abi'
import { Trx, utils } from 'tronweb'
import { bytesToHex, encodeErrorResult, type Hex, keccak256, parseTransaction } from 'viem'
import { expect, test } from 'vitest'
import { rawKeySigner } from '../signers/index.ts'
import { decodeRevert, encodeCall, evmSigner, tronSigner } from './index.ts'

const KEY = '11'.repeat(32)
const CONTRACT: Hex = `0x${'ab'.repeat(20)}`
const anchor = {
  blockNumber: 0x3fe266bn,
  blockId: '0000000003fe266bce6d340282788569aa0102030405060708090a0b0c0d0e0f',
  time: new Date('2026-01-01T00:00:00Z'),
}
const call = {
  contract: CONTRACT,
  data: encodeCall(rewardPoolAbi, 'closePlan', ['PLAN-360']),
  feeLimitSun: 30_000_000n,
}
const options = { lifeMs: 600_000, salt: 1 }

test('a Tron call has the same bytes every time, the requested expiry and its key’s signature', async () => {
  const signer = tronSigner(rawKeySigner(KEY))
  const first = await signer.sign(call, anchor, options)
  expect(await signer.sign(call, anchor, options)).toEqual(first)
  expect(first.expiresAt).toEqual(new Date('2026-01-01T00:10:00Z'))

  const { Transaction } = (globalThis as unknown as { TronWebProto: TronProto }).TronWebProto
  const message = Transaction.deserializeBinary(first.raw)
  const rawHex = bytesToHex(message.getRawData().serializeBinary()).slice(2)
  const raw = utils.deserializeTx.deserializeTransaction('TriggerSmartContract', rawHex)
  expect(raw).toMatchObject({
    ref_block_bytes: '266B',
    ref_block_hash: 'CE6D340282788569',
    fee_limit: 30_000_000,
    expiration: first.expiresAt.getTime(),
  })
  const signed = {
    visible: false,
    txID: first.hash.slice(2),
    raw_data: raw,
    raw_data_hex: rawHex,
    signature: [bytesToHex(message.getSignatureList_asU8()[0] ?? new Uint8Array()).slice(2)],
  }
  const [recovered] = [Trx.ecRecover(signed as never)].flat()
  expect(recovered).toBe(utils.crypto.getBase58CheckAddress(addressBytes(signer.address)))
})

type TronProto = {
  Transaction: {
    deserializeBinary(bytes: Uint8Array): {
      getRawData(): { serializeBinary(): Uint8Array }
      getSignatureList_asU8(): Uint8Array[]
    }
  }
}

function addressBytes(address: Hex): number[] {
  return [0x41, ...Buffer.from(address.slice(2), 'hex')]
}

test('another attempt on the same block is a different transaction', async () => {
  const signer = tronSigner(rawKeySigner(KEY))
  const first = await signer.sign(call, anchor, options)
  const second = await signer.sign(call, anchor, { ...options, salt: 2 })
  expect(second.hash).not.toBe(first.hash)
})

test('a BSC call is a legacy transaction for its chain with the same bytes every time', async () => {
  const signer = evmSigner(rawKeySigner(KEY), 97)
  const transfer = { to: CONTRACT, data: '0x1234' as Hex, gas: 50_000n, gasPrice: 7n, nonce: 3 }
  const signed = await signer.sign(transfer)
  expect(await signer.sign(transfer)).toEqual(signed)
  expect(signed.hash).toBe(keccak256(signed.raw))
  expect(parseTransaction(bytesToHex(signed.raw))).toMatchObject({
    ...transfer,
    type: 'legacy',
    chainId: 97,
  })
  const dearer = await signer.sign({ ...transfer, gasPrice: 8n })
  expect(dearer.hash).not.toBe(signed.hash)
})

test('a revert is reported by name', () => {
  const paused = encodeErrorResult({ abi: rewardPoolAbi, errorName: 'EnforcedPause' })
  expect(decodeRevert(rewardPoolAbi, paused)).toBe('EnforcedPause')
  expect(decodeRevert(rewardPoolAbi, '0x')).toBe('reverted without a reason')
  expect(decodeRevert(rewardPoolAbi, '0xdeadbeef')).toBe('unknown error 0xdeadbeef')
})
