import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { payoutVaultAbi } from '@dct/contract-abi'
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { Product } from './product.ts'

const TRANSFER_GAS = 21_000n

/** The vault as used by its owner, who moves money without the service. */
export type PayoutWallet = {
  usdt(): Promise<bigint>
  /** Withdraws USDT until exactly this many base units are left. @throws Error if the vault holds fewer */
  leaveUsdt(units: bigint): Promise<void>
}

/**
 * Removes all BNB from the key that pays from the vault, so that approved claims stay unpaid until it gets BNB again.
 * `helper` receives what the owner withdraws later.
 */
export async function emptyPayoutWallet(
  product: Product,
  helper: OutsideHolder,
): Promise<PayoutWallet> {
  const { chain_id, rpc, usdt: address, payout_address: vault } = product.info.bsc
  const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 }
  const rpcUrls = { default: { http: [rpc] } }
  const chain = { id: Number(chain_id), name: 'BSC', nativeCurrency, rpcUrls }
  const transport = http(rpc)
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 })
  const clientOf = (key: Hex) =>
    createWalletClient({ account: privateKeyToAccount(key), chain, transport })
  const keys = serviceKeys(product)
  const payer = clientOf(keys.payout.bscPrivateKey)
  const owner = clientOf(keys.owner.bscPrivateKey)
  const to = privateKeyToAccount(helper.account.bsc_private_key).address
  const usdt = { address: address as Hex, abi: erc20Abi } as const
  const mined = async (hash: Hex) => {
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} failed`)
  }

  const gasPrice = await reader.getGasPrice()
  const from = payer.account.address
  const value = (await reader.getBalance({ address: from })) - TRANSFER_GAS * gasPrice
  await mined(await payer.sendTransaction({ to, value, gas: TRANSFER_GAS, gasPrice }))
  if ((await reader.getBalance({ address: from })) >= parseEther('0.000001')) {
    throw new Error('The key can still pay for gas')
  }

  const held = () =>
    reader.readContract({ ...usdt, functionName: 'balanceOf', args: [vault as Hex] })
  return {
    usdt: held,
    async leaveUsdt(units) {
      const args = [to, (await held()) - units] as const
      const contract = { address: vault as Hex, abi: payoutVaultAbi } as const
      await mined(
        await owner.writeContract({ ...contract, functionName: 'withdraw', args, gasPrice }),
      )
    },
  }
}

type Keys = { payout: { bscPrivateKey: Hex }; owner: { bscPrivateKey: Hex } }

/** Reads the service's keys from the data folder, where the supervisor stores them. */
function serviceKeys({ stack }: Product): Keys {
  const text = readFileSync(join(stack.dataDir, 'chains', 'service-keys.json'), 'utf8')
  return JSON.parse(text) as Keys
}
