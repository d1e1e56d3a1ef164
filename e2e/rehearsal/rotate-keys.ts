import { randomBytes } from 'node:crypto'
import { rewardPoolAbi } from '@dct/contract-abi'
import { type KeyPair, keyPairOf } from '@dct/devnet/chains/setup/keys'
import { asArgument, createTronWallet } from '@dct/devnet/chains/setup/tron-wallet'
import type { Abi } from 'viem'
import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import type { Infrastructure } from '../chaos/infrastructure.ts'
import { CHAINS, untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * Replaces both keys while transactions signed by the old ones are in flight. The one on Tron can no longer succeed, so
 * the new key must pay; the one on BSC can, and must be booked when it does.
 */
export async function rotateKeys(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { control } = infrastructure.chains
  await giveSubjectABonus(world)
  // The load moves the chains' time on, which would mine the transactions that must stay unmined here.
  await load.stop()
  await control.pauseMining()
  await claimedBy(world, subjectOf(world), { plan: 'PLAN-360', kind: 'HALF' })
  await sendSubjectABonus(world)
  for (const chain of CHAINS) await untilSigned(world, chain)
  await server.kill()
  // The transactions never reached the chains, so the next process must send the stored bytes again.
  await control.dropTransactions()
  await control.resumeMining()
  await replaceOperator(infrastructure, newKey())
  await replacePayoutWallet(infrastructure, newKey())
  await startAgain(world)
  load.start()
}

export function newKey(): KeyPair {
  return keyPairOf(`0x${randomBytes(32).toString('hex')}`)
}

/** Replaces the operator as its owner does on chain and as the operator of the service does in the settings. */
async function replaceOperator(infrastructure: Infrastructure, operator: KeyPair): Promise<void> {
  const { tronUrl, control, deployment, serviceKeys } = infrastructure.chains
  await control.faucet({ tronAddress: operator.tronAddress, trx: '100000' })
  const owner = await createTronWallet(tronUrl, serviceKeys.owner)
  await owner.call({
    contract: deployment.tron.rewardPool,
    abi: rewardPoolAbi as Abi,
    functionName: 'setOperator',
    args: [asArgument(operator.tronAddress)],
  })
  // A process starts only with the key of the operator that is final.
  await control.finalize()
  infrastructure.serverEnv.TRON_OPERATOR_KEY_FILE = infrastructure.storeKey({
    name: 'new-operator',
    hex: operator.tronPrivateKey,
  })
}

async function replacePayoutWallet(infrastructure: Infrastructure, wallet: KeyPair): Promise<void> {
  const { bscAddress, bscPrivateKey } = wallet
  await infrastructure.chains.control.faucet({ bscAddress, usdt: '100000', bnb: '100' })
  const key = infrastructure.storeKey({ name: 'new-payout', hex: bscPrivateKey })
  Object.assign(infrastructure.serverEnv, {
    BSC_PAYOUT_ADDRESS: bscAddress,
    BSC_PAYOUT_KEY_FILE: key,
  })
  infrastructure.payoutWallets.push(bscAddress.toLowerCase())
}
