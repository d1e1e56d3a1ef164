import { devTokenAbi } from '@dct/contract-abi'
import { TronWeb, utils } from 'tronweb'
import { type Abi, encodeFunctionData } from 'viem'
import type { ChainHost } from '../chain-host.ts'
import type { JsonRpcResponse } from '../core/rpc.ts'
import { DEMO_ACCOUNTS, type KeyPair, keyPairOf } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import { fromBase58 } from '../tron/address.ts'
import type { Json } from '../tron/wire.ts'

/** An unmodified TronWeb with the key of a demo account. */
export function tronWebOf(host: ChainHost, key: KeyPair): TronWeb {
  return new TronWeb({ fullHost: host.tronUrl, privateKey: key.tronPrivateKey })
}

export function demoAccount(index: number): KeyPair {
  const account = DEMO_ACCOUNTS[index]
  if (!account) throw new Error(`there is no demo account ${index}`)
  return account
}

export const admin = demoAccount(0)
export const ayu = demoAccount(1)
export const budi = demoAccount(2)

/** Creates a wallet with some DCT, exactly this amount of TRX, and unused free bandwidth. */
export async function createWallet(host: ChainHost, seed: string, trx: string): Promise<KeyPair> {
  const wallet = keyPairOf(`0x${seed.repeat(32)}`)
  await host.control.faucet({ tronAddress: wallet.tronAddress, dct: '5', trx })
  return wallet
}

/** The node's raw reply, without a client library in between. */
export async function post(
  host: Pick<ChainHost, 'tronUrl'>,
  path: string,
  body: Json = {},
): Promise<Json> {
  return (await postJson(`${host.tronUrl}/${path}`, body)) as Json
}

/** The receipt of a transaction; `{}` if it is not in a block. */
export function readInfo(host: Pick<ChainHost, 'tronUrl'>, txId: string): Promise<Json> {
  return post(host, 'wallet/gettransactioninfobyid', { value: txId })
}

/** The TRX of an account, in sun. */
export async function trxOf(host: ChainHost, { tronAddress }: KeyPair): Promise<number> {
  const account = await post(host, 'wallet/getaccount', { address: fromBase58(tronAddress) })
  // Replies omit fields with their default value.
  return Number(account.balance ?? 0)
}

/** The free bandwidth that an account has used. */
export async function usedBandwidth(host: ChainHost, { tronAddress }: KeyPair): Promise<number> {
  const body = { address: fromBase58(tronAddress) }
  const { freeNetUsed = 0 } = await post(host, 'wallet/getaccountresource', body)
  return Number(freeNetUsed)
}

/** Calls a method over JSON-RPC. */
export async function askRpc(
  url: string,
  method: string,
  ...params: readonly unknown[]
): Promise<JsonRpcResponse> {
  return (await postJson(url, { jsonrpc: '2.0', id: 1, method, params })) as JsonRpcResponse
}

async function postJson(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return response.json()
}

export type SignedTransaction = Parameters<TronWeb['trx']['sendRawTransaction']>[0]

/** A signed contract call that has not been sent yet. */
export async function signedCall(
  client: TronWeb,
  call: { contract: string; abi: Abi; functionName: string; args: readonly unknown[] },
  { feeLimit = 100_000_000 }: { feeLimit?: number | undefined } = {},
): Promise<SignedTransaction> {
  const { contract, ...encoded } = call
  const { transaction } = await client.transactionBuilder.triggerSmartContract(contract, '', {
    feeLimit,
    input: encodeFunctionData(encoded).slice(2),
  })
  return (await client.trx.sign(transaction)) as SignedTransaction
}

/** A signed transfer of DCT. */
export function signedTokenTransfer(
  host: ChainHost,
  client: TronWeb,
  { to, amount, feeLimit }: { to: string; amount: bigint; feeLimit?: number },
): Promise<SignedTransaction> {
  const contract = host.deployment.tron.token
  const args = [asArgument(to), amount]
  const call = { contract, abi: devTokenAbi, functionName: 'transfer', args }
  return signedCall(client, call, { feeLimit })
}

/** A transaction's protobuf bytes as hex, for `broadcasthex`. */
export function asBytes(signed: SignedTransaction): string {
  const message = utils.transaction.txJsonToPb(signed as never)
  const signature = Buffer.from(`${signed.signature[0]}`.replace('0x', ''), 'hex')
  message.addSignature(signature.toString('base64'))
  return Buffer.from(message.serializeBinary()).toString('hex')
}

/** The code and message of a refused broadcast. */
export function refusalOf(reply: { code?: unknown; message?: string }): string {
  return `${reply.code}: ${Buffer.from(reply.message ?? '', 'hex').toString('utf8')}`
}
