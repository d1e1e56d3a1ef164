import { createTronHttp } from '@dct/chain-clients'
import { tronSigner } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { hexToBytes } from 'viem'
import { expect, test } from 'vitest'
import { addressesOf } from '../../../testing/sender-chains.ts'

const host = useChainHost()

test('the error of a refused broadcast contains the node’s message', async () => {
  const node = createTronHttp({ url: host().tronUrl, timeoutMs: 10_000 })
  const signer = tronSigner(rawKeySigner('83'.repeat(32)))
  const { rewardPool: contract } = addressesOf(host())
  const call = { contract, data: '0x00', feeLimitSun: 1_000_000n } as const
  const anchor = await node.anchor()
  const { raw } = await signer.sign(call, anchor, { lifeMs: 600_000, salt: 1 })
  expect(await node.broadcast(raw)).toEqual({
    isAccepted: false,
    detail: expect.stringMatching(
      /^CONTRACT_VALIDATE_ERROR Contract validate error : account \[T\w{33}\] does not exist$/,
    ),
  })
  const late = await signer.sign(call, { ...anchor, time: new Date(0) }, { lifeMs: 1_000, salt: 1 })
  expect(await node.broadcast(late.raw)).toEqual({
    isAccepted: false,
    detail: 'TRANSACTION_EXPIRATION_ERROR Transaction expired',
  })
  expect(await node.broadcast(hexToBytes('0x00'))).toMatchObject({ isAccepted: false })
})
