import { sql } from 'kysely'
import { type Tx, unread } from '../../platform/database/db.ts'
import { turnAt } from '../../platform/database/turns.ts'
import { invariant } from '../../platform/errors.ts'
import type { ChainEvent } from '../chain/index.ts'
import { account, postTransfers, type Transfer } from '../ledger/index.ts'
import { own } from './plans.tables.ts'

/**
 * Books a final event of the reward contract: funds added, withdrawn, or reserved by a stake. The watcher calls it once
 * per event; other events are ignored.
 */
export async function bookPoolEvent(tx: Tx, event: ChainEvent): Promise<void> {
  switch (event.name) {
    case 'PlanFunded':
      await recordFunding(tx, event)
      await moveFree(tx, event, amountOf(event))
      return bookTransfer(tx, event, (plan) => [account.chainPool(plan), account.free(plan)])
    case 'RewardReserved':
      return moveFree(tx, event, -amountOf(event))
    case 'FreeWithdrawn':
      await moveFree(tx, event, -amountOf(event))
      return bookTransfer(tx, event, (plan) => [account.free(plan), account.chainPool(plan)])
    case 'LapsedWithdrawn':
      return bookTransfer(tx, event, (plan) => [account.lapsed(plan), account.chainPool(plan)])
  }
}

async function recordFunding(tx: Tx, event: ChainEvent): Promise<void> {
  await own(tx)
    .insertInto('plan_funding')
    .values({
      tx_hash: event.txHash,
      log_index: event.logIndex,
      plan_code: planCodeOf(event),
      from_address: Buffer.from(argOf(event, 'from').slice(2), 'hex'),
      amount: amountOf(event),
      funded_at: event.blockTime,
    })
    .execute()
}

async function moveFree(tx: Tx, event: ChainEvent, change: bigint): Promise<void> {
  const code = planCodeOf(event)
  await unread(
    tx,
    sql`
    insert into plan_pool as pool (plan_code, free)
      select ${code}, ${change} from ${turnAt('planPool', sql`hashtext(${code})`)}
      on conflict (plan_code) do update set free = pool.free + excluded.free`,
  )
}

type Sides = readonly [Transfer['debit'], Transfer['credit']]

async function bookTransfer(
  tx: Tx,
  event: ChainEvent,
  sidesOf: (planCode: string) => Sides,
): Promise<void> {
  const [debit, credit] = sidesOf(planCodeOf(event))
  await postTransfers(tx, [
    {
      debit,
      credit,
      asset: 'DCT',
      amount: amountOf(event),
      kind: LEDGER_KINDS[event.name] ?? event.name,
      ref: `${event.txHash.toString('hex')}:${event.logIndex}`,
      at: event.blockTime,
    },
  ])
}

const LEDGER_KINDS: Readonly<Record<string, string>> = {
  PlanFunded: 'plan.funded',
  FreeWithdrawn: 'plan.free-withdrawn',
  LapsedWithdrawn: 'plan.lapsed-withdrawn',
}

function planCodeOf(event: ChainEvent): string {
  return argOf(event, 'planCode')
}

function amountOf(event: ChainEvent): bigint {
  return BigInt(argOf(event, 'amount'))
}

function argOf(event: ChainEvent, name: string): string {
  const value = event.args[name]
  invariant(value !== undefined, `${event.name} without ${name}`)
  return value
}
