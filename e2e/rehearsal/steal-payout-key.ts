import { readFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import type { Load } from './load.ts'
import { newKey, replacePayoutKey } from './rotate-keys.ts'
import { leavePayoutsSigned } from './subject.ts'

/**
 * A thief has the key that pays from the vault, and makes the vault pay, at a higher fee and in place of the service's
 * own transaction, what the subject signed: all that the key can do. The service charges it to the claim. The operator
 * replaces the key.
 */
export async function stealPayoutKey(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { chains, url } = infrastructure
  await leavePayoutsSigned(world, load)
  await outbid(world)
  await chains.control.resumeMining()
  await settle(url)
  await server.kill()
  await replacePayoutKey(infrastructure, newKey())
  await startAgain(world)
  await settle(url)
  load.start()
}

async function outbid({ infrastructure }: ChaosWorld): Promise<void> {
  const { chains, serverEnv } = infrastructure
  const transport = http(chains.bscUrl)
  const key = readFileSync(`${serverEnv.BSC_PAYOUT_KEY_FILE}`, 'utf8').trim()
  const account = privateKeyToAccount(`0x${key.replace('0x', '')}`)
  const thief = createWalletClient({ account, transport })
  const waiting = await createPublicClient({ transport }).getBlock({
    blockTag: 'pending',
    includeTransactions: true,
  })
  const own = waiting.transactions.filter(({ from }) => from === account.address.toLowerCase())
  if (own.length === 0) throw new Error('no payment of the service waits')
  for (const { to, input: data, nonce, gas, gasPrice } of own) {
    const price = (gasPrice ?? 0n) * 2n
    await thief.sendTransaction({ to, data, nonce, gas, gasPrice: price, chain: null })
  }
}
