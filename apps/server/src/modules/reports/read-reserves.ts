import type { ReservesReply } from '@dct/api-contract/reports'
import { type BlockRef, NodeUnavailable } from '@dct/chain-clients'
import { formatAmount, formatUnits } from '@dct/money'
import type { Clock } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import {
  type ContractState,
  type ContractsDeps,
  latestAudit,
  poolMustHold,
  readContracts,
  readWallets,
} from '../audit/index.ts'
import { type BookedPlan, bookedReserves } from './booked-reserves.queries.ts'

export type ReservesDeps = ContractsDeps & { db: DbOrTx; clock: Clock; dctDecimals: number }

/**
 * Compares what the books promise with what the contracts hold at a final block. If no node of a chain answers, that
 * chain's figures are null, but the books' figures are still returned.
 */
export async function readReserves(deps: ReservesDeps): Promise<ReservesReply> {
  const booked = await bookedReserves(deps.db)
  const codes = booked.plans.map(({ code }) => code)
  const [contracts, wallets, audit] = await Promise.all([
    unlessSilent(readContracts(deps, codes)),
    unlessSilent(readWallets(deps)),
    latestAudit(deps.db),
  ])
  const dct = (units: bigint) => formatUnits(units, deps.dctDecimals)
  const total = (figure: 'locked' | 'stakes') =>
    booked.plans.reduce((sum, plan) => sum + plan[figure], 0n)
  return {
    at: deps.clock.now().toISOString(),
    plans: booked.plans.map((plan) => describePlan(plan, contracts, dct)),
    tron: contracts === undefined ? null : describeContracts(contracts, dct),
    bsc:
      wallets === undefined
        ? null
        : {
            block: describeBlock(wallets.at),
            payout_wallet_balance: usdt(wallets.vaultHolds),
          },
    booked: {
      locked: dct(total('locked')),
      stakes: Number(total('stakes')),
      referral_owed: usdt(booked.referralOwed),
    },
    last_audit:
      audit === undefined
        ? null
        : {
            finished_at: audit.finishedAt.toISOString(),
            is_full: audit.isFull,
            compared: audit.compared,
            differences: audit.differences,
            skipped: audit.skipped,
          },
  }
}

async function unlessSilent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NodeUnavailable) return undefined
    throw error
  }
}

function describePlan(
  plan: BookedPlan,
  contracts: ContractState | undefined,
  dct: (units: bigint) => string,
): ReservesReply['plans'][number] {
  const seen = contracts?.plans.find(({ code }) => code === plan.code)
  const { future, unclaimed, claimed } = plan
  return {
    plan_code: plan.code,
    name: plan.name,
    on_chain:
      seen === undefined
        ? null
        : {
            funded: dct(seen.funded),
            withdrawn: dct(seen.withdrawn),
            reserved: dct(seen.reserved),
            paid: dct(seen.paid),
            free: dct(seen.funded - seen.withdrawn - seen.reserved - seen.paid),
          },
    booked: {
      promised: {
        total: dct(future + unclaimed + claimed),
        future: dct(future),
        unclaimed: dct(unclaimed),
        claimed: dct(claimed),
      },
      locked: dct(plan.locked),
      stakes: Number(plan.stakes),
    },
  }
}

function describeContracts(contracts: ContractState, dct: (units: bigint) => string) {
  return {
    block: describeBlock(contracts.at),
    total_locked: dct(contracts.totalLocked),
    stakes: Number(contracts.stakeCount),
    staking_balance: dct(contracts.stakingHolds),
    pool_balance: dct(contracts.poolHolds),
    pool_must_hold: dct(poolMustHold(contracts)),
  }
}

function describeBlock({ number, hash, time }: BlockRef) {
  return { number: Number(number), hash, at: time.toISOString() }
}

const usdt = (units: bigint) => formatAmount('USDT', units)
