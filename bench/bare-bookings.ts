import { sql } from 'kysely'
import {
  type Db,
  inBooking,
  inTransaction,
  type Tx,
  together,
} from '../apps/server/src/platform/database/db.ts'

/** The tables that are copied with their indexes, but without their constraints, triggers and foreign keys. */
const COPIED = [
  ...['earning', 'claim', 'amount_hold', 'payout', 'usdt_receipt', 'outbox_message'],
  ...['ledger_account', 'ledger_transfer', 'service_count', 'daily_stake_count'],
  ...['plan_pool', 'plan_total', 'plan_day', 'referral_fee', 'referral_reward', 'referral_balance'],
]
/** Tables with rows that many bookings update; these rows are copied before the measurement starts. */
const SHARED = [
  ...['service_count', 'daily_stake_count', 'plan_pool', 'plan_total', 'plan_day'],
  'referral_balance',
]

export async function createCopies(db: Db): Promise<void> {
  for (const table of COPIED) {
    const [copy, original] = [sql.table(`bare_${table}`), sql.table(table)]
    await sql`create table ${copy} (like ${original} including indexes)`.execute(db)
  }
}

/** Identifies the rows that a booking wrote. */
type Written = { claim: bigint; earning: bigint; code: string; feeRef: string; message: bigint }
type Kind = 'stake' | 'claim' | 'settlement'
const EVENT = { stake: 'stake.joined', claim: 'claim.made', settlement: 'fee.paid' } as const

/**
 * Writes the rows of the stakes, claims and settlements in one plan a second time, into the copies: the same rows and
 * indexes, all sent together with the contended rows last, and no rules. No booking that writes these rows could cost
 * less.
 */
export function bareBookings(world: {
  db: Db
  base: number
  planCode: string
  stakeIdOf(n: number): bigint
}) {
  const bookings = { stake: writeStake, claim: writeClaim, settlement: writeSettlement }
  const stepOf = (kind: Kind) => {
    const written = new Map<bigint, Written>()
    return {
      async prepare() {
        await fillShared(world.db)
        for (const [stakeId, one] of await readWritten(world, kind)) written.set(stakeId, one)
      },
      async each(n: number) {
        const one = written.get(world.stakeIdOf(n))
        if (one === undefined) throw new Error(`nothing was written for ${n}`)
        await inBooking(world.db, (tx) => together(...bookings[kind](tx, one)))
      },
    }
  }
  return {
    'stake, its rows alone': stepOf('stake'),
    'claim, its rows alone': stepOf('claim'),
    'fee settlement, its rows alone': stepOf('settlement'),
  }
}

function writeStake(tx: Tx, { earning, code, message }: Written) {
  return [
    sql`insert into bare_earning select * from earning where id = ${earning}`.execute(tx),
    copyMessage(tx, message),
    sql`insert into bare_ledger_transfer select t.* from ledger_transfer t join earning e on e.id = ${earning}
      where t.kind in ('stake_promised', 'stake_locked') and t.ref = e.stake_id::text`.execute(tx),
    ...['promised', 'chain_staking', 'principal'].map((name) =>
      addTo(tx, `${name}:${code}`, earning),
    ),
    sql`update bare_ledger_account set debits = debits + 1 where code = ${`free:${code}`}`.execute(
      tx,
    ),
    sql`update bare_daily_stake_count c set stakes = stakes + 1 from bare_earning e
      where e.id = ${earning} and c.plan_id = e.plan_id and c.day = e.start_day`.execute(tx),
    sql`update bare_plan_day d set promised = promised + 1 from bare_earning e
      where e.id = ${earning} and d.plan_id = e.plan_id and d.day = e.start_day`.execute(tx),
    sql`update bare_plan_total t set promised = promised + 1 from bare_earning e
      where e.id = ${earning} and t.plan_id = e.plan_id`.execute(tx),
    sql`update bare_plan_pool set free = free - 1 where plan_code = ${code}`.execute(tx),
  ]
}

function writeClaim(tx: Tx, { claim, earning, code, message }: Written) {
  return [
    sql`update bare_earning set claimed_through = 10, has_open_fee = true where id = ${earning}`.execute(
      tx,
    ),
    sql`insert into bare_claim select * from claim where id = ${claim}`.execute(tx),
    sql`insert into bare_amount_hold select * from amount_hold where claim_id = ${claim}`.execute(
      tx,
    ),
    ...copyPayout(tx, `claim:${claim}:now`),
    copyMessage(tx, message),
    sql`insert into bare_ledger_account select * from ledger_account where code = ${`claim:${claim}`}`.execute(
      tx,
    ),
    sql`insert into bare_ledger_transfer select * from ledger_transfer
      where kind in ('claim.half_at_once', 'claim.waits_for_fee') and ref = ${`${claim}`}`.execute(
      tx,
    ),
    sql`update bare_service_count set amount = amount + 1
      where name = 'claimed' and shard = ${claim % 64n}`.execute(tx),
    addTo(tx, `credited:${code}`, claim),
  ]
}

