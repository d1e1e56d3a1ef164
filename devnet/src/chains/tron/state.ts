import type { Hex } from 'viem'
import type { Rpc } from '../core/rpc.ts'
import { type HexAddress, toEvm } from './address.ts'
import type { TronContract } from './transaction.ts'

export async function balanceOf(rpc: Rpc, account: HexAddress, block: string): Promise<bigint> {
  return BigInt(await rpc<Hex>('eth_getBalance', toEvm(account), block))
}

/** Whether an account exists: it holds TRX, has sent a transaction, or is a contract. */
export async function accountExists(
  rpc: Rpc,
  account: HexAddress,
  block: string,
): Promise<boolean> {
  const address = toEvm(account)
  const [balance, nonce, code] = await Promise.all([
    rpc<Hex>('eth_getBalance', address, block),
    rpc<Hex>('eth_getTransactionCount', address, block),
    rpc<Hex>('eth_getCode', address, block),
  ])
  return BigInt(balance) > 0n || BigInt(nonce) > 0n || code !== '0x'
}

/** Whether a transaction transfers TRX to an account that does not exist yet. */
export async function createsAccount(
  rpc: Rpc,
  contract: TronContract,
  block: string,
): Promise<boolean> {
  return (
    contract.type === 'TransferContract' &&
    !(await accountExists(rpc, contract.parameter.value.to_address, block))
  )
}
