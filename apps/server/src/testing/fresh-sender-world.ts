import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Db } from '../platform/database/db.ts'
import { wipe } from './database.ts'
import { type Chains, deployVault, givenHolder, givenStake, PLAN } from './sender-chains.ts'
import { givenRewardPayout, givenUsdtPayout, type SenderWorld, senderWorld } from './senders.ts'

export type BscKey = { privateKey: Hex; address: Hex }

/** A new key of a BSC wallet, with its address in lower case. */
export function newBscKey(): BscKey {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
}

/** A world with this vault, whose operator has this key. */
export function worldOfVault(
  db: Db,
  host: Chains,
  { vault, key: { privateKey, address } }: { vault: Hex; key: BscKey },
): SenderWorld {
  const payout = { bscPrivateKey: privateKey, bscAddress: address }
  const { deployment, serviceKeys } = host
  return senderWorld(db, {
    ...host,
    deployment: { ...deployment, bsc: { ...deployment.bsc, payoutVault: vault } },
    serviceKeys: { ...serviceKeys, payout },
  })
}

/** A world with a vault of its own that holds 100 USDT, and an operator who has BNB. */
export async function givenVaultWorld(
  db: Db,
  host: Chains,
  limits: { dailyLimit?: bigint } = {},
): Promise<{ key: BscKey; vault: Hex; world: SenderWorld }> {
  const key = newBscKey()
  await host.control.faucet({ bscAddress: key.address, bnb: '1' })
  const vault = await deployVault(host, { operator: key.address, ...limits })
  await host.control.faucet({ bscAddress: vault, usdt: '100' })
  await host.control.finalize()
  return { key, vault, world: worldOfVault(db, host, { vault, key }) }
}

export type FreshSenderWorld = Awaited<ReturnType<typeof freshSenderWorld>>

/** Empties the database and gives it a new holder with a stake, a new vault and a receiver of USDT. */
export async function freshSenderWorld(db: Db, host: Chains) {
  await wipe(db)
  const holder = await givenHolder(host)
  const { stakeId } = await givenStake(host, { holder, amount: 50_000_000n })
  const { world } = await givenVaultWorld(db, host)
  const receiver = newBscKey().address
  let count = 0
  return {
    world,
    holder,
    receiver,
    /** A due payout of this chain: a reward for the holder, or USDT for the receiver. */
    givenPayout(chain: 'TRON' | 'BSC', amount: bigint): Promise<bigint> {
      count += 1
      const reward = { to: holder.address, amount, stakeId, planCode: PLAN.code }
      return chain === 'TRON'
        ? givenRewardPayout(world, { ...reward, lastCycle: count })
        : givenUsdtPayout(world, { to: receiver, amount, cause: `referral:${count}` })
    },
  }
}
