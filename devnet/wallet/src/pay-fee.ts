import { createWalletClient, erc20Abi, http, parseUnits, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type DemoAccount, type DevnetInfo, onThisOrigin } from './devnet-api.ts'

const USDT_DECIMALS = 18

/** Sends exactly this amount of USDT from the demo account to the fee receiver. @returns the hash, once mined */
export async function payFee(
  info: DevnetInfo,
  payment: { account: DemoAccount; usdt: string },
): Promise<string> {
  const { rpc, chain_id, usdt, receiver_address } = info.bsc
  const client = createWalletClient({
    account: privateKeyToAccount(payment.account.bsc_private_key as `0x${string}`),
    chain: {
      id: chain_id,
      name: 'BSC development chain',
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      rpcUrls: { default: { http: [onThisOrigin(rpc)] } },
    },
    transport: http(),
    pollingInterval: 300,
  }).extend(publicActions)
  const hash = await client.writeContract({
    address: usdt as `0x${string}`,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [receiver_address as `0x${string}`, parseUnits(payment.usdt, USDT_DECIMALS)],
    gasPrice: await client.getGasPrice(),
  })
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`The payment failed: ${hash}`)
  return hash
}
