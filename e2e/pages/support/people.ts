import type { ClaimableRewardsReply, PendingFeesReply } from '@dct/api-contract/claims'
import type { UserEarningsReply } from '@dct/api-contract/earnings'
import type { AdminClaimPoolReply, ReferralSummaryReply } from '@dct/api-contract/referrals'
import type { CaseReply } from '@dct/api-contract/reports'
import type { Records, Shot, Who } from '../../support/gallery.ts'
import { acceptReservations } from './joining.ts'
import type { PageVisitOptions } from './test.ts'
import { listOf, recordedReply, type World } from './world.ts'

const EARNINGS = 'GET /api/user/earnings'
const FEES = 'GET /api/user/pending-claim-fees'
const CLAIMABLE = 'GET /api/user/claimable-reward'
const POOL = 'GET /api/admin/referral-claim-pool'
const CASE = 'GET /api/admin/cases/:code'
const LONG_AGO = '2026-03-01T03:04:05.000Z'

const RECORDS: Records = {
  code: recordedReply<CaseReply>(CASE).case.code_claim,
  token: 'a'.repeat(43),
}

/** Opens a page of the gallery, in a world in which that person has what the page shows. */
export function visitOf({ who, path, ...shot }: Shot, world: World): PageVisitOptions {
  if (who === undefined) haveSupportSeeTheCase(world)
  else if (who === 'admin') haveWork(world)
  else livesAs(world, who)
  const { isSignedIn = true, before, tolerates } = shot
  return {
    ...(who && isSignedIn && { as: who === 'admin' ? 'admin' : 'user' }),
    ...(who && { wallet: 'connected' }),
    path: typeof path === 'string' ? path : path(RECORDS),
    ...(before && { routes: before }),
    ...(tolerates && { tolerates }),
  }
}

/** A holder in the middle of a plan, one with an open fee, or one who has joined nothing yet. */
function livesAs(world: World, who: Exclude<Who, 'admin'>): void {
  const { earnings } = recordedReply<UserEarningsReply>(EARNINGS)
  const { pending_fees: fees } = recordedReply<PendingFeesReply>(FEES)
  const held = who === 'newcomer' ? [] : earnings
  const owed = fees
    .filter(({ is_paid }) => (who === 'holder' ? is_paid : who === 'claimant'))
    .map((fee) => ({ ...fee, ...(fee.is_paid ? {} : { cancellable_from: LONG_AGO }) }))
  world.answer(EARNINGS, (asked) => listOf('earnings', held, asked))
  world.answer(FEES, (asked) => listOf('pending_fees', owed, asked))
  if (who === 'newcomer') {
    world.answer(CLAIMABLE, { claimable_rewards: [] } satisfies ClaimableRewardsReply)
    world.answer('GET /api/user/get-claimed-rewards', { claimed_rewards: [] })
    acceptReservations(world)
  }
  world.alter<ReferralSummaryReply>('GET /api/user/referral-summary', (reply) => ({
    referral_summary: {
      ...reply.referral_summary,
      ...{ total_direct_unclaimed: '0.036000', waiting_direct: '0.000000' },
    },
  }))
}

/** The part of a case that a link for support shows. */
function haveSupportSeeTheCase(world: World): void {
  world.answer('GET /api/public/cases/:token', recordedReply<CaseReply>(CASE).case)
}

/** Claims of both kinds to approve, and a case with a note and a link for support. */
function haveWork(world: World): void {
  const [claim] = recordedReply<AdminClaimPoolReply>(POOL).claim_pool
  const claims = (['direct bonus', 'non-direct'] as const).map((bonus_type, index) => ({
    ...{ ...claim, id: `${index + 1}`, bonus_type },
  }))
  world.answer(POOL, (asked) => listOf('claim_pool', claims, asked))
  world.alter<CaseReply>(CASE, (reply) => ({
    ...reply,
    notes: [{ id: '1', by: claim?.tron_address, text: 'Asked by telephone.', at: LONG_AGO }],
    links: [
      {
        ...{ id: '1', created_by: claim?.tron_address, created_at: LONG_AGO },
        ...{ expires_at: '2030-01-01T00:00:00.000Z', is_open: true },
      },
    ],
  }))
}
