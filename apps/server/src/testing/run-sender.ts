import { setTimeout as sleep } from 'node:timers/promises'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { crashAt, noCrash } from '../modules/payouts/index.ts'
import { openDatabase } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import { bscWatcherOf, tronWatcherOf } from './payment-watchers.ts'
import { remoteKey } from './remote-key.ts'
import type { Chains } from './sender-chains.ts'
import { bscSenderOf, senderWorld, tronSenderOf } from './senders.ts'

/** The command line arguments of a sender process. */
export type SenderOrder = {
  databaseUrl: string
  chain: 'TRON' | 'BSC'
  chains: Omit<Chains, 'control'>
  crashAt: string | null
  /** Whether a simulated key service signs. */
  isKeyRemote: boolean
}

const BETWEEN_STEPS_MS = 10

/** Runs one sender until nothing is left to pay; tests kill it before that. */
async function main(order: SenderOrder): Promise<void> {
  const db = openDatabase({ url: order.databaseUrl, maxConnections: 2 })
  const world = senderWorld(db, order.chains as Chains)
  const crashPoint = order.crashAt === null ? noCrash : crashAt(order.crashAt)
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 200, replaceAfterMs: 60_000, suspectMs: 0 }
  const { operator, payout } = order.chains.serviceKeys
  const privateKey = order.chain === 'TRON' ? operator.tronPrivateKey : payout.bscPrivateKey
  const key = order.isKeyRemote ? remoteKey(privateKey) : rawKeySigner(privateKey)
  const changes = { crashPoint, timing, key }
  const sender = order.chain === 'TRON' ? tronSenderOf(world, changes) : bscSenderOf(world, changes)
  const watcher = order.chain === 'TRON' ? tronWatcherOf(world) : bscWatcherOf(world)
  for (;;) {
    await sender.step()
    await watcher.catchUp()
    const open = await everything(db)
      .selectFrom('payout')
      .select('id')
      .where('state', 'not in', ['final', 'returned'])
      .executeTakeFirst()
    if (open === undefined) break
    await sleep(BETWEEN_STEPS_MS)
  }
  await db.destroy()
}

await main(JSON.parse(process.argv[2] ?? '') as SenderOrder)
