import { encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { parseAmount } from '@dct/money'
import { concat, encodeDeployData, getContractAddress, type Hex, pad, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { RealApp } from './real-app.ts'
import { addressesOf, bscNodeOf, type Chains, callBsc, givenStake, PLAN } from './sender-chains.ts'
import { bearer, type TestUser } from './users.ts'

/** Makes a request to the real app with a user's session. */
export async function call(
  { app }: RealApp,
  user: TestUser,
  request: { method?: 'GET' | 'POST'; url: string; payload?: object },
) {
  const { method = 'GET', url, payload } = request
  const reply = await app.inject({
    method,
    url: `/api${url}`,
    headers: bearer(user),
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: reply.statusCode, body: reply.json() }
}

export async function devnet({ app }: RealApp, name: 'settle' | 'advance', payload: object = {}) {
  const reply = await app.inject({ method: 'POST', url: `/devnet/${name}`, payload })
  if (reply.statusCode !== 200) throw new Error(`${name}: ${reply.body}`)
}

/** A registered holder with 50 DCT locked on chain, whose cycles begin on the next business day. */
export async function givenRealHolder(real: RealApp, chains: Chains): Promise<TestUser> {
  const user = await real.givenUser()
  await joinOnChain(chains, user)
  return user
}

/** Locks 50 DCT of a user on chain. */
export async function joinOnChain(chains: Chains, { wallet }: TestUser): Promise<void> {
  const { privateKey, address, tronAddress } = wallet
  await chains.control.faucet({ tronAddress, dct: '50', trx: '10000' })
  const holder = { privateKey, tronAddress, address: toHex(address) }
  await givenStake(chains, { holder, amount: parseAmount('DCT', '50'), plan: PLAN })
}

export type Payer = { privateKey: Hex; address: Hex }

/** A BSC wallet with USDT and BNB. */
export async function givenPayer(chains: Chains): Promise<Payer> {
  const privateKey = generatePrivateKey()
  const address = privateKeyToAddress(privateKey).toLowerCase() as Hex
  await chains.control.faucet({ bscAddress: address, usdt: '1000', bnb: '1' })
  return { privateKey, address }
}

/** Creates a contract on BSC. @returns its address and the transaction's hash */
export async function createOnBsc(chains: Chains, payer: Payer, code: Hex) {
  const nonce = await bscNodeOf(chains).nonceOf(payer.address, 'pending')
  const address = getContractAddress({ from: payer.address, nonce: BigInt(nonce) })
  const txHash = await callBsc(chains, payer.privateKey, { data: code, gas: 3_000_000n })
  return { address: address.toLowerCase() as Hex, txHash }
}

export function deployCode(contract: Parameters<typeof encodeDeployData>[0]): Hex {
  return encodeDeployData(contract)
}

/**
 * Bytecode that runs once, when the contract is created, and makes several `transferFrom` calls: many payments in one
 * transaction, none of them sent by the payer's own wallet.
 */
export function manyTransfersCode(
  chains: Chains,
  from: Hex,
  transfers: readonly { to: Hex; amount: bigint }[],
): Hex {
  const { usdt } = addressesOf(chains)
  const calls = transfers.map(({ to, amount }) =>
    encodeCall(tokenAbi, 'transferFrom', [from, to, amount]),
  )
  const size = 100
  const steps = calls.map((_, index) => callStep(usdt, index * size, size))
  const copyLength = 11
  const offset = copyLength + steps.reduce((sum, step) => sum + (step.length - 2) / 2, 0) + 1
  const copy = concat([
    ...['0x61' as Hex, pad(toHex(size * calls.length), { size: 2 })],
    ...['0x61' as Hex, pad(toHex(offset), { size: 2 })],
    '0x61000039' as Hex,
    '0x5b' as Hex,
  ])
  return concat([copy, ...steps, '0x00', ...calls])
}

/** Bytecode for CALL(gas, token, 0, at, size, 0, 0), whose result is dropped. */
function callStep(token: Hex, at: number, size: number): Hex {
  return concat([
    ...['0x60006000' as Hex, '0x60' as Hex, toHex(size, { size: 1 })],
    ...['0x61' as Hex, pad(toHex(at), { size: 2 }), '0x6000' as Hex],
    ...['0x73' as Hex, token, '0x5af150' as Hex],
  ])
}
