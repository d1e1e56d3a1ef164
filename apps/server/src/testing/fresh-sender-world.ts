import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Db } from '../platform/database/db.ts'
import { wipe } from './database.ts'
import { type Chains, givenHolder, givenStake, PLAN } from './sender-chains.ts'
import { givenRewardPayout, givenUsdtPayout, type SenderWorld, senderWorld } from './senders.ts'

export type BscKey = { privateKey: Hex; address: Hex }

/** A new key of a BSC wallet, with its address in lower case. */
export function newBscKey(): BscKey {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
}

/** A world whose payout wallet has this key. */
export function worldOfWallet(db: Db, host: Chains, { privateKey, address }: BscKey): SenderWorld {
  const payout = { bscPrivateKey: privateKey, bscAddress: address }
  return senderWorld(db, { ...host, serviceKeys: { ...host.serviceKeys, payout } })
}

/** A world with a new, funded payout wallet, because the sender would stop at payments that its database lacks. */
export async function givenWalletWorld(
  db: Db,
  host: Chains,
): Promise<{ wallet: BscKey; world: SenderWorld }> {
  const wallet = newBscKey()
  await host.control.faucet({ bscAddress: wallet.address, usdt: '100', bnb: '1' })
  return { wallet, world: worldOfWallet(db, host, wallet) }
}

export type FreshSenderWorld = Awaited<ReturnType<typeof freshSenderWorld>>

/** Empties the database and gives it a new holder with a stake, a new payout wallet and a receiver of USDT. */
export async function freshSenderWorld(db: Db, host: Chains) {
  await wipe(db)
  const holder = await givenHolder(host)
  const { stakeId } = await givenStake(host, { holder, amount: 50_000_000n })
  const { world } = await givenWalletWorld(db, host)
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
