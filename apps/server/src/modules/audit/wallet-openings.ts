import { sql } from 'kysely'
import type { Hex } from 'viem'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { bytesOf, type ChainEvent, hexOf } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { own } from './audit.tables.ts'
import type { WalletState } from './checks/wallets.ts'

const ACCOUNTS = { fee_receiver: account.feeReceiver, payout_wallet: account.payoutWallet } as const

/**
 * Books the opening balance of each of our addresses once, against the owner: its balance at a final block minus all
 * transfers seen up to then. Waits until the watcher has reached that block.
 */
export async function bookOpenings(
  db: Db,
  { wallets, usdt, at }: { wallets: WalletState; usdt: Hex; at: Date },
): Promise<void> {
  for (const { address, role, amount: held } of wallets.holdings) {
    await inTransaction(db, async (tx) => {
      if (await isOpened(tx, address)) return
      const seen = await seenTransfers(tx, { address, usdt, through: wallets.at.number })
      if (seen === undefined) return
      // A balance below the sum of the seen transfers means that one was missed. The audit reports that.
      const amount = held > seen ? held - seen : 0n
      const opened = await own(tx)
        .insertInto('wallet_opening')
        .values({
          address: bytesOf(address),
          role,
          amount,
          read_at_block: wallets.at.number,
          booked_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (opened.numInsertedOrUpdatedRows !== 1n) return
      await postTransfers(tx, [
        {
          debit: ACCOUNTS[role],
          credit: account.owner,
          asset: 'USDT',
          amount,
          kind: 'wallet.opened',
          ref: address,
          at,
        },
      ])
    })
  }
}

/**
 * Corrects an opening balance that includes a transfer found only later: one in a block before the reading, which a
 * node had left out or whose address was not watched yet.
 */
export async function correctOpenings(tx: Tx, event: ChainEvent): Promise<void> {
  const { from = '', to = '', value = '0' } = event.args
  const amount = BigInt(value)
  if (event.name !== 'Transfer' || amount === 0n || from === to) return
  const openings = await own(tx)
    .selectFrom('wallet_opening')
    .select(['address', 'role'])
    .where('address', 'in', [bytesOf(from as Hex), bytesOf(to as Hex)])
    .where('read_at_block', '>=', event.blockNumber)
    .execute()
  for (const { address, role } of openings) {
    const ours = ACCOUNTS[role]
    const isReceived = hexOf(address) === to
    await postTransfers(tx, [
      {
        debit: isReceived ? account.owner : ours,
        credit: isReceived ? ours : account.owner,
        asset: 'USDT',
        amount,
        kind: 'wallet.opening_corrected',
        ref: `${hexOf(event.txHash)}:${event.logIndex}:${hexOf(address)}`,
        at: event.blockTime,
      },
    ])
  }
}

async function isOpened(db: DbOrTx, address: Hex): Promise<boolean> {
  const row = await own(db)
    .selectFrom('wallet_opening')
    .select('role')
    .where('address', '=', bytesOf(address))
    .executeTakeFirst()
  return row !== undefined
}

/** Received minus sent, by the chain events; undefined until all of them are read. */
async function seenTransfers(
  db: DbOrTx,
  { address, usdt, through }: { address: Hex; usdt: Hex; through: bigint },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ seen: bigint }>`
    select coalesce(sum(case when args->>'to' = ${address} then 1 else -1 end
        * (args->>'value')::numeric(78,0)), 0) as seen
    from chain_event_view
    where chain = 'BSC' and address = ${bytesOf(usdt)} and name = 'Transfer' and undone_at is null
      and block_number <= ${through} and (args->>'to' = ${address}) <> (args->>'from' = ${address})
    having exists (select 1 from chain_cursor_view where chain = 'BSC' and block_number >= ${through})`.execute(
    db,
  )
  return rows[0]?.seen
}
