import { randomBytes } from 'node:crypto'
import { payoutVaultAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { createBscWallet } from '@dct/devnet/chains/setup/bsc-wallet'
import { type KeyPair, keyPairOf } from '@dct/devnet/chains/setup/keys'
import { asArgument, createTronWallet } from '@dct/devnet/chains/setup/tron-wallet'
import type { Abi } from 'viem'
import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import type { Infrastructure } from '../chaos/infrastructure.ts'
import { read } from '../chaos/persistence.ts'
import { until } from '../chaos/until.ts'
import type { Load } from './load.ts'
import { leavePayoutsSigned } from './subject.ts'

/** Replaces both keys, and soon after both of the new ones. */
export async function rotateKeys(world: ChaosWorld, load: Load): Promise<void> {
  await replaceKeys(world, load)
  await replaceKeys(world, load)
}

/**
 * Replaces both keys as if they were stolen, while transactions signed by the old ones are in flight. They can no longer
 * succeed, so the new keys must pay; the one on Tron once the owner has ended the pause.
 */
async function replaceKeys(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { control } = infrastructure.chains
  await leavePayoutsSigned(world, load)
  await server.kill()
  // The transactions never reached the chains, so the next process must send the stored bytes again.
  await control.dropTransactions()
  await control.resumeMining()
  const owner = await ownerOf(infrastructure)
  await owner.call('rewardPool', 'pausePayouts')
  await owner.call('staking', 'pauseJoins')
  await replaceOperator(infrastructure, owner, newKey())
  await replacePayoutKey(infrastructure, newKey())
  await startAgain(world)
  await until('payouts wait for the end of the pause', () => isPauseReported(world))
  await owner.call('rewardPool', 'unpausePayouts')
  await owner.call('staking', 'unpauseJoins')
  await control.finalize()
  await settle(infrastructure.url)
  if (await isPauseReported(world)) throw new Error('payouts still wait for the end of the pause')
  load.start()
}

/** Whether the alarm is open which reports that payouts wait because the owner has paused them. */
async function isPauseReported({ admin }: Pick<ChaosWorld, 'admin'>): Promise<boolean> {
  const { alarms } = await read<{ alarms: { kind: string; subject: string }[] }>(
    admin,
    '/api/admin/alarms',
  )
  return alarms.some(({ kind, subject }) => kind === 'payout.waiting' && subject === 'TRON:PAUSED')
}

export function newKey(): KeyPair {
  return keyPairOf(`0x${randomBytes(32).toString('hex')}`)
}

const ABIS = { rewardPool: rewardPoolAbi as Abi, staking: stakingAbi as Abi } as const

/** The owner of the contracts. */
async function ownerOf({ chains }: Infrastructure) {
  const wallet = await createTronWallet(chains.tronUrl, chains.serviceKeys.owner)
  return {
    call: (contract: keyof typeof ABIS, functionName: string, args: readonly unknown[] = []) =>
      wallet.call({
        ...{ contract: chains.deployment.tron[contract], abi: ABIS[contract] },
        ...{ functionName, args },
      }),
  }
}

/**
 * Replaces the operator: on chain, as the contracts' owner does, and in the settings, as whoever runs the service does.
 */
async function replaceOperator(
  infrastructure: Infrastructure,
  owner: Awaited<ReturnType<typeof ownerOf>>,
  operator: KeyPair,
): Promise<void> {
  const { control } = infrastructure.chains
  await control.faucet({ tronAddress: operator.tronAddress, trx: '100000' })
  await owner.call('rewardPool', 'setOperator', [asArgument(operator.tronAddress)])
  // A process starts only if its key belongs to the operator in the final state of the chain.
  await control.finalize()
  infrastructure.serverEnv.TRON_OPERATOR_KEY_FILE = infrastructure.storeKey({
    name: `operator-${operator.tronAddress}`,
    hex: operator.tronPrivateKey,
  })
}

/** Replaces the vault's operator in the same way. */
export async function replacePayoutKey(
  infrastructure: Infrastructure,
  key: KeyPair,
): Promise<void> {
  const { control, serviceKeys, deployment, bscUrl } = infrastructure.chains
  const { bscAddress, bscPrivateKey } = key
  await control.faucet({ bscAddress, bnb: '100' })
  await createBscWallet(bscUrl, serviceKeys.owner).call({
    contract: deployment.bsc.payoutVault,
    abi: payoutVaultAbi,
    functionName: 'setOperator',
    args: [bscAddress],
  })
  await control.finalize()
  infrastructure.serverEnv.BSC_PAYOUT_KEY_FILE = infrastructure.storeKey({
    name: `payout-${bscAddress}`,
    hex: bscPrivateKey,
  })
}
