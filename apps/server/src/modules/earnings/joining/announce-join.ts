import { ERRORS } from '@dct/api-contract/errors'
import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import { type Dct, formatAmount } from '@dct/money'
import { rewardOf } from '@dct/rules/quota'
import type { Hex } from 'viem'
import type { Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction, isViolationOf, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Logger } from '../../../platform/logger.ts'
import { hexOf } from '../../chain/index.ts'
import { getPlanByCode, type Plan, refuseJoinAmount } from '../../plans/index.ts'
import * as q from './announced-joins.queries.ts'
import {
  checkJoin,
  differenceOf,
  type JoinCheck,
  type JoinFault,
  type NamedJoin,
} from './check-join.ts'

export type AnnounceJoinDeps = {
  db: Db
  clock: Clock
  log: Logger
  dctDecimals: number
  tron: { reader: ChainReader; staking: Hex }
}

export type AnnounceJoinInput = {
  userId: bigint
  staker: Buffer
  planCode: string
  amount: Dct
  txHash: string
}

export type AnnounceJoinResult = { txHash: Buffer; state: 'WAITING' | 'SUCCESS' }

/**
 * Accepts the transaction hash of a holder's join as a hint, shown as waiting until the final event on chain makes it a
 * stake. Idempotent per hash. Anything that contradicts the join is refused immediately.
 * @throws Refusal `BAD_HASH`, `PLAN_NOT_FOUND`, `AMOUNT_NOT_POSITIVE`, `AMOUNT_OUT_OF_RANGE`, `ALREADY_FOLLOWING`,
 * `NOT_YOUR_LOCK`, `OTHER_CONTRACT`, `OTHER_PLAN`, `OTHER_AMOUNT`, `LOCK_FAILED`
 */
export async function announceJoin(
  deps: AnnounceJoinDeps,
  input: AnnounceJoinInput,
): Promise<AnnounceJoinResult> {
  const join: NamedJoin = { ...input, txHash: readTxHash(input.txHash) }
  const plan = await getPlanByCode(deps.db, input.planCode)
  if (plan === undefined) throw new Refusal('PLAN_NOT_FOUND', { plan_code: input.planCode })
  refuseJoinAmount(input.amount, deps.dctDecimals)
  if (await isBooked(deps, deps.db, join)) return { txHash: join.txHash, state: 'SUCCESS' }

  const verdict = await lookUp(deps, join)
  if (verdict.kind === 'fault') throw refusalOf(deps, verdict)
  const insert = () => inTransaction(deps.db, (tx) => insertJoin(deps, tx, { join, input, plan }))
  try {
    return await insert()
  } catch (error) {
    if (!isFollowed(error)) throw error
    // A concurrent request has announced a join. The second attempt shows whether it is the same one.
    return insert()
  }
}

function isFollowed(error: unknown): boolean {
  if (isViolationOf(error, 'announced_join_one_waiting')) return true
  return error instanceof Refusal && error.code === 'ALREADY_FOLLOWING'
}

async function insertJoin(
  deps: AnnounceJoinDeps,
  tx: Tx,
  { join, input, plan }: { join: NamedJoin; input: AnnounceJoinInput; plan: Plan },
): Promise<AnnounceJoinResult> {
  const { txHash } = join
  const known = await q.findAnnouncedJoin(tx, { txHash, userId: input.userId })
  const isNew = known === undefined || known.state === 'FAILED'
  if (known !== undefined && !isNew) {
    const difference = differenceOf(join, { ...known, staker: hexOf(known.staker) })
    if (difference !== undefined) throw refusalOf(deps, difference)
  }
  if (isNew) {
    if (await q.isFollowing(tx, { address: input.staker, planCode: plan.code })) {
      // If this very transaction has just been booked, the holder follows the plan because of it.
      if (await isBooked(deps, tx, join)) return { txHash, state: 'SUCCESS' }
      throw new Refusal('ALREADY_FOLLOWING')
    }
    const reward = rewardOf(input.amount, plan.rate)
    const terms = { reward, cycles: plan.durationDays, announcedAt: deps.clock.now() }
    await q.upsertWaiting(tx, { ...join, userId: input.userId, ...terms })
  }
  if (!(await isBooked(deps, tx, join))) return { txHash, state: 'WAITING' }
  await q.closeAnnouncedJoins(tx, join)
  return { txHash, state: 'SUCCESS' }
}

/** Whether the transaction's stake is booked. @throws Refusal if it is booked as something else */
async function isBooked(deps: AnnounceJoinDeps, db: Db | Tx, join: NamedJoin): Promise<boolean> {
  const [stake] = await q.stakesOf(db, join.txHash)
  if (stake === undefined) return false
  const difference = differenceOf(join, { ...stake, staker: hexOf(stake.staker) })
  if (difference !== undefined) throw refusalOf(deps, difference)
  return true
}

async function lookUp(deps: AnnounceJoinDeps, join: NamedJoin): Promise<JoinCheck> {
  try {
    return await checkJoin(deps.tron, join)
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    // A hint is accepted even when no node answers; it is checked later.
    deps.log.warn({ err: error }, 'the transaction of a join could not be checked')
    return { kind: 'unknown' }
  }
}

/** Tron transaction ids have no 0x prefix, hashes from its JSON-RPC do; both must give the same key. */
function readTxHash(text: string): Buffer {
  const digits = /^(?:0x)?([0-9a-f]{64})$/.exec(text.toLowerCase())?.[1]
  if (digits === undefined) throw new Refusal('BAD_HASH', { field: 'trx_hash' })
  return Buffer.from(digits, 'hex')
}

function refusalOf({ dctDecimals }: { dctDecimals: number }, fault: JoinFault): Refusal {
  const { message } = ERRORS[fault.code]
  switch (fault.code) {
    case 'OTHER_PLAN':
      return new Refusal(
        fault.code,
        { plan_code: fault.planCode },
        `${message.slice(0, -1)}: ${fault.planCode}.`,
      )
    case 'OTHER_AMOUNT': {
      const locked = formatAmount('DCT', fault.amount, dctDecimals)
      return new Refusal(fault.code, { amount: locked }, `${message.slice(0, -1)}: ${locked} DCT.`)
    }
    case 'LOCK_FAILED':
    case 'NOT_YOUR_LOCK':
    case 'OTHER_CONTRACT':
      return new Refusal(fault.code)
  }
}
