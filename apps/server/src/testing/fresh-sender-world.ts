import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Db } from '../platform/db.ts'
import { wipe } from './database.ts'
import { type Chains, givenHolder, givenStake, type Holder } from './sender-chains.ts'
import { type SenderWorld, senderWorld } from './senders.ts'

/** A new key of a BSC wallet, with its address in lower case. */
export function newBscKey(): { privateKey: Hex; address: Hex } {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
}

/**
 * Empties the database and gives it a new holder with a stake and a new, funded payout wallet, because the sender would
 * stop at payments that the database does not contain.
 */
export async function freshSenderWorld(
  db: Db,
  host: Chains,
): Promise<{ world: SenderWorld; chains: Chains; holder: Holder; stakeId: bigint }> {
  await wipe(db)
  const holder = await givenHolder(host)
  const { stakeId } = await givenStake(host, { holder, amount: 50_000_000n })
  const { privateKey: bscPrivateKey, address: bscAddress } = newBscKey()
  const serviceKeys = { ...host.serviceKeys, payout: { bscPrivateKey, bscAddress } }
  const chains = { ...host, serviceKeys }
  await host.control.faucet({ bscAddress, usdt: '100', bnb: '1' })
  return { world: senderWorld(db, chains), chains, holder, stakeId }
}
