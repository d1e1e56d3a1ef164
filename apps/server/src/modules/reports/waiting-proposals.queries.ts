import type { Proposal } from '@dct/api-contract/proposals'
import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/database/db.ts'
import { hasOtherAdmin } from '../auth/index.ts'
import { presentValue, showMoneySetting } from '../pricing/index.ts'
import { endOfProposal, proposalId } from '../proposals/index.ts'
import { own } from './reports.tables.ts'

/** The maximum number of listed entries. */
const MOST = 200

type Asked = { adminId: bigint; now: Date }

/** What one admin has started and another must confirm, oldest first. Expired proposals are left out. */
export async function waitingProposals(db: DbOrTx, asked: Asked): Promise<Proposal[]> {
  const isLone = !(await hasOtherAdmin(db, { adminId: asked.adminId, at: asked.now }))
  const rows = await proposals(db).execute()
  const alive = rows.filter((row) => endOfProposal(row) > asked.now.getTime())
  return Promise.all(
    alive.map(async (row) => ({
      ...(await describeChange(db, row, asked.now)),
      id: proposalId(row),
      kind: row.kind,
      tron_address: row.address === null ? null : formatTronAddress(row.address),
      proposed_by: formatTronAddress(row.proposer),
      proposed_at: row.at.toISOString(),
      expires_at: row.kind === 'referral_claim' ? null : new Date(endOfProposal(row)).toISOString(),
      is_mine: row.claimant === asked.adminId || (!isLone && row.proposed_by === asked.adminId),
      can_withdraw: row.proposed_by === asked.adminId,
    })),
  )
}

type Row = Awaited<ReturnType<ReturnType<typeof proposals>['execute']>>[number]

function proposals(db: DbOrTx) {
  return own(db)
    .selectFrom('proposal_view as p')
    .innerJoin('app_user_view as a', 'a.id', 'p.proposed_by')
    .leftJoin('referral_claim_view as c', (join) =>
      join.onRef('c.id', '=', 'p.subject').on('p.kind', '=', sql.lit('referral_claim')),
    )
    .leftJoin('app_user_view as u', (join) =>
      join.on('u.id', '=', (eb) => eb.fn.coalesce('c.user_id', sql<bigint>`nullif(p.subject, 0)`)),
    )
    .select([
      'p.kind',
      'p.subject',
      'p.value',
      'p.proposed_by',
      'p.at',
      'a.address as proposer',
      'u.address',
    ])
    .select(['u.referral_reward_bps', 'c.id as claim_id', 'c.user_id as claimant'])
    .select(['c.kind as bonus', 'c.usdt_address'])
    .where('u.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('c.id', 'is', null), eb('c.state', '=', 'requested')]))
    .orderBy('p.at')
    .limit(MOST)
}

async function describeChange(db: DbOrTx, row: Row, now: Date) {
  const { kind, value } = row
  if (kind === 'referral_claim') {
    const claim = {
      id: `${row.claim_id}`,
      bonus_type: row.bonus === 'direct' ? 'direct bonus' : 'non-direct',
      usdt_address: formatEvmAddress(row.usdt_address ?? Buffer.alloc(0)),
    }
    return { claim, old_value: null, value: formatAmount('USDT', value) }
  }
  if (kind === 'referral_percentage') {
    const before = formatPercentage(BigInt(row.referral_reward_bps ?? 0))
    return { claim: null, old_value: before, value: formatPercentage(value) }
  }
  const before = await presentValue(db, kind, now)
  return {
    claim: null,
    old_value: before === undefined ? null : showMoneySetting(kind, before),
    value: showMoneySetting(kind, value),
  }
}
