import { devTokenAbi, stakingAbi } from '@dct/contract-abi'
import { utils } from 'tronweb'
import { encodeFunctionData } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keyPairOf } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import chainParameters from '../testing/recorded/wallet-getchainparameters.json' with {
  type: 'json',
}
import { HTTP_REPLIES, RPC_ERRORS, RPC_RESULTS } from '../testing/recorded-replies.ts'
import { differences } from '../testing/reply-shape.ts'
import { useChainHost } from '../testing/test-host.ts'
import {
  asBytes,
  ayu,
  budi,
  demoAccount,
  type SignedTransaction,
  signedCall,
  signedTokenTransfer,
  tronWebOf,
} from '../testing/tron-client.ts'
import { fromBase58 } from './address.ts'

/** Provokes every kind of reply that a real node gave to the product, and compares the shapes. */
const chains = useChainHost()
const stranger = keyPairOf(`0x${'81'.repeat(32)}`)
const ayuHex = fromBase58(ayu.tronAddress)
const nowhere = `41${'ab'.repeat(20)}`

async function ask(path: string, body: unknown = {}): Promise<unknown> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${chains().tronUrl}/${path}`, { method: 'POST', body: text })
  expect(response.status).toBe(200)
  const type = path === 'jsonrpc' ? 'application/json-rpc' : 'application/json;charset=utf-8'
  expect(response.headers.get('content-type')).toBe(type)
  return response.json()
}

/** The names of all shapes that were provoked. */
const provoked = new Set<string>()

async function expectReply(
  name: keyof typeof HTTP_REPLIES,
  path: string,
  body?: unknown,
): Promise<void> {
  provoked.add(name)
  expect(differences(HTTP_REPLIES[name], await ask(path, body)), path).toEqual([])
}

function transfer(options: { from?: typeof ayu; amount?: bigint; feeLimit?: number } = {}) {
  const { from = ayu, amount = 1n, ...rest } = options
  const client = tronWebOf(chains(), from)
  return signedTokenTransfer(chains(), client, { to: budi.tronAddress, amount, ...rest })
}

async function send(signed: SignedTransaction): Promise<{ value: string }> {
  await expectReply('accepted', 'wallet/broadcasttransaction', signed)
  return { value: signed.txID }
}

/** A transfer that was changed before it was signed, for example to another chain's block or a past expiration. */
async function signedWith(change: object): Promise<SignedTransaction> {
  const client = tronWebOf(chains(), ayu)
  const { signature: _, ...unsigned } = await transfer()
  const changed = { ...unsigned, raw_data: { ...unsigned.raw_data, ...change } }
  const message = utils.transaction.txJsonToPb(changed as never)
  const txID = utils.transaction.txPbToTxID(message).replace(/^0x/, '')
  const raw_data_hex = utils.transaction.txPbToRawDataHex(message)
  const built = { ...changed, txID, raw_data_hex } as unknown as SignedTransaction
  return (await client.trx.sign(built)) as SignedTransaction
}

const tokenCall = (functionName: 'approve' | 'decimals', args: readonly unknown[] = []) => ({
  owner_address: ayuHex,
  contract_address: fromBase58(chains().deployment.tron.token),
  data: encodeFunctionData({ abi: devTokenAbi, functionName, args } as never).slice(2),
})
const failingCall = () => ({
  owner_address: ayuHex,
  contract_address: fromBase58(chains().deployment.tron.staking),
  data: encodeFunctionData({ abi: stakingAbi, functionName: 'release', args: [999n] }).slice(2),
})

beforeAll(async () => {
  // Uses up the account's free bandwidth, so that later transactions have to pay for theirs.
  await send(await transfer())
  await send(await transfer())
})

describe('a broadcast is refused with the messages of a real node', () => {
  test('when it is sent a second time', async () => {
    const signed = await transfer()
    await send(signed)
    await expectReply('duplicate', 'wallet/broadcasttransaction', signed)
  })

  test('with a signature that is short, missing or by another key', async () => {
    const signed = await transfer()
    const path = 'wallet/broadcasttransaction'
    await expectReply('shortSignature', path, { ...signed, signature: ['abcd'] })
    await expectReply('noSignature', path, { ...signed, signature: [] })
    const { signature } = await transfer({ from: budi })
    await expectReply('otherSigner', path, { ...signed, signature })
  })

  test('when it was made for another chain or has expired', async () => {
    const path = 'wallet/broadcasttransaction'
    await expectReply('otherChain', path, await signedWith({ ref_block_hash: '00'.repeat(8) }))
    const late = await signedWith({ expiration: 1_700_000_000_000 })
    await expectReply('expired', path, late)
    await expectReply('hexExpired', 'wallet/broadcasthex', { transaction: asBytes(late) })
  })

  test('from an account that does not exist or has too little', async () => {
    const path = 'wallet/broadcasttransaction'
    await expectReply('noAccount', path, await transfer({ from: stranger }))
    const client = tronWebOf(chains(), ayu)
    const unsigned = await client.transactionBuilder.sendTrx(
      budi.tronAddress,
      1e13,
      ayu.tronAddress,
    )
    await expectReply('tooPoorToSend', path, await client.trx.sign(unsigned))
    const poor = keyPairOf(`0x${'82'.repeat(32)}`)
    await chains().control.faucet({ tronAddress: poor.tronAddress, trx: '0.1', dct: '1' })
    await send(await transfer({ from: poor, feeLimit: 1_000 }))
    await expectReply('noBandwidth', path, await transfer({ from: poor }))
  })

  test('for a contract that does not exist', async () => {
    const missing = { contract_address: nowhere, owner_address: ayuHex, data: '00' }
    const value = { parameter: { value: missing, type_url: 'x' }, type: 'TriggerSmartContract' }
    const signed = await signedWith({ contract: [value] })
    await expectReply('noContract', 'wallet/broadcasttransaction', signed)
  })
})

describe('broadcasthex', () => {
  test('returns its message as text, and refuses invalid hex', async () => {
    const transaction = asBytes(await transfer())
    await expectReply('hexAccepted', 'wallet/broadcasthex', { transaction })
    await expectReply('hexNonsense', 'wallet/broadcasthex', { transaction: 'zz' })
  })
})

describe('the result of a transaction', () => {
  afterEach(() => chains().control.setTronBehaviour({ transactionsTimeOut: false }))
  const infoPath = 'wallet/gettransactioninfobyid'

  test('success, with paid and with free bandwidth', async () => {
    const paid = await send(await transfer())
    await expectReply('infoPaid', infoPath, paid)
    await expectReply('included', 'wallet/gettransactionbyid', paid)
    const { blockNumber } = (await ask(infoPath, paid)) as { blockNumber: number }
    await expectReply('callBlock', 'wallet/getblockbynum', { num: blockNumber })
    await expectReply('infoFree', infoPath, await send(await transfer({ from: demoAccount(3) })))
    await chains().control.finalize()
    await expectReply('infoPaid', 'walletsolidity/gettransactioninfobyid', paid)
  })

  test('failure: reverted, out of energy, without any TRX, out of time', async () => {
    const reverted = await send(await transfer({ amount: 10n ** 30n }))
    await expectReply('infoReverted', infoPath, reverted)
    await expectReply('includedReverted', 'wallet/gettransactionbyid', reverted)
    const { token, staking } = chains().deployment.tron
    const approval = { contract: token, abi: devTokenAbi, functionName: 'approve' }
    const args = [asArgument(staking), 1n] as const
    const options = { feeLimit: 1_000_000 }
    const short = await signedCall(tronWebOf(chains(), ayu), { ...approval, args }, options)
    await expectReply('infoNoEnergy', infoPath, await send(short))
    const none = await signedCall(tronWebOf(chains(), ayu), { ...approval, args }, { feeLimit: 1 })
    await expectReply('infoNothingLeft', infoPath, await send(none))
    await chains().control.setTronBehaviour({ transactionsTimeOut: true })
    await expectReply('infoTimeOut', infoPath, await send(await transfer()))
  })

  test('a TRX transfer', async () => {
    const client = tronWebOf(chains(), ayu)
    const { transaction } = await client.trx.sendTransaction(budi.tronAddress, 1)
    const moved = { value: transaction.txID }
    await expectReply('infoTransfer', infoPath, moved)
    const { blockNumber } = (await ask(infoPath, moved)) as { blockNumber: number }
    await expectReply('transferBlock', 'wallet/getblockbynum', { num: blockNumber })
  })

  test('an unknown transaction', async () => {
    const unknown = { value: '00'.repeat(32) }
    await expectReply('nothing', infoPath, unknown)
    await expectReply('nothing', 'wallet/gettransactionbyid', unknown)
    await expectReply('nothing', 'walletsolidity/gettransactionbyid', unknown)
    await expectReply('infoNonsense', infoPath, { value: 'zz' })
  })
})

test('constant calls and estimates', async () => {
  const approve = tokenCall('approve', [asArgument(chains().deployment.tron.staking), 5n])
  for (const service of ['wallet', 'walletsolidity']) {
    const path = `${service}/triggerconstantcontract`
    await expectReply('constant', path, tokenCall('decimals'))
    await expectReply('constantWithLogs', path, approve)
    await expectReply('constantReverted', path, failingCall())
    const missing = { ...approve, contract_address: nowhere }
    await expectReply('constantNoContract', path, missing)
  }
  await expectReply('constantVisible', 'wallet/triggerconstantcontract', {
    ...tokenCall('decimals'),
    owner_address: ayu.tronAddress,
    contract_address: chains().deployment.tron.token,
    visible: true,
  })
  await expectReply('estimate', 'wallet/estimateenergy', approve)
  await expectReply('estimateReverted', 'wallet/estimateenergy', failingCall())
  await chains().control.setTronBehaviour({ callsTimeOut: true })
  await expectReply('constantTimeOut', 'wallet/triggerconstantcontract', approve)
  await chains().control.setTronBehaviour({ callsTimeOut: false })
})

test('unsigned transactions from the builders', async () => {
  const approve = tokenCall('approve', [asArgument(chains().deployment.tron.staking), 5n])
  const path = 'wallet/triggersmartcontract'
  await expectReply('constant', path, tokenCall('decimals'))
  await expectReply('builtConstantNoEnergy', path, { ...tokenCall('decimals'), fee_limit: 1 })
  await expectReply('built', path, { ...approve, fee_limit: 1_000_000 })
  await expectReply('builtNoContract', path, { ...approve, contract_address: nowhere })
  const transferred = {
    owner_address: ayuHex,
    to_address: fromBase58(budi.tronAddress),
    amount: 1,
  }
  await expectReply('transfer', 'wallet/createtransaction', transferred)
  const tooLarge = { ...transferred, amount: 10 ** 15 }
  await expectReply('transferTooLarge', 'wallet/createtransaction', tooLarge)
})

test('accounts, blocks, addresses, the network, and paths that do not exist', async () => {
  await expectReply('account', 'wallet/getaccount', { address: ayuHex })
  await expectReply('nothing', 'wallet/getaccount', { address: nowhere })
  await expectReply('brokenBody', 'wallet/getaccount', '{')
  await expectReply('visibleNonsense', 'wallet/getaccount', { address: 'T123', visible: true })
  const contract = { address: fromBase58(chains().deployment.tron.staking) }
  await expectReply('contractAccount', 'wallet/getaccount', contract)
  await expectReply('resourceUsed', 'wallet/getaccountresource', { address: ayuHex })
  const unused = { address: fromBase58(demoAccount(5).tronAddress) }
  await expectReply('resourceUnused', 'wallet/getaccountresource', unused)
  await expectReply('nothing', 'wallet/getaccountresource', { address: nowhere })
  await chains().control.finalize()
  for (const service of ['wallet', 'walletsolidity']) {
    await expectReply('block', `${service}/getblock`, { detail: false })
  }
  await expectReply('validAddress', 'wallet/validateaddress', { address: ayu.tronAddress })
  await expectReply('witnesses', 'wallet/listwitnesses')
  await expectReply('burntTrx', 'wallet/getburntrx')
  await expectReply('chainParameters', 'wallet/getchainparameters')
  expect(await ask('wallet/getchainparameters')).toEqual(chainParameters[0]?.reply)
  const missing = await fetch(`${chains().tronUrl}/wallet/nosuch`, { method: 'POST', body: '{}' })
  expect(missing.status).toBe(405)
  expect(missing.headers.get('content-type')).toMatch(/^text\/html/)
})

describe('JSON-RPC', () => {
  let paid: string
  let moved: string
  let height: string

  beforeAll(async () => {
    const client = tronWebOf(chains(), ayu)
    paid = `0x${(await send(await transfer())).value}`
    const { transaction } = await client.trx.sendTransaction(budi.tronAddress, 1)
    moved = `0x${transaction.txID}`
    const info = await client.trx.getUnconfirmedTransactionInfo(paid.slice(2))
    height = `0x${info.blockNumber.toString(16)}`
  })

  async function rpc(method: string, params: readonly unknown[]): Promise<Record<string, unknown>> {
    const reply = await ask('jsonrpc', { jsonrpc: '2.0', id: 1, method, params })
    expect(reply).toMatchObject({ jsonrpc: '2.0', id: 1 })
    return reply as Record<string, unknown>
  }
  const expectResult = async (
    name: keyof typeof RPC_RESULTS,
    method: string,
    ...params: readonly unknown[]
  ) => {
    const { result } = await rpc(method, params)
    expect(differences(RPC_RESULTS[name], result), method).toEqual([])
  }

  test('results have the shapes of a real node', async () => {
    await expectResult('quantity', 'eth_blockNumber')
    await expectResult('quantity', 'eth_chainId')
    await expectResult('quantity', 'net_version')
    await expectResult('quantity', 'eth_getBalance', ayu.bscAddress, 'latest')
    const to = asArgument(chains().deployment.tron.token)
    await expectResult('hash', 'eth_call', { to, data: '0x313ce567' }, 'latest')
    const call = { from: ayu.bscAddress, to, data: `0x${tokenCall('decimals').data}` }
    await expectResult('quantity', 'eth_estimateGas', call)
    await expectResult('block', 'eth_getBlockByNumber', height, false)
    await expectResult('fullBlock', 'eth_getBlockByNumber', height, true)
    await expectResult('nothing', 'eth_getBlockByNumber', '0xffffff', false)
    await expectResult('transaction', 'eth_getTransactionByHash', paid)
    await expectResult('receipt', 'eth_getTransactionReceipt', paid)
    await expectResult('transferReceipt', 'eth_getTransactionReceipt', moved)
    await expectResult('nothing', 'eth_getTransactionReceipt', `0x${'00'.repeat(32)}`)
    await expectResult('logs', 'eth_getLogs', { fromBlock: height, toBlock: height, address: to })
    await expectResult('none', 'eth_getLogs', { fromBlock: '0xffff0', toBlock: '0xfffff' })
    await chains().control.mine({ chain: 'tron', blocks: 3 })
    await expectResult('emptyBlock', 'eth_getBlockByNumber', 'latest', false)
  })

  test('errors have the codes and messages of a real node', async () => {
    const [token, staking] = [
      asArgument(chains().deployment.tron.token),
      asArgument(chains().deployment.tron.staking),
    ]
    const missing = { to: `0x${'ab'.repeat(20)}`, data: '0x313ce567' }
    for (const [name, method, params] of [
      ['reverted', 'eth_call', [{ to: staking, data: `0x${failingCall().data}` }, 'latest']],
      ['stateOfNumber', 'eth_call', [{ to: token, data: '0x313ce567' }, '0x1']],
      ['noContract', 'eth_call', [missing, 'latest']],
      ['wrongRange', 'eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x1' }]],
      ['noParameters', 'eth_getBlockByNumber', []],
      ['noMethod', 'eth_nosuch', []],
    ] as const) {
      const { error } = await rpc(method, params)
      const wanted = RPC_ERRORS[name]
      expect(error, name).toEqual(
        name === 'reverted' ? { ...wanted, data: expect.stringMatching(/^0x[0-9a-f]{8}/) } : wanted,
      )
    }
  })
})

test('every kind of reply was provoked', () => {
  expect([...provoked].sort()).toEqual(Object.keys(HTTP_REPLIES).sort())
})

test('the comparison detects deviations', () => {
  const reply = { result: true, txid: 'ab'.repeat(32) }
  expect(differences(HTTP_REPLIES.accepted, reply)).toEqual([])
  expect(differences(HTTP_REPLIES.accepted, { ...reply, code: 'SUCCESS' })).toHaveLength(1)
  expect(differences(HTTP_REPLIES.accepted, { result: true })).toHaveLength(1)
  expect(differences(HTTP_REPLIES.accepted, { ...reply, txid: 'ab' })).toHaveLength(1)
  expect(differences(RPC_RESULTS.logs, [])).toHaveLength(1)
})
