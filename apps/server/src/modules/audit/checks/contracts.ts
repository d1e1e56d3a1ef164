import type { BlockRef, ChainReader } from '@dct/chain-clients'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { sql } from 'kysely'
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { DbOrTx } from '../../../platform/database/db.ts'
import { bytesOf, isHalted } from '../../chain/index.ts'
import type { AuditCheck, CheckResult, Difference, Figures } from '../audit-check.ts'
import { compareAll } from '../audit-check.ts'
import { poolFlows } from './pool-flows.ts'
import { balanceCall, type WalletState, type WalletsDeps, walletBalances } from './wallets.ts'

export type ContractsDeps = WalletsDeps & {
  tron: { reader: ChainReader; token: Hex; staking: Hex; rewardPool: Hex }
}

export type PoolState = {
  code: string
  funded: bigint
  withdrawn: bigint
  reserved: bigint
  paid: bigint
}

/** The state of the contracts at one final block. */
export type ContractState = {
  at: BlockRef
  plans: readonly PoolState[]
  totalLocked: bigint
  stakeCount: bigint
  /** DCT held by the contracts. */
  stakingHolds: bigint
  poolHolds: bigint
}

/** Reads the contracts on Tron, all at one final block. */
export async function readContracts(
  { tron }: ContractsDeps,
  planCodes: readonly string[],
): Promise<ContractState> {
  const plansOf = planCodes.map((code) => ({
    to: tron.rewardPool,
    data: encodeFunctionData({ abi: rewardPoolAbi, functionName: 'plans', args: [code] }),
  }))
  const { at, results } = await tron.reader.finalCall([
    {
      to: tron.staking,
      data: encodeFunctionData({ abi: stakingAbi, functionName: 'totalLocked' }),
    },
    { to: tron.staking, data: encodeFunctionData({ abi: stakingAbi, functionName: 'stakeCount' }) },
    { to: tron.token, data: balanceCall(tron.staking) },
    { to: tron.token, data: balanceCall(tron.rewardPool) },
    ...plansOf,
  ])
  const [totalLocked = 0n, stakeCount = 0n, stakingHolds = 0n, poolHolds = 0n] = results
    .slice(0, 4)
    .map(BigInt)
  const plans = results.slice(4).map((data, index) => {
    const plan = decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data })
    const { funded, withdrawn, reserved, paid } = plan
    return { code: planCodes[index] ?? '', funded, withdrawn, reserved, paid }
  })
  return { at, plans, totalLocked, stakeCount, stakingHolds, poolHolds }
}

/** Compares the ledger with the contracts' own counters, and the contracts' balances with what they must cover. */
export function contractChecks(
  { tron, bsc }: ContractsDeps,
  seen: { contracts: ContractState; wallets: WalletState },
): readonly AuditCheck[] {
  const { contracts, wallets } = seen
  const onTron = [tron.staking, tron.rewardPool].map(bytesOf)
  return [
    {
      name: 'reward funds equal the contract’s counters',
      run: (db) =>
        whenInStep(db, { chain: 'TRON', at: contracts.at, addresses: onTron }, () =>
          poolCounters(db, contracts),
        ),
    },
    {
      name: 'stakes equal the contract’s counters',
      run: (db) =>
        whenInStep(db, { chain: 'TRON', at: contracts.at, addresses: onTron }, () =>
          stakingCounters(db, contracts),
        ),
    },
    { name: 'contracts cover their obligations', run: async () => coverage(contracts) },
    {
      name: 'USDT wallets match the books',
      run: (db) =>
        whenInStep(db, { chain: 'BSC', at: wallets.at, addresses: [bytesOf(bsc.usdt)] }, () =>
          walletBalances(db, wallets),
        ),
    },
  ]
}

/**
 * Compares only if the ledger and the reading are from the same moment, with none of our transactions in between.
 * Otherwise the check is skipped, with the reason.
 */
