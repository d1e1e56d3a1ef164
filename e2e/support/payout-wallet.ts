import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { Product } from './product.ts'

const TRANSFER_GAS = 21_000n

/** The payout wallet as used by its owner, who moves money without the service. */
export type PayoutWallet = {
  usdt(): Promise<bigint>
  /** Moves USDT away until exactly this many base units are left. @throws Error if the wallet holds fewer */
  leaveUsdt(units: bigint): Promise<void>
}

/**
 * Removes all BNB from the payout wallet, so that approved claims stay unpaid until it gets BNB again. `helper` pays the
 * gas for the owner's later transfers, because the wallet's own nonces are reserved for the service.
 */
export async function emptyPayoutWallet(
  product: Product,
  helper: OutsideHolder,
): Promise<PayoutWallet> {
  const { chain_id, rpc, usdt: address } = product.info.bsc
  const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 }
  const rpcUrls = { default: { http: [rpc] } }
  const chain = { id: Number(chain_id), name: 'BSC', nativeCurrency, rpcUrls }
  const transport = http(rpc)
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 })
  const clientOf = (key: Hex) =>
    createWalletClient({ account: privateKeyToAccount(key), chain, transport })
  const wallet = clientOf(payoutKey(product))
  const movedBy = clientOf(helper.account.bsc_private_key)
  const owner = wallet.account.address
  const usdt = { address: address as Hex, abi: erc20Abi } as const
  const mined = async (hash: Hex) => {
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} failed`)
  }

  const args = [movedBy.account.address, maxUint256] as const
  await mined(await wallet.writeContract({ ...usdt, functionName: 'approve', args }))
  const gasPrice = await reader.getGasPrice()
  const value = (await reader.getBalance({ address: owner })) - TRANSFER_GAS * gasPrice
  const to = movedBy.account.address
  await mined(await wallet.sendTransaction({ to, value, gas: TRANSFER_GAS, gasPrice }))
  if ((await reader.getBalance({ address: owner })) >= parseEther('0.000001')) {
    throw new Error('The payout wallet can still pay for gas')
  }

  const held = () => reader.readContract({ ...usdt, functionName: 'balanceOf', args: [owner] })
  return {
    usdt: held,
    async leaveUsdt(units) {
      const taken = [owner, to, (await held()) - units] as const
      await mined(
        await movedBy.writeContract({ ...usdt, functionName: 'transferFrom', args: taken }),
      )
    },
  }
}

/** Reads the payout key from the data folder, where the supervisor stores the service's keys. */
function payoutKey({ stack }: Product): Hex {
  const text = readFileSync(join(stack.dataDir, 'chains', 'service-keys.json'), 'utf8')
  return (JSON.parse(text) as { payout: { bscPrivateKey: Hex } }).payout.bscPrivateKey
}
