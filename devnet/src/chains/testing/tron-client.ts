import { devTokenAbi } from '@dct/contract-abi'
import { TronWeb } from 'tronweb'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { ChainHost } from '../chain-host.ts'
import { DEMO_ACCOUNTS, type KeyPair } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
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

/** The node's raw reply, without a client library in between. */
export async function post(host: ChainHost, path: string, body: Json = {}): Promise<Json> {
  const response = await fetch(`${host.tronUrl}/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return (await response.json()) as Json
}

export type SignedTransaction = Parameters<TronWeb['trx']['sendRawTransaction']>[0]

/** A signed contract call that has not been sent yet. */
export async function signedCall(
  client: TronWeb,
  call: { contract: string; abi: Abi; functionName: string; args: readonly unknown[] },
  options: { feeLimit?: number } = {},
): Promise<SignedTransaction> {
  const { contract, ...encoded } = call
  const { transaction } = await client.transactionBuilder.triggerSmartContract(contract, '', {
    feeLimit: options.feeLimit ?? 100_000_000,
    input: encodeFunctionData(encoded).slice(2),
  })
  return (await client.trx.sign(transaction)) as SignedTransaction
}

/** A signed transfer of DCT. */
export function signedTokenTransfer(
  host: ChainHost,
  client: TronWeb,
  transfer: { to: string; amount: bigint; feeLimit?: number },
): Promise<SignedTransaction> {
  const args: readonly [Hex, bigint] = [asArgument(transfer.to), transfer.amount]
  const { feeLimit } = transfer
  return signedCall(
    client,
    { contract: host.deployment.tron.token, abi: devTokenAbi, functionName: 'transfer', args },
    feeLimit === undefined ? {} : { feeLimit },
  )
}

/** The code and message of a refused broadcast. */
export function refusalOf(reply: { code?: unknown; message?: string }): string {
  return `${reply.code}: ${Buffer.from(reply.message ?? '', 'hex').toString('utf8')}`
}