function writeSettlement(tx: Tx, { claim, earning, feeRef, message }: Written) {
  return [
    sql`update bare_claim b set state = c.state, paid_at = c.paid_at, deadline = c.deadline, fee_tx = c.fee_tx,
        fee_log_index = c.fee_log_index, unpaid_usdt = 0
      from claim c where c.id = ${claim} and b.id = ${claim}`.execute(tx),
    sql`insert into bare_usdt_receipt select * from usdt_receipt where claim_id = ${claim}`.execute(
      tx,
    ),
    sql`update bare_earning set has_open_fee = false where id = ${earning}`.execute(tx),
    ...copyPayout(tx, `claim:${claim}:later`),
    copyMessage(tx, message),
    sql`insert into bare_referral_fee select * from referral_fee where fee_id = ${claim}`.execute(
      tx,
    ),
    sql`insert into bare_referral_reward select * from referral_reward where fee_id = ${claim}`.execute(
      tx,
    ),
    sql`insert into bare_ledger_transfer select * from ledger_transfer
      where kind in ('fee.paid', 'fee.energy_paid') and ref = ${feeRef}
        or kind = 'claim.rest_due' and ref = ${`${claim}`}`.execute(tx),
    sql`insert into bare_ledger_transfer select t.* from referral_reward r join ledger_transfer t
      on t.kind = 'referral.' || r.kind and t.ref = r.fee_id || ':' || r.receiver_id where r.fee_id = ${claim}`.execute(
      tx,
    ),
    sql`update bare_ledger_account set debits = debits + 1 where code = ${`claim:${claim}`}`.execute(
      tx,
    ),
    ...['fee_receiver', 'income_fee', 'income_energy'].map((name) => addTo(tx, name, claim)),
    sql`update bare_referral_balance b set row_count = b.row_count + 1, earned = b.earned + r.amount
      from referral_reward r where r.fee_id = ${claim} and b.user_id = r.receiver_id and b.kind = r.kind`.execute(
      tx,
    ),
  ]
}

function copyPayout(tx: Tx, cause: string) {
  return [
    sql`insert into bare_payout select * from payout where cause = ${cause}`.execute(tx),
    sql`insert into bare_ledger_account select a.* from payout p
      join ledger_account a on a.code = 'payout:' || p.id where p.cause = ${cause}`.execute(tx),
  ]
}

/** Updates one of the shards of an account. */
function addTo(tx: Tx, code: string, n: bigint) {
  return sql`update bare_ledger_account set credits = credits + 1 where code = ${code} and shard = ${n % 16n}`.execute(
    tx,
  )
}

function copyMessage(tx: Tx, number: bigint) {
  return sql`insert into bare_outbox_message select * from outbox_message
    where number = ${number} and dispatched_at is null`.execute(tx)
}

/**
 * Adds the rows that are still missing. Several processes prepare a step at the same time and read the tables in
 * different orders, so without the lock they would deadlock.
 */
async function fillShared(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`lock table bare_ledger_account in share row exclusive mode`.execute(tx)
    for (const table of SHARED) {
      const [copy, original] = [sql.table(`bare_${table}`), sql.table(table)]
      await sql`insert into ${copy} select * from ${original} on conflict do nothing`.execute(tx)
    }
    await sql`insert into bare_ledger_account select * from ledger_account
      where code !~ '^(claim|payout):' on conflict do nothing`.execute(tx)
  })
}

/**
 * The rows written by the stakes in a plan and by their claims, by stake id. Each gets an arbitrary outbox message of
 * its kind.
 */
async function readWritten(
  { db, planCode }: { db: Db; planCode: string },
  kind: Kind,
): Promise<[bigint, Written][]> {
  const { rows } = await sql<{
    stakeId: bigint
    earning: bigint
    claim: bigint | null
    feeRef: string | null
  }>`
    select e.stake_id as "stakeId", e.id as earning, c.id as claim, '0x' || encode(c.fee_tx, 'hex') || ':0' as "feeRef"
    from earning e left join claim c on c.earning_id = e.id where e.plan_code = ${planCode} order by e.id`.execute(
    db,
  )
  const messages = await sql<{ number: bigint }>`
    select number from outbox_message where type = ${EVENT[kind]} order by number desc`.execute(db)
  return rows.map(({ stakeId, earning, claim, feeRef }, at) => [
    stakeId,
    {
      ...{ earning, claim: claim ?? 0n, feeRef: feeRef ?? '', code: planCode },
      message: messages.rows[at]?.number ?? 0n,
    },
  ])
}
