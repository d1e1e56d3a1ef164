import { parseAmount } from '@dct/money'
import { hexToBytes, keccak256, stringToHex } from 'viem'
import { recordAdminAction } from '../modules/admin/index.ts'
import { authRoutes } from '../modules/auth/auth.routes.ts'
import { createStepUpGuard } from '../modules/auth/index.ts'
import { readAccount } from '../modules/payouts/accounts.queries.ts'
import { bookPayment } from '../modules/payouts/book-payment.ts'
import { getPayout } from '../modules/payouts/create-payout.ts'
import {
  createTreeCache,
  onReferralPayoutFinal,
  prepareReferralClaim,
  referralTotals,
} from '../modules/referrals/index.ts'
import { referralsRoutes } from '../modules/referrals/referrals.routes.ts'
import { referralsAdminRoutes } from '../modules/referrals/referrals-admin.routes.ts'
import { readMark } from '../modules/reports/index.ts'
import type { Clock } from '../platform/clock.ts'
import { type Db, inTransaction } from '../platform/database/db.ts'
import type { App } from '../platform/http/http.ts'
import { createLogger } from '../platform/logger.ts'
import { everything } from './all-tables.ts'
import { createTestApp } from './app.ts'
import { ManualClock } from './manual-clock.ts'
import { payFee, setRate, stake } from './referrals.ts'
import { SIGN_IN } from './sign-in.ts'
import { bearer, givenUser, type TestUser } from './users.ts'

export const BSC_ADDRESS = `0x${'ab'.repeat(20)}`
/** Addresses that must not receive rewards: the token, the fee receiver and the vault. */
export const OWN_ADDRESSES = ['01', '02', '03'].map((byte) => `0x${byte.repeat(20)}` as const)

export type Body = Record<string, unknown> & { message?: string; id?: string; nonce?: string }
export type Answer = { status: number; body: Body }
export type Wish = { type?: string; usdt_address?: string }

/** The vault's balance, set by the test. */
type Wallet = { usdt: bigint; blockNumber: bigint; isKnown: boolean }

