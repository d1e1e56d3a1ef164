import type { TronWeb } from 'tronweb'
import { beforeAll, expect, test } from 'vitest'
import { useChainHost } from '../testing/test-host.ts'
import {
  askRpc,
  ayu,
  budi,
  post,
  readInfo,
  refusalOf,
  type SignedTransaction,
  signedTokenTransfer,
  tronWebOf,
} from '../testing/tron-client.ts'

const chains = useChainHost()
let client: TronWeb
beforeAll(() => {
  client = tronWebOf(chains(), ayu)
})

test('a transaction is included once', async () => {
  const signed = await signedTokenTransfer(chains(), client, { to: budi.tronAddress, amount: 3n })
  expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true })
  const again = await client.trx.sendRawTransaction(signed)
  expect(refusalOf(again)).toBe('DUP_TRANSACTION_ERROR: Dup transaction.')
})

test('a change after signing and a signature by another key are detected', async () => {
  const host = chains()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 4n })
  const tampered: SignedTransaction = structuredClone(signed)
  tampered.raw_data.fee_limit = 200_000_000
  expect(refusalOf(await client.trx.sendRawTransaction(tampered))).toMatch(
    /^SIGERROR: Validate signature error: .* it is not contained of permission\.$/,
  )
  const other = await signedTokenTransfer(host, tronWebOf(host, budi), {
    to: ayu.tronAddress,
    amount: 4n,
  })
  const borrowed: SignedTransaction = { ...signed, signature: other.signature }
  expect((await client.trx.sendRawTransaction(borrowed)).code).toBe('SIGERROR')
  const short: SignedTransaction = { ...signed, signature: ['ab'.repeat(64)] }
  expect(refusalOf(await client.trx.sendRawTransaction(short))).toBe(
    'SIGERROR: Validate signature error: Signature size is 64',
  )
})

test('a transaction expires by the chain’s time', async () => {
  const host = chains()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 5n })
  const { nowMs } = await host.control.info()
  await host.control.advanceTo({ timestampMs: nowMs + 120_000 })
  expect(refusalOf(await client.trx.sendRawTransaction(signed))).toBe(
    'TRANSACTION_EXPIRATION_ERROR: Transaction expired',
  )
})

test('a transaction built on an orphaned block is refused', async () => {
  const host = chains()
  const { token } = host.deployment.tron
  // Built by TronWeb itself, on the head.
  const { transaction } = await client.transactionBuilder.triggerSmartContract(
    token,
    'transfer(address,uint256)',
    { feeLimit: 100_000_000, txLocal: true },
    [
      { type: 'address', value: budi.tronAddress },
      { type: 'uint256', value: 6 },
    ],
  )
  const signed = await client.trx.sign(transaction)
  await host.control.reorg({ chain: 'tron', depth: 4 })
  expect(refusalOf(await client.trx.sendRawTransaction(signed))).toBe(
    'TAPOS_ERROR: Tapos check error.',
  )
})

test('a transaction from an orphaned block is gone and can be sent again', async () => {
  const host = chains()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 7n })
  await client.trx.sendRawTransaction(signed)
  await orphanBlockOf(signed, { keepTransactions: false })
  expect(await client.trx.getUnconfirmedTransactionInfo(signed.txID)).toEqual({})
  await expect(client.trx.getTransaction(signed.txID)).rejects.toThrow('Transaction not found')
  expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true })
  const first = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  const before = await client.trx.getBlockByNumber(first.blockNumber)

  await orphanBlockOf(signed, { keepTransactions: true })
  const second = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  expect(second.receipt.result).toBe('SUCCESS')
  const after = await client.trx.getBlockByNumber(second.blockNumber)
  expect(after.transactions?.map(({ txID }) => txID)).toEqual([signed.txID])
  expect(after.blockID).not.toBe(before.blockID)
  expect(second.blockTimeStamp).toBeGreaterThanOrEqual(first.blockTimeStamp)
})

/** Replaces the block of a transaction and all later blocks. */
async function orphanBlockOf(
  { txID }: SignedTransaction,
  options: { keepTransactions: boolean },
): Promise<void> {
  const { control } = chains()
  await control.pauseMining()
  const { blockNumber } = await readInfo(chains(), txID)
  const { tron } = await control.info()
  const depth = tron.head.number - Number(blockNumber) + 1
  await control.reorg({ chain: 'tron', depth, ...options })
  await control.resumeMining()
}

