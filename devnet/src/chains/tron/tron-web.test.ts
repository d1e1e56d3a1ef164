import { devTokenAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { devTokenBytecode } from '@dct/contract-abi/bytecode'
import { TronWeb } from 'tronweb'
import { decodeErrorResult, encodeAbiParameters } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { keyPairOf } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import { useChainHost } from '../testing/test-host.ts'
import {
  asBytes,
  ayu,
  budi,
  demoAccount,
  post,
  refusalOf,
  signedCall,
  signedTokenTransfer,
  tronWebOf,
} from '../testing/tron-client.ts'

const stranger = keyPairOf(`0x${'5a'.repeat(32)}`)
const chains = useChainHost()
let client: TronWeb
beforeAll(() => {
  client = tronWebOf(chains(), ayu)
})

test('one URL serves as full node, solidity node and event server', async () => {
  expect(await client.isConnected()).toEqual({
    fullNode: true,
    solidityNode: true,
    eventServer: true,
  })
})

test('the first block contains the chain id, where wallets read it', async () => {
  const [first, second] = await Promise.all([client.trx.getBlock(0), client.trx.getBlock(1)])
  expect(`0x${first.blockID.slice(-8)}`).toBe('0xcd8690dc')
  expect(second.block_header.raw_data.parentHash).toBe(first.blockID)
  await expect(client.trx.getBlock(1_000_000)).rejects.toThrow('Block not found')
})

test('a contract is deployed to the address that its creator computed in advance', async () => {
  const constructorInputs = [{ type: 'address' }]
  const unsigned = await client.transactionBuilder.createSmartContract({
    name: 'Second token',
    abi: JSON.stringify(devTokenAbi) as never,
    bytecode: devTokenBytecode.slice(2),
    feeLimit: 1_000_000_000,
    rawParameter: encodeAbiParameters(constructorInputs, [asArgument(ayu.tronAddress)]),
  } as never)
  const signed = await client.trx.sign(unsigned)
  expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true })

  // Its ABI is read from the chain.
  const token = await client.contract().at(unsigned.contract_address)
  expect(await token.decimals().call()).toBe(6n)
  expect(await token.owner().call()).toBe(TronWeb.address.toHex(ayu.tronAddress))
  const info = await client.trx.getUnconfirmedTransactionInfo(unsigned.txID)
  expect(info.contract_address).toBe(unsigned.contract_address)
  expect(info.log?.[0]?.address).toBe(unsigned.contract_address.slice(2))
})

test('a call reads, a send writes, and polling waits until it is final', async () => {
  const host = chains()
  const token = await client.contract().at(host.deployment.tron.token)
  const before: bigint = await token.balanceOf(budi.tronAddress).call()
  const [txId, output] = await token
    .transfer(budi.tronAddress, 2_500_000)
    .send({ feeLimit: 100_000_000, shouldPollResponse: true, keepTxID: true })
  expect(output).toBe(true)
  const after: bigint = await token.balanceOf(budi.tronAddress).call()
  expect(after - before).toBe(2_500_000n)
  const info = await client.trx.getTransactionInfo(txId)
  expect(info.receipt.result).toBe('SUCCESS')
  expect(info).not.toHaveProperty('result')
})

test('energy and bandwidth are paid for from the owner’s TRX', async () => {
  const before = await client.trx.getUnconfirmedBalance(ayu.tronAddress)
  const signed = await signedTokenTransfer(chains(), client, { to: budi.tronAddress, amount: 1n })
  await client.trx.sendRawTransaction(signed)
  const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  const after = await client.trx.getUnconfirmedBalance(ayu.tronAddress)
  expect(info.receipt.energy_usage_total).toBeGreaterThan(1_000)
  const { energy_usage_total: energy = 0, net_fee: netFee = 0 } = info.receipt
  expect(info.fee).toBe(energy * 100 + netFee)
  expect(before - after).toBe(info.fee)
})