async function whenInStep(
  db: DbOrTx,
  reading: { chain: 'TRON' | 'BSC'; at: BlockRef; addresses: readonly Buffer[] },
  compare: () => Promise<CheckResult>,
): Promise<CheckResult> {
  if (await isHalted(db, reading.chain)) {
    return { compared: 0, differences: [], skipped: `${reading.chain} is halted` }
  }
  const { rows } = await sql<{ cursor: bigint | null; later: boolean; early: boolean }>`
    with later as materialized (
      select 1 from chain_event_view where chain = ${reading.chain} and block_number > ${reading.at.number}
        and undone_at is null and address = any(${reading.addresses}) limit 1)
    select (select block_number from chain_cursor_view where chain = ${reading.chain}) as cursor,
      exists (select from later) as later,
      exists (select from payout_view where chain = ${reading.chain} and state = 'final'
        and final_block > ${reading.at.number}) as early`.execute(db)
  const { cursor = null, later = false, early = false } = rows[0] ?? {}
  if (cursor === null || cursor < reading.at.number) {
    return { compared: 0, differences: [], skipped: 'the watcher is behind the chain' }
  }
  if (later || early) {
    return { compared: 0, differences: [], skipped: 'the chain moved on meanwhile' }
  }
  return compare()
}

async function poolCounters(db: DbOrTx, contracts: ContractState): Promise<CheckResult> {
  const { rows } = await sql<{ plan: string; came: bigint; went: bigint; free: bigint }>`
    select f.plan, f.came, f.went, coalesce(a.credits - a.debits, 0) as free
    from (${poolFlows}) f left join ledger_account_view a
      on a.asset = 'DCT' and a.code = 'free:' || f.plan and a.shard = 0`.execute(db)
  const figures = contracts.plans.flatMap((plan): Figures[] => {
    const own = rows.find((row) => row.plan === plan.code)
    const [came, went, free] = [own?.came ?? 0n, own?.went ?? 0n, own?.free ?? 0n]
    return [
      { subject: `${plan.code} funded`, expected: plan.funded, found: came },
      { subject: `${plan.code} paid`, expected: plan.paid + plan.withdrawn, found: went },
      { subject: `${plan.code} reserved`, expected: plan.reserved, found: came - went - free },
    ]
  })
  return compareAll(figures, ({ subject }) => ({
    kind: 'plan',
    planCode: subject.replace(/ \w+$/, ''),
  }))
}

async function stakingCounters(db: DbOrTx, contracts: ContractState): Promise<CheckResult> {
  const { rows } = await sql<{ locked: bigint; stakes: bigint }>`
    select (select coalesce(sum(debits - credits), 0) from ledger_account_view
        where asset = 'DCT' and code like 'chain_staking:%') as locked,
      (select count(*) from earning_view) as stakes`.execute(db)
  const { locked = 0n, stakes = 0n } = rows[0] ?? {}
  return compareAll([
    { subject: 'locked', expected: contracts.totalLocked, found: locked },
    { subject: 'stakes', expected: contracts.stakeCount, found: stakes },
  ])
}

/** A balance below the debt is a difference; a balance above it is a donation. */
function coverage(contracts: ContractState): CheckResult {
  const owed = poolMustHold(contracts)
  const differences: Difference[] = []
  if (contracts.stakingHolds < contracts.totalLocked) {
    differences.push({
      subject: 'staking contract',
      expected: `${contracts.totalLocked}`,
      found: `${contracts.stakingHolds}`,
    })
  }
  if (contracts.poolHolds < owed) {
    const holds = { kind: 'chain', chain: 'TRON' } as const
    differences.push({
      subject: 'reward contract',
      expected: `${owed}`,
      found: `${contracts.poolHolds}`,
      holds,
    })
  }
  return { compared: 2, differences }
}

/** The balance that the reward contract must have according to its own counters. */
export function poolMustHold({ plans }: ContractState): bigint {
  return plans.reduce((sum, { funded, withdrawn, paid }) => sum + funded - withdrawn - paid, 0n)
}
