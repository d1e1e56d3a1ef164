import { alarmRule } from '@dct/api-contract/alarms'
import { FUND_ASSETS } from '@dct/api-contract/operations'
import { DECIMALS } from '@dct/money'
import { latestAudit } from '../../modules/audit/index.ts'
import { chainFacts } from '../../modules/chain/index.ts'
import { dailyRun } from '../../modules/earnings/index.ts'
import { payoutBacklog } from '../../modules/payouts/index.ts'
import { latestPrice } from '../../modules/pricing/index.ts'
import { storedReadings } from '../../modules/treasury/index.ts'
import { openAlarmCounts } from '../../platform/alarms/alarms.ts'
import { realClock, startOfBusinessDay } from '../../platform/clock.ts'
import { lastBackup } from '../../platform/database/backups.ts'
import type { Db } from '../../platform/database/db.ts'
import { jobQueues } from '../../platform/database/jobs.ts'
import { channelCounts } from '../../platform/outbox/read-deliveries.ts'
import type { Context } from '../context.ts'
import type { Facts } from './gauges.ts'

/** The facts of the service as they are in the database. Amounts are approximate: they are for graphs and alerts. */
export async function readFacts(
  context: Pick<Context, 'db' | 'clock' | 'dctDecimals'>,
): Promise<Facts> {
  const { db, clock } = context
  const groups = await Promise.all([
    ofChains(db),
    ofPayouts(db, clock.now()),
    ofJobs(db, clock.now()),
    ofFunds(context),
    ofAudit(db),
    ofWork(db, clock.now()),
    ofAlarms(db),
    ofDeliveries(db),
  ])
  return Object.assign({ dct_database_up: [{ value: 1 }] }, ...groups)
}

async function ofChains(db: Db): Promise<Facts> {
  const chains = await chainFacts(db)
  const each = (value: (facts: (typeof chains)[number]) => number) =>
    chains.map((facts) => ({ labels: { chain: facts.chain }, value: value(facts) }))
  return {
    dct_chain_cursor_block: each(({ blockNumber }) => Number(blockNumber)),
    dct_chain_final_block: each(({ finalNumber }) => Number(finalNumber)),
    dct_chain_observed_timestamp_seconds: each(({ observedAt }) => secondsOf(observedAt)),
    dct_chain_halted: each(({ isHalted }) => (isHalted ? 1 : 0)),
  }
}

async function ofPayouts(db: Db, now: Date): Promise<Facts> {
  const ages = await payoutBacklog(db)
  const byChain = (['TRON', 'BSC'] as const).map((chain) => ({
    labels: { chain },
    open: ages.find((one) => one.chain === chain),
  }))
  return {
    dct_payouts_open: byChain.map(({ labels, open }) => ({ labels, value: open?.count ?? 0 })),
    dct_payouts_oldest_age_seconds: byChain.map(({ labels, open }) => ({
      labels,
      value: open === undefined ? 0 : Math.max(0, secondsOf(now) - secondsOf(open.oldestAt)),
    })),
  }
}

async function ofJobs(db: Db, now: Date): Promise<Facts> {
  const queues = await jobQueues(db, now)
  return {
    dct_jobs_due: queues.map(({ queue, due }) => ({ labels: { queue }, value: Number(due) })),
  }
}

async function ofFunds({ db, dctDecimals }: Pick<Context, 'db' | 'dctDecimals'>): Promise<Facts> {
  const readings = await storedReadings(db)
  const known = Object.entries(FUND_ASSETS).flatMap(([fund, asset]) => {
    const { amount, readAt } = readings.get(fund) ?? {}
    if (amount == null || readAt == null) return []
    const decimals = asset === 'DCT' ? dctDecimals : DECIMALS[asset]
    return [{ fund, asset, value: Number(amount) / 10 ** decimals, readAt }]
  })
  return {
    dct_funds: known.map(({ fund, asset, value }) => ({ labels: { fund, asset }, value })),
    dct_funds_read_timestamp_seconds: known.map(({ fund, readAt }) => ({
      labels: { fund },
      value: secondsOf(readAt),
    })),
  }
}

async function ofAudit(db: Db): Promise<Facts> {
  const audit = await latestAudit(db)
  if (audit === undefined) return {}
  return {
    dct_audit_finished_timestamp_seconds: [{ value: secondsOf(audit.finishedAt) }],
    dct_audit_differences: [{ value: audit.differences }],
  }
}

/** When the work that must be done every day was done last. Unknown before the first stake, price or backup. */
async function ofWork(db: Db, now: Date): Promise<Facts> {
  const [run, price, backup] = await Promise.all([
    dailyRun(db),
    latestPrice(db, now),
    lastBackup(db),
  ])
  return {
    dct_daily_run_timestamp_seconds:
      run === undefined ? [] : [{ value: secondsOf(startOfBusinessDay(run.throughDay)) }],
    dct_backup_timestamp_seconds: backup === undefined ? [] : [{ value: secondsOf(backup) }],
    dct_price_timestamp_seconds: price === undefined ? [] : [{ value: secondsOf(price.at) }],
  }
}

async function ofAlarms(db: Db): Promise<Facts> {
  const counts = await openAlarmCounts(db)
  return {
    dct_alarms_open: counts.map(({ kind, count }) => ({
      labels: { kind, severity: alarmRule(kind).severity },
      value: Number(count),
    })),
  }
}

async function ofDeliveries(db: Db): Promise<Facts> {
  const counts = await channelCounts(db, realClock.now())
  const each = (value: 'pending' | 'failed') =>
    counts.map((count) => ({ labels: { channel: count.channel }, value: count[value] }))
  return { dct_deliveries_pending: each('pending'), dct_deliveries_failed: each('failed') }
}

function secondsOf(at: Date): number {
  return at.getTime() / 1_000
}
