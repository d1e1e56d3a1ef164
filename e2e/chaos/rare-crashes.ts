import { createWalletClient, defineChain, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { approveBonuses, type ChaosWorld, startAgain } from './chaos-world.ts'
import { untilSigned } from './payouts.ts'
import { askOnce, BadAnswer, codeOf, describeReply } from './persistence.ts'
import { until } from './until.ts'

/**
 * Crashes the server after it has replaced a referral payout at a higher gas price, before either transaction is
 * booked. Needs a referral claim that awaits approval.
 */
export async function crashAfterFeeBump(world: ChaosWorld): Promise<void> {
  const { server, infrastructure } = world
  const { control } = infrastructure.chains
  await server.kill()
  server.start({ crashAt: 'after-replacement' })
  await server.untilHealthy()
  await control.pauseMining()
  await approveBonuses(world)
  await server.crashed()
  await control.resumeMining()
  await startAgain(world)
}

/**
 * Takes the nonce of a referral payout with another transaction, so that the sender is held, and crashes the server
 * while an admin resumes the sender. Needs a referral claim that awaits approval.
 */
export async function crashAmidResume(world: ChaosWorld): Promise<void> {
  const { server, infrastructure } = world
  const { control } = infrastructure.chains
  await control.pauseMining()
  await approveBonuses(world)
  await untilSigned(world, 'BSC')
  await server.kill()
  await control.dropTransactions()
  await useNextNonce(world)
  await control.resumeMining()
  await control.finalize()
  server.start({ crashAt: 'during-resume' })
  await server.untilHealthy()
  await Promise.all([server.crashed(), resume(world, { isDying: true })])
  await startAgain(world)
  await resume(world, { isDying: false })
}

/** Resumes the sender once it is held and the chain has been read; with `isDying`, until the server crashes doing so. */
async function resume({ admin }: ChaosWorld, { isDying }: { isDying: boolean }): Promise<void> {
  const early = ['SENDER_NOT_HELD', 'SENDER_UNDECIDED']
  await until('the sender is resumed', async () => {
    const reply = await askOnce(() => admin.tryCall('POST', '/api/admin/senders/resume'))
    // No response: the server has crashed as intended, or is temporarily unavailable.
    if (reply === undefined) return isDying
    if (reply.status === 200) return !isDying
    if (!early.includes(codeOf(reply) ?? '')) throw new BadAnswer(`resume: ${describeReply(reply)}`)
    return false
  })
}

/** Sends a transaction from the payout wallet that moves no USDT but uses the next nonce. */
async function useNextNonce({ infrastructure }: ChaosWorld): Promise<void> {
  const { bscUrl, serviceKeys } = infrastructure.chains
  const account = privateKeyToAccount(serviceKeys.payout.bscPrivateKey)
  const transport = http(bscUrl)
  const wallet = createWalletClient({ account, transport }).extend(publicActions)
  const id = await wallet.getChainId()
  const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 }
  const chain = defineChain({ id, name: 'BSC', nativeCurrency, rpcUrls: { default: { http: [] } } })
  const nonce = await wallet.getTransactionCount({ address: account.address })
  await wallet.sendTransaction({
    ...{ chain, nonce, to: account.address, value: 0n, gas: 21_000n },
    gasPrice: 2n * (await wallet.getGasPrice()),
  })
}
