import { PROPOSAL_KINDS, type ProposalKind, type SettingName } from '@dct/api-contract/proposals'
import { amount, parseAmount } from '@dct/money'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../platform/clock.ts'
import type { AdminAction } from '../../platform/database/admin-actions.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { elementAt } from '../../testing/element-at.ts'
import { createReferralApp } from '../../testing/referral-app.ts'
import { payFee } from '../../testing/referrals.ts'
import { useWorld } from '../../testing/use-world.ts'
import type { TestUser } from '../../testing/users.ts'
import { showMoneySetting } from '../pricing/index.ts'
import { ensureMoneySetting, setMoneySetting } from '../pricing/set-money-setting.ts'
import { declineProposal, withdrawProposal } from '../proposals/end-proposal.ts'
import { approveReferralClaim } from '../referrals/claims/approve-referral-claim.ts'
import { forgetFirstApproval } from '../referrals/index.ts'
import { setReferralRate } from '../referrals/rewards/set-referral-rate.ts'
import { waitingProposals } from './waiting-proposals.queries.ts'

const database = useTestDatabase(24)
const world = useWorld(() => createReferralApp(database.db))
const actions: AdminAction[] = []
let first: TestUser
let second: TestUser
let earner: TestUser
let claimId: string

beforeEach(async () => {
  await wipe(database.db)
  world.clock.set('2026-02-01T10:00:00Z')
  first = await world.given({ role: 'admin' })
  second = await world.given({ role: 'admin' })
  earner = await world.given()
  const payer = await world.given({ referrerId: earner.id })
  await payFee(world.people, { payerId: payer.id, usdt: '20' })
  claimId = (await world.claim(earner)).body.id ?? ''
  await ensureMoneySetting(deps(), { name: 'price', value: 100_000_000n })
  actions.length = 0
})

const deps = () => ({
  db: database.db,
  clock: world.clock,
  recordAdminAction: async (_tx: unknown, action: AdminAction) => void actions.push(action),
  showSetting: showMoneySetting,
  forgetFirstApproval,
  priceBounds: { minimum: 1n, maximum: 10n ** 12n, maxStepBps: 2_000n },
  secondApprovalRateBps: 3_000n,
  secondApprovalAbove: amount('USDT', 0n),
  readPayoutWallet: async () => ({ usdt: parseAmount('USDT', '1000'), blockNumber: 1n }),
})

/** What is proposed of each setting, as it is stored and as admins read it. */
const VALUES: Record<SettingName, [bigint, string]> = {
  price: [200_000_000n, '2.00000000'],
  energy_fee: [parseAmount('USDT', '0.2'), '0.200000'],
  direct_rate: [1_500n, '15'],
  non_direct_opens: [BigInt(Date.parse('2026-05-01T00:00:00+07:00')), '2026-05-01'],
  trx_price: [parseAmount('USDT', '0.4'), '0.400000'],
}

/** Proposes a change of this kind, or agrees to it. @returns whether it is in force */
async function send(kind: ProposalKind, { id: adminId }: TestUser): Promise<boolean> {
  if (kind === 'referral_claim')
    return approveReferralClaim(deps(), { claimId: BigInt(claimId), adminId })
  if (kind !== 'referral_percentage')
    return setMoneySetting(deps(), { name: kind, value: VALUES[kind][0], adminId })
  const rate = { userId: earner.id, rateBps: 4_000n, adminId }
  return (await setReferralRate(deps(), rate)).isSet
}

/** How the admin log names what a proposal of this kind is about, and its value. */
function logged(kind: ProposalKind): { subject: string; before: object } {
  if (kind === 'referral_claim') return { subject: claimId, before: { amount_usdt: '2.000000' } }
  if (kind === 'referral_percentage')
    return { subject: earner.wallet.tronAddress, before: { percentage: '40' } }
  const [, text] = VALUES[kind]
  return kind === 'price'
    ? { subject: 'DCT', before: { price: text } }
    : { subject: kind, before: { value: text } }
}

const waiting = ({ id: adminId }: TestUser) =>
  waitingProposals(database.db, { adminId, now: world.clock.now() })
