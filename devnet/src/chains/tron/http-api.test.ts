import { beforeAll, describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '../setup/keys.ts'
import { checkHttpReply } from '../testing/node-description.ts'
import { useChainHost } from '../testing/test-host.ts'
import {
  ayu,
  budi,
  post,
  type SignedTransaction,
  signedTokenTransfer,
  tronWebOf,
} from '../testing/tron-client.ts'
import { fromBase58 } from './address.ts'
import type { Json } from './wire.ts'

const chains = useChainHost()
const ayuHex = fromBase58(ayu.tronAddress)
const budiHex = fromBase58(budi.tronAddress)

async function get(path: string, query: Record<string, string> = {}): Promise<Json> {
  const parameters = new URLSearchParams(query)
  return (await (await fetch(`${chains().tronUrl}/${path}?${parameters}`)).json()) as Json
}

/** Makes one transaction with each outcome. */
async function makeHistory(): Promise<Record<'success' | 'failure' | 'energy', SignedTransaction>> {
  const host = chains()
  const client = tronWebOf(host, ayu)
  const to = budi.tronAddress
  const history = {
    success: await signedTokenTransfer(host, client, { to, amount: 1n }),
    failure: await signedTokenTransfer(host, client, { to, amount: 10n ** 30n }),
    energy: await signedTokenTransfer(host, client, { to, amount: 2n, feeLimit: 50_000 }),
  }
  for (const signed of Object.values(history)) await client.trx.sendRawTransaction(signed)
  await client.trx.sendTransaction(to, 5)
  await host.control.finalize()
  return history
}

describe('replies conform to those of a real node', () => {
  let history: Awaited<ReturnType<typeof makeHistory>>

  beforeAll(async () => {
    history = await makeHistory()
  })

  /** Calls by POST, checks the reply, and repeats the call by GET if a real node supports that. */
  async function ask(name: string, body: Json = {}): Promise<Json> {
    const reply = await post(chains(), `wallet/${name}`, body)
    expect(checkHttpReply(name, reply), `post ${name}`).toEqual([])
    return reply
  }

  async function askBoth(name: string, body: Json = {}): Promise<Json> {
    const reply = await ask(name, body)
    const query = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, `${value}`]))
    const again = await get(`wallet/${name}`, query)
    expect(checkHttpReply(name, again), `get ${name}`).toEqual([])
    expect(Object.keys(again)).toEqual(Object.keys(reply))
    return reply
  }

  test('the comparison detects deviations', async () => {
    const block = await post(chains(), 'wallet/getnowblock')
    expect(checkHttpReply('getnowblock', { ...block, hash: 'ab' })).not.toEqual([])
    expect(checkHttpReply('getnowblock', { ...block, blockID: 7 })).not.toEqual([])
  })

  test('blocks', async () => {
    const { blockNumber } = await ask('gettransactioninfobyid', { value: history.success.txID })
    const block = await askBoth('getblockbynum', { num: blockNumber })
    expect(block.transactions).toHaveLength(1)
    expect(await askBoth('getblockbyid', { value: block.blockID })).toEqual(block)
    await askBoth('getnowblock')
    await askBoth('getblock', { detail: false })
    expect(await ask('getblock', { id_or_num: `${blockNumber}`, detail: true })).toEqual(block)
    expect(await ask('getblock', { id_or_num: block.blockID })).not.toHaveProperty('transactions')
    const range = { startNum: Number(blockNumber), endNum: Number(blockNumber) + 2 }
    expect((await askBoth('getblockbylimitnext', range)).block).toHaveLength(2)
    expect((await askBoth('getblockbylatestnum', { num: 3 })).block).toHaveLength(3)
    expect(await askBoth('gettransactioncountbyblocknum', { num: blockNumber })).toEqual({
      count: 1,
    })
    expect(await ask('getblockbynum', { num: 1_000_000 })).toEqual({})
  })

  test('transactions and their receipts, of every outcome', async () => {
    for (const { txID } of Object.values(history)) {
      const info = await askBoth('gettransactioninfobyid', { value: txID })
      await askBoth('gettransactionbyid', { value: txID })
      await askBoth('gettransactioninfobyblocknum', { num: info.blockNumber })
    }
    const transaction = await ask('gettransactionbyid', { value: history.success.txID })
    expect(transaction).toMatchObject({
      ret: [{ contractRet: 'SUCCESS' }],
      txID: history.success.txID,
      raw_data: history.success.raw_data,
      raw_data_hex: history.success.raw_data_hex,
    })
    const failed = await ask('gettransactionbyid', { value: history.failure.txID })
    expect(failed.ret).toEqual([{ contractRet: 'REVERT' }])
    expect(await ask('gettransactioninfobyid', { value: '00'.repeat(32) })).toEqual({})
    expect(await ask('gettransactioninfobyblocknum', { num: 1 })).toEqual([])
  })

  test('accounts and contracts', async () => {
    const { token } = chains().deployment.tron
    const account = await askBoth('getaccount', { address: ayuHex })
    expect(account).toMatchObject({ address: ayuHex, balance: expect.any(Number) })
    await askBoth('getaccountnet', { address: ayuHex })
    await askBoth('getaccountresource', { address: ayuHex })
    expect(await ask('getaccount', { address: fromBase58(token) })).toMatchObject({
      type: 'Contract',
    })
    const contract = await askBoth('getcontract', { value: fromBase58(token) })
    expect(contract).toMatchObject({ name: 'DevToken', contract_address: fromBase58(token) })
    const { abi } = contract as { abi: { entrys: Json[] } }
    expect(abi.entrys).toContainEqual(
      expect.objectContaining({ name: 'decimals', type: 'Function', stateMutability: 'Pure' }),
    )
    await askBoth('getcontractinfo', { value: fromBase58(token) })
    for (const { tronAddress } of DEMO_ACCOUNTS) {
      expect(await askBoth('validateaddress', { address: tronAddress })).toMatchObject({
        result: true,
      })
    }
    expect(await ask('validateaddress', { address: 'T123' })).toMatchObject({ result: false })
  })

  test('calls, estimates, builders and refusals', async () => {
    const { token } = chains().deployment.tron
    const call = {
      owner_address: ayuHex,
      contract_address: fromBase58(token),
      function_selector: 'transfer(address,uint256)',
      parameter: `${budi.bscAddress.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    }
    const constant = await ask('triggerconstantcontract', call)
    expect(constant).toMatchObject({ constant_result: [`${'1'.padStart(64, '0')}`] })
    expect(constant.logs).toHaveLength(1)
    const reverted = { ...call, parameter: call.parameter.replace(/.{64}$/, 'f'.repeat(64)) }
    expect(await ask('triggerconstantcontract', reverted)).toMatchObject({
      transaction: { ret: [{ ret: 'FAILED' }] },
    })
    expect(await ask('estimateenergy', reverted)).toMatchObject({
      result: { code: 'CONTRACT_EXE_ERROR' },
    })
    await ask('estimateenergy', call)
    await ask('triggersmartcontract', { ...call, fee_limit: 1_000_000, Permission_id: 2 })
    await ask('triggersmartcontract', { ...call, contract_address: ayuHex })
    const transfer = { owner_address: ayuHex, to_address: budiHex, amount: 1 }
    expect(await ask('createtransaction', transfer)).toHaveProperty('raw_data_hex')
    expect(await ask('createtransaction', { ...transfer, amount: 10 ** 14 })).toEqual({
      Error: expect.stringMatching(/balance is not sufficient/),
    })
    expect(await ask('broadcasttransaction', { ...history.success })).toMatchObject({
      code: 'DUP_TRANSACTION_ERROR',
    })
    await ask('broadcasthex', { transaction: '0a' })
    await ask('broadcasttransaction', {})
  })

  test('the node, its prices and parameters', async () => {
    await askBoth('getnodeinfo')
    await askBoth('getchainparameters')
    await askBoth('getenergyprices')
    await askBoth('getbandwidthprices')
    await askBoth('getpendingsize')
    await askBoth('listwitnesses')
    await askBoth('getburntrx')
  })
})

test('with `visible`, addresses are T… and messages are plain text, in requests and in replies', async () => {
  const host = chains()
  const built = await post(host, 'wallet/triggersmartcontract', {
    owner_address: ayu.tronAddress,
    contract_address: host.deployment.tron.token,
    function_selector: 'transfer(address,uint256)',
    parameter: `${budi.bscAddress.slice(2).padStart(64, '0')}${'f'.repeat(64)}`,
    fee_limit: 100_000_000,
    visible: true,
  })
  const unsigned = built.transaction as SignedTransaction
  expect(unsigned.visible).toBe(true)
  expect(unsigned.raw_data.contract[0]?.parameter.value).toMatchObject({
    owner_address: ayu.tronAddress,
    contract_address: host.deployment.tron.token,
  })
  const { utils } = await import('tronweb')
  const signed = utils.crypto.signTransaction(ayu.tronPrivateKey, { ...unsigned })
  expect(await post(host, 'wallet/broadcasttransaction', { ...signed })).toEqual({
    result: true,
    txid: unsigned.txID,
  })
  expect(await post(host, 'wallet/broadcasttransaction', { ...signed })).toEqual({
    code: 'DUP_TRANSACTION_ERROR',
    txid: unsigned.txID,
    message: 'Dup transaction.',
  })
  const info = { value: unsigned.txID, visible: true }
  expect(await post(host, 'wallet/gettransactioninfobyid', info)).toMatchObject({
    contract_address: host.deployment.tron.token,
    resMessage: 'REVERT opcode executed',
  })
  const account = { address: ayu.tronAddress, visible: 'true' }
  expect(await get('wallet/getaccount', account)).toMatchObject({ address: ayu.tronAddress })
})

test('a GET request can ask for integers as strings', async () => {
  const query = { address: `${ayuHex}`, int64_as_string: 'true' }
  expect(await get('wallet/getaccount', query)).toMatchObject({
    balance: expect.stringMatching(/^\d+$/),
  })
})

test('pages of any origin can call it', async () => {
  const { tronUrl } = chains()
  const asked = await fetch(`${tronUrl}/wallet/getnowblock`, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org', 'access-control-request-headers': 'content-type' },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  const reply = await fetch(`${tronUrl}/wallet/getnowblock`)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
})

test('a body that is too large is refused', async () => {
  const reply = await fetch(`${chains().tronUrl}/wallet/broadcasthex`, {
    method: 'POST',
    body: JSON.stringify({ transaction: '00'.repeat(3_000_000) }),
  })
  expect(reply.status).toBe(413)
})