test('while mining is paused a transaction waits, and can be dropped', async () => {
  const host = chains()
  const kept = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 8n })
  const dropped = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 9n })
  await host.control.pauseMining()
  try {
    expect(await client.trx.sendRawTransaction(dropped)).toMatchObject({ result: true })
    expect(await post(host, 'wallet/gettransactionfrompending', { value: dropped.txID })).toEqual(
      expect.objectContaining({ txID: dropped.txID }),
    )
    expect((await client.trx.sendRawTransaction(dropped)).code).toBe('DUP_TRANSACTION_ERROR')
    await host.control.dropTransactions()
    expect(await client.trx.sendRawTransaction(kept)).toMatchObject({ result: true })
    expect(await client.trx.getUnconfirmedTransactionInfo(kept.txID)).toEqual({})
  } finally {
    await host.control.resumeMining()
  }
  expect((await client.trx.getUnconfirmedTransactionInfo(kept.txID)).receipt.result).toBe('SUCCESS')
  expect(await client.trx.getUnconfirmedTransactionInfo(dropped.txID)).toEqual({})
})

test('the solidity node shows only final data', async () => {
  const host = chains()
  await host.control.finalize()
  await host.control.pauseMining()
  try {
    const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 10n })
    await client.trx.sendRawTransaction(signed)
    const before = await client.trx.getBalance(ayu.tronAddress)
    await host.control.mine({ chain: 'tron', blocks: 1 })
    const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
    const { blockNumber } = info
    const number = { num: blockNumber }
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual({})
    expect(await post(host, 'walletsolidity/gettransactioninfobyblocknum', number)).toEqual([])
    expect(await post(host, 'wallet/gettransactioninfobyblocknum', number)).toEqual([info])
    expect(await post(host, 'walletsolidity/getblockbynum', number)).toEqual({})

    await host.control.mine({ chain: 'tron', blocks: 1 })
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual({})
    expect(await client.trx.getBalance(ayu.tronAddress)).toBe(before)

    await host.control.mine({ chain: 'tron', blocks: 1 })
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual(info)
    expect(await post(host, 'walletsolidity/gettransactioninfobyblocknum', number)).toEqual([info])
    const solid = await client.trx.getConfirmedCurrentBlock()
    expect(solid.block_header.raw_data.number).toBe(blockNumber)
    expect(await client.trx.getBalance(ayu.tronAddress)).toBe(before - (info.fee ?? 0))
  } finally {
    await host.control.resumeMining()
  }
})

test('/walletsolidity lags behind `finalized` by the configured number of blocks, and its height never decreases', async () => {
  const host = chains()
  await host.control.finalize()
  const solidNumber = async () => {
    const block = await client.trx.getConfirmedCurrentBlock()
    return block.block_header.raw_data.number
  }
  await host.control.pauseMining()
  try {
    const before = await solidNumber()
    await host.control.setTronBehaviour({ solidityLag: 2 })
    expect(await solidNumber()).toBe(before)
    const { tron } = await host.control.info()
    expect(tron.final.number).toBe(before + 2)
    expect(await finalizedNumber(host)).toBe(before + 2)

    const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 12n })
    await client.trx.sendRawTransaction(signed)
    await host.control.mine({ chain: 'tron', blocks: 1 })
    const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
    await host.control.mine({ chain: 'tron', blocks: 2 })
    expect(await finalizedNumber(host)).toBe(info.blockNumber)
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual({})
    await host.control.mine({ chain: 'tron', blocks: 1 })
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual({})
    await host.control.mine({ chain: 'tron', blocks: 1 })
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual(info)
  } finally {
    await host.control.setTronBehaviour({ solidityLag: 0 })
    await host.control.resumeMining()
  }
  await expect(host.control.setTronBehaviour({ solidityLag: -1 })).rejects.toThrow(RangeError)
})

async function finalizedNumber({ tronJsonRpcUrl }: ReturnType<typeof chains>): Promise<number> {
  const { result } = await askRpc(tronJsonRpcUrl, 'eth_getBlockByNumber', 'finalized', false)
  return Number((result as { number: string }).number)
}