/** The only proposal, as this admin sees it now. */
async function seenBy(admin: TestUser) {
  const [proposal, ...more] = await waiting(admin)
  if (proposal === undefined || more.length > 0) throw new Error('not one proposal')
  const { id, proposed_at } = proposal
  return { ...proposal, seen: { id, proposedAt: new Date(proposed_at), adminId: admin.id } }
}
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test.each(PROPOSAL_KINDS)(
  'a proposal of %s is declined by a second admin with a reason, or withdrawn by its own; the log keeps both',
  async (kind) => {
    const reason = 'Not agreed.'
    expect(await send(kind, first)).toBe(false)
    expect((await seenBy(first)).can_withdraw).toBe(true)
    const { seen, can_withdraw, is_mine } = await seenBy(second)
    expect([can_withdraw, is_mine]).toEqual([false, false])
    expect(await codeOf(withdrawProposal(deps(), seen))).toBe('PROPOSAL_OF_ANOTHER')
    const own = { ...seen, adminId: first.id }
    expect(await codeOf(declineProposal(deps(), { ...own, reason }))).toBe('PROPOSAL_YOUR_OWN')
    await declineProposal(deps(), { ...seen, reason })
    expect(await waiting(second)).toEqual([])
    expect(await codeOf(declineProposal(deps(), { ...seen, reason }))).toBe('PROPOSAL_GONE')

    // Nothing is left of it: the next one who sends the same is the first again.
    world.clock.advanceMs(1)
    expect(await send(kind, second)).toBe(false)
    await withdrawProposal(deps(), (await seenBy(second)).seen)
    expect(await waiting(second)).toEqual([])
    const ends = actions.filter(({ action }) => action.startsWith('proposal.'))
    expect(ends).toMatchObject([
      { action: 'proposal.decline', adminId: second.id, ...logged(kind), after: { reason } },
      { action: 'proposal.withdraw', adminId: second.id, ...logged(kind), after: null },
    ])
    const changes = await database.db.selectFrom('setting_change').select('id').execute()
    expect(changes).toHaveLength(1)
  },
)

test('a claim whose first approval is taken back waits as before, and can be approved', async () => {
  const state = () =>
    database.db
      .selectFrom('referral_claim')
      .select(['state', 'needs_two', 'first_approved_by'])
      .executeTakeFirstOrThrow()
  const before = await state()
  await send('referral_claim', first)
  expect((await state()).needs_two).toBe(true)
  await withdrawProposal(deps(), (await seenBy(first)).seen)
  expect(await state()).toEqual(before)
  expect(await send('referral_claim', second)).toBe(false)
  expect(await send('referral_claim', first)).toBe(true)
  expect(await state()).toMatchObject({ state: 'approved', first_approved_by: second.id })
})

test('a proposal that was made anew or has expired is not ended as the one that was seen', async () => {
  await send('energy_fee', first)
  const { seen } = await seenBy(first)
  world.clock.advanceMs(1)
  await send('energy_fee', first)
  expect(await codeOf(withdrawProposal(deps(), seen))).toBe('PROPOSAL_GONE')
  const { seen: later } = await seenBy(first)
  world.clock.advanceMs(DAY_MS)
  expect(await codeOf(withdrawProposal(deps(), later))).toBe('PROPOSAL_GONE')
  const unknown = { ...later, id: 'energy_fee:7' }
  expect(await codeOf(withdrawProposal(deps(), unknown))).toBe('PROPOSAL_GONE')
  expect(await codeOf(withdrawProposal(deps(), { ...later, id: 'gold:0' }))).toBe('PROPOSAL_GONE')
})

test.each(['price', 'referral_percentage', 'referral_claim'] as const)(
  'a proposal of %s that is withdrawn while another admin agrees is either in force or gone',
  async (kind) => {
    for (let round = 0; round < 8; round += 1) {
      await database.db.deleteFrom('proposal').execute()
      const isFirst = round === 0 || (await waiting(second)).length === 0
      if (!isFirst || (await send(kind, first))) throw new Error('no proposal')
      const { seen } = await seenBy(first)
      const [ended, isSet] = await Promise.all([
        codeOf(withdrawProposal(deps(), seen)),
        send(kind, second),
      ])
      expect([ended, isSet]).toEqual(isSet ? ['PROPOSAL_GONE', true] : ['done', false])
      if (isSet) break
      world.clock.advanceMs(1)
    }
    expect(elementAt(actions, 0).adminId).toBe(first.id)
  },
)