test('the estimate equals the energy used afterwards', async () => {
  const host = chains()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 2n })
  const call = signed.raw_data.contract[0]?.parameter.value
  const constant = await post(host, 'wallet/triggerconstantcontract', { ...call })
  const estimate = await post(host, 'wallet/estimateenergy', { ...call })
  await client.trx.sendRawTransaction(signed)
  const { receipt } = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  expect(constant.energy_used).toBe(receipt.energy_usage_total)
  expect(estimate.energy_required).toBeGreaterThanOrEqual(receipt.energy_usage_total ?? 0)
})

test('a revert is mined, paid for and shows its reason', async () => {
  const host = chains()
  const call = {
    contract: host.deployment.tron.staking,
    abi: stakingAbi,
    functionName: 'joinStake',
    args: [1n, 'PLAN-360', 360n],
  }
  const signed = await signedCall(client, call)
  expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true })
  const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  expect(info.result).toBe('FAILED')
  expect(info.receipt.result).toBe('REVERT')
  expect(info.fee).toBeGreaterThan(0)
  expect(info).not.toHaveProperty('log')
  const data = `0x${info.contractResult[0]}` as const
  expect(decodeErrorResult({ abi: stakingAbi, data })).toEqual({
    abiItem: expect.anything(),
    errorName: 'Staking_AmountOutOfRange',
    args: [1n],
  })
  const resMessage = `${info.resMessage}`
  expect(client.toUtf8(resMessage)).toBe('REVERT opcode executed')
  const simulated = await post(host, 'wallet/triggerconstantcontract', {
    ...signed.raw_data.contract[0]?.parameter.value,
  })
  expect(simulated.constant_result).toEqual(info.contractResult)
  const { staking } = host.deployment.tron
  await expect(
    client.transactionBuilder.triggerConstantContract(staking, 'release(uint256)', {}, [
      { type: 'uint256', value: 99 },
    ]),
  ).rejects.toThrow('REVERT opcode executed')
})

test('too low a fee limit ends in OUT_OF_ENERGY and burns the whole limit', async () => {
  const host = chains()
  const before = await client.trx.getUnconfirmedBalance(ayu.tronAddress)
  const transfer = { to: budi.tronAddress, amount: 1n, feeLimit: 100_000 }
  const signed = await signedTokenTransfer(host, client, transfer)
  await client.trx.sendRawTransaction(signed)
  const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  expect(info.receipt.result).toBe('OUT_OF_ENERGY')
  expect(info.contractResult).toEqual([''])
  expect(client.toUtf8(`${info.resMessage}`)).toMatch(/^Not enough energy for/)
  const spent = before - (await client.trx.getUnconfirmedBalance(ayu.tronAddress))
  expect(spent).toBe(100_000 + (info.receipt.net_fee ?? 0))
})

test('an owner without TRX for energy runs out of energy, whatever the fee limit', async () => {
  const host = chains()
  const poor = keyPairOf(`0x${'5b'.repeat(32)}`)
  await host.control.faucet({ tronAddress: poor.tronAddress, dct: '5', trx: '0.000100' })
  const client = tronWebOf(host, poor)
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 1n })
  await client.trx.sendRawTransaction(signed)
  const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID)
  expect(info.receipt.result).toBe('OUT_OF_ENERGY')
  expect(await client.trx.getUnconfirmedBalance(poor.tronAddress)).toBe(0)
})

test('an account that never held TRX does not exist', async () => {
  const host = chains()
  const client = tronWebOf(host, stranger)
  expect(await client.trx.getUnconfirmedAccount(stranger.tronAddress)).toEqual({})
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 1n })
  expect(refusalOf(await client.trx.sendRawTransaction(signed))).toBe(
    `CONTRACT_VALIDATE_ERROR: Contract validate error : account [${stranger.tronAddress}] does not exist`,
  )
})

