import {
  type Abi,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CHAIN_IDS } from '../core/evm-node.ts'
import type { KeyPair } from './keys.ts'

export type BscWallet = {
  /** @returns the contract's address */
  deploy(contract: { abi: Abi; bytecode: Hex; constructorArgs: readonly unknown[] }): Promise<Hex>
  /** @returns the transaction's hash */
  call(call: {
    contract: Hex
    abi: Abi
    functionName: string
    args: readonly unknown[]
  }): Promise<Hex>
}

export function createBscWallet(url: string, key: KeyPair): BscWallet {
  const chain = defineChain({
    id: CHAIN_IDS.bsc,
    name: 'BSC development chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const account = privateKeyToAccount(key.bscPrivateKey)
  const reader = createPublicClient({ chain, transport: http(url) })
  const wallet = createWalletClient({ account, chain, transport: http(url) })
  const receiptOf = async (hash: Hex) => {
    const receipt = await reader.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`)
    return receipt
  }
  return {
    async deploy({ abi, bytecode, constructorArgs }) {
      const gasPrice = await reader.getGasPrice()
      const hash = await wallet.deployContract({ abi, bytecode, args: constructorArgs, gasPrice })
      const { contractAddress } = await receiptOf(hash)
      if (!contractAddress) throw new Error(`transaction ${hash} created no contract`)
      return getAddress(contractAddress)
    },
    async call({ contract, abi, functionName, args }) {
      const gasPrice = await reader.getGasPrice()
      const hash = await wallet.writeContract({
        address: contract,
        abi,
        functionName,
        args,
        gasPrice,
      })
      await receiptOf(hash)
      return hash
    },
  }
}