export const VAULT = { address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', chainId: 97 }
/** Advances with each request, because a caller's oldest challenges are dropped. */
function requestClock(): Clock {
  const started = new ManualClock('2026-01-31T10:00:00Z')
  return {
    now() {
      started.advanceMs(1)
      return started.now()
    },
  }
}

type Setting = { db: Db; clock: ManualClock; realClock: Clock; wallet: Wallet }

function dependencies({ db, clock, realClock, wallet }: Setting) {
  return {
    db,
    clock,
    realClock,
    readNonDirectOpensAt: async () => new Date('2025-04-04T17:00:00Z'),
    ownBscAddresses: OWN_ADDRESSES.map((address) => hexToBytes(address)),
    vault: VAULT,
    log: createLogger('silent'),
    site: SIGN_IN.site,
    dctDecimals: 6,
    writesPerMinute: 10_000,
    secondApprovalAbove: parseAmount('USDT', '500'),
    secondApprovalRateBps: 5_000n,
    requireStepUp: createStepUpGuard({ db, realClock, isRequired: false }),
    recordAdminAction,
    async readPayoutWallet() {
      if (!wallet.isKnown) throw new Error('no node answers')
      return { usdt: wallet.usdt, blockNumber: wallet.blockNumber }
    },
  }
}

/**
 * The referral routes with real sign-in, and a vault whose balance the test sets.
 * @param realClock for sessions and challenges: a session that another clock opened later does not count yet
 */
export async function createReferralApp(db: Db, realClock: Clock = requestClock()) {
  const clock = new ManualClock('2026-01-31T10:00:00Z')
  const wallet = { usdt: parseAmount('USDT', '1000'), blockNumber: 100n, isKnown: true }
  const deps = dependencies({ db, clock, realClock, wallet })
  const app = await createTestApp(deps)
  const prefix = '/api'
  await app.register(authRoutes, {
    ...SIGN_IN,
    ...deps,
    prefix,
    prepareReferralClaim: (tx, input) => prepareReferralClaim(deps, tx, input),
    readReferralTotals: referralTotals,
    readChangeMark: readMark,
  })
  const tree = createTreeCache()
  await app.register(referralsRoutes, { ...deps, prefix, tree })
  await app.register(referralsAdminRoutes, { ...deps, prefix, tree })
  const { call, challenge, save, claim } = callsOf(app)
  return {
    app,
    clock,
    wallet,
    people: { db, clock, realClock: deps.realClock },
    call,
    challenge,
    save,
    claim,
    given: (facts: Parameters<typeof givenUser>[1] = {}) => givenUser(deps, facts),
    approve: (by: TestUser, id: string | undefined) =>
      call('PUT', '/admin/referral-claim-approval', { by, payload: { id } }),
    decline: (by: TestUser, payload: { id: string | undefined; reason: string }) =>
      call('PUT', '/admin/referral-claim-decline', { by, payload }),
    giveBack: (by: TestUser, payload: { id: string | undefined; reason: string }) =>
      call('PUT', '/admin/referral-claim-return', { by, payload }),
  }
}
export type ReferralApp = Awaited<ReturnType<typeof createReferralApp>>

function callsOf(app: App) {
  async function call(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    { by, payload }: { by?: TestUser; payload?: object } = {},
  ): Promise<Answer> {
    const answer = await app.inject({
      method,
      url: `/api${url}`,
      ...(by === undefined ? {} : { headers: bearer(by) }),
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const wishOf = ({ type = 'direct bonus', usdt_address = BSC_ADDRESS }: Wish) => ({
    type,
    usdt_address,
  })
  const challenge = (by: TestUser, wish: Wish = {}) => {
    const asked = { tron_address: by.wallet.tronAddress, purpose: 'referral_claim' }
    return call('POST', '/auth/challenge', { by, payload: { ...asked, ...wishOf(wish) } })
  }
  const save = async (by: TestUser, wish: Wish, { body }: Answer) => {
    const signature = await by.wallet.signText(body.message ?? '')
    const payload = { ...wishOf(wish), nonce: body.nonce, signature }
    return call('POST', '/user/save-referral-claim-pool', { by, payload })
  }
  return {
    call,
    challenge,
    save,
    /** Makes a claim: challenge, signature and request. */
    async claim(by: TestUser, wish: Wish = {}): Promise<Answer> {
      const asked = await challenge(by, wish)
      return asked.status === 200 ? save(by, wish, asked) : asked
    },
  }
}

export type Family = {
  admin: TestUser
  top: TestUser
  middle: TestUser
  leaf: TestUser
  payer: TestUser
}

/** top (20 %) > middle > leaf and payer. The payer locked 12.5 DCT and paid fees of 10 and, two days later, 4 USDT. */
export async function givenFamily(world: ReferralApp): Promise<Family> {
  world.clock.set('2026-01-31T10:00:00Z')
  const admin = await world.given({ role: 'admin', email: 'admin@example.org' })
  const top = await world.given({ email: 'top@example.org' })
  const middle = await world.given({ referrerId: top.id })
  const leaf = await world.given({ referrerId: middle.id })
  const payer = await world.given({ referrerId: middle.id })
  await setRate(world.people, { userId: top.id, bps: 2_000 })
  await stake(world.people, { address: payer.address, dct: '12.5' })
  await payFee(world.people, { payerId: payer.id, usdt: '10' })
  world.clock.set('2026-02-02T10:00:00Z')
  await payFee(world.people, { payerId: payer.id, usdt: '4' })
  return { admin, top, middle, leaf, payer }
}

/** Books a payment of exactly a claim's payout, as the vault's event tells it. */
export async function payClaim(
  { db, clock }: { db: Db; clock: ManualClock },
  claim: { id: string | undefined; blockNumber: bigint },
): Promise<string> {
  const { payout_id } = await everything(db)
    .selectFrom('referral_claim')
    .select('payout_id')
    .where('id', '=', BigInt(claim.id ?? 0))
    .executeTakeFirstOrThrow()
  const payout = await getPayout(db, payout_id ?? 0n)
  const account = readAccount(
    await everything(db)
      .selectFrom('payout_account')
      .selectAll()
      .where('id', '=', payout.accountId)
      .executeTakeFirstOrThrow(),
  )
  const txHash = keccak256(stringToHex(`payment ${claim.id}`))
  await inTransaction(db, (tx) =>
    bookPayment({ clock, onFinal: onReferralPayoutFinal, charge: async () => undefined }, tx, {
      ...{ txHash, logIndex: 0, blockNumber: claim.blockNumber, blockTime: clock.now() },
      ...{ account, from: `0x${'03'.repeat(20)}`, to: payout.to, amount: payout.amount },
      total: account.paid + payout.amount,
    }),
  )
  return txHash
}