test('TRX transfers arrive; the first one to an account pays for its creation', async () => {
  const fresh = keyPairOf(`0x${'5c'.repeat(32)}`).tronAddress
  const first = await client.trx.sendTransaction(fresh, 3_000_000)
  expect(first.result).toBe(true)
  expect(await client.trx.getUnconfirmedBalance(fresh)).toBe(3_000_000)
  const { txID } = first.transaction
  const paid = await client.trx.getUnconfirmedTransactionInfo(txID)
  expect(paid.fee).toBe(1_100_000)
  expect(paid.receipt).toEqual({ net_fee: 100_000 })
  const before = await client.trx.getUnconfirmedBalance(ayu.tronAddress)
  const second = await client.trx.sendTransaction(fresh, 1)
  const { fee = 0 } = await client.trx.getUnconfirmedTransactionInfo(second.transaction.txID)
  expect(fee).toBeLessThan(300_000)
  expect(before - (await client.trx.getUnconfirmedBalance(ayu.tronAddress))).toBe(1 + fee)
})

test('transfers of more TRX than owned, to oneself, or to a contract are refused', async () => {
  const host = chains()
  const send = async (to: string, amount: number) => {
    const unsigned = await client.transactionBuilder.sendTrx(to, amount, ayu.tronAddress)
    return refusalOf(await client.trx.sendRawTransaction(await client.trx.sign(unsigned)))
  }
  expect(await send(budi.tronAddress, 1e13)).toMatch(/balance is not sufficient/)
  expect(await send(host.deployment.tron.token, 1)).toMatch(
    /Cannot transfer TRX to a smartContract/,
  )
  await expect(send(ayu.tronAddress, 1)).rejects.toThrow(/transfer TRX to the same account/)
})

test('a transaction can be sent as bytes', async () => {
  const host = chains()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 11n })
  const reply = await client.trx.sendHexTransaction(asBytes(signed))
  expect(reply).toMatchObject({ result: true, txid: signed.txID })
})

test('a message signed by TronWeb is verified by it', async () => {
  const signature = client.trx.signMessageV2('Nonce: é', ayu.tronPrivateKey)
  expect(await client.trx.verifyMessageV2('Nonce: é', signature)).toBe(ayu.tronAddress)
})

test('prices, limits and node information can be queried', async () => {
  const parameters = await client.trx.getChainParameters()
  expect(parameters).toContainEqual({ key: 'getEnergyFee', value: 100 })
  expect(await client.trx.getEnergyPrices()).toBe('0:100')
  const { tronAddress: unused } = demoAccount(6)
  expect(await client.trx.getBandwidth(unused)).toBe(600)
  expect(await client.trx.getAccountResources(ayu.tronAddress)).toMatchObject({ freeNetLimit: 600 })
  const info = await client.trx.getNodeInfo()
  expect(info.configNodeInfo.codeVersion).toBe('4.8.2')
})

test('queries for unknown objects get the node’s usual reply', async () => {
  const host = chains()
  const nowhere = `41${'99'.repeat(20)}`
  const contract = client.contract(rewardPoolAbi, nowhere)
  await expect(contract.methods.token?.().call()).rejects.toThrow('Smart contract is not exist.')
  await expect(
    contract.methods.bindStaking?.(ayu.tronAddress).send({ feeLimit: 100_000_000 }),
  ).rejects.toThrow('No contract or not a valid smart contract')
  expect(await post(host, 'wallet/getcontract', { value: nowhere })).toEqual({})
  expect(await post(host, 'wallet/getaccount', { address: 'nonsense' })).toEqual({
    Error: expect.stringMatching(/^class .*ParseException : /),
  })
  expect((await fetch(`${host.tronUrl}/wallet/nosuchcall`)).status).toBe(404)
  expect((await fetch(`${host.tronUrl}/walletsolidity/broadcasttransaction`)).status).toBe(404)
})
