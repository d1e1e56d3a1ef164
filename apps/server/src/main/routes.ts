import { amount, DECIMALS, parseUnits } from '@dct/money'
import { PRICE_DECIMALS, TERMS_VERSION } from '@dct/rules/constants'
import { adminRoutes } from '../modules/admin/admin.routes.ts'
import { healthRoutes } from '../modules/admin/health.routes.ts'
import { recordAdminAction } from '../modules/admin/index.ts'
import { moneyRoutes } from '../modules/admin/money.routes.ts'
import { auditRoutes } from '../modules/audit/audit.routes.ts'
import { authRoutes } from '../modules/auth/auth.routes.ts'
import type { Site } from '../modules/auth/index.ts'
import { sessionsRoutes } from '../modules/auth/sessions.routes.ts'
import { bytesOf } from '../modules/chain/index.ts'
import { claimsRoutes } from '../modules/claims/claims.routes.ts'
import { claimsAdminRoutes } from '../modules/claims/claims-admin.routes.ts'
import { earningsRoutes } from '../modules/earnings/earnings.routes.ts'
import { earningsAdminRoutes } from '../modules/earnings/earnings-admin.routes.ts'
import { adoptEarnings, isFollowing } from '../modules/earnings/index.ts'
import { requestOperatorCall } from '../modules/payouts/index.ts'
import { payoutsRoutes } from '../modules/payouts/payouts.routes.ts'
import { plansRoutes } from '../modules/plans/plans.routes.ts'
import { plansAdminRoutes } from '../modules/plans/plans-admin.routes.ts'
import { configRoutes, type PublicSettings } from '../modules/pricing/config.routes.ts'
import { pricingRoutes } from '../modules/pricing/pricing.routes.ts'
import { createKnownTree, referralTotals } from '../modules/referrals/index.ts'
import { referralsRoutes } from '../modules/referrals/referrals.routes.ts'
import { referralsAdminRoutes } from '../modules/referrals/referrals-admin.routes.ts'
import { realClock } from '../platform/clock.ts'
import type { App } from '../platform/http.ts'
import { readDctBalance, readTransactionState } from './chains.ts'
import { PUBLIC_NODES } from './config.ts'
import type { Context } from './context.ts'
import { registerFiles } from './file-wiring.ts'
import { onPayoutFinal, requestRelease } from './payout-wiring.ts'
import { claimRules, creditReferrals, prepareClaims, readPayoutWallet } from './referral-wiring.ts'
import { registerStatements } from './statement-wiring.ts'

const RESERVATION_COOLDOWN_MS = 2 * 60_000
/** Tron calls a block final after about a minute. */
const FUNDING_PATIENCE_MS = 75_000
const price = (text: string) => parseUnits(text, PRICE_DECIMALS)
/** A price outside of these is a slip of the hand; a larger step needs a second admin. */
const PRICE_BOUNDS = { minimum: price('0.0001'), maximum: price('10000'), maxStepBps: 2_000n }

const prefix = '/api'

/** Registers every call below /api. */
export async function registerRoutes(app: App, context: Context): Promise<void> {
  const signIn = signInDeps(context)
  await app.register(authRoutes, { prefix, ...signIn })
  await app.register(sessionsRoutes, { prefix, ...signIn })
  await app.register(configRoutes, { prefix, ...context, settings: publicSettings(context) })
  await registerPlans(app, context)
  await app.register(earningsRoutes, { prefix, ...earningDeps(context) })
  await app.register(earningsAdminRoutes, { prefix, ...earningDeps(context) })
  await registerClaims(app, context)
  await registerReferrals(app, context)
  await registerOperations(app, context)
  await registerStatements(app, context)
  await registerFiles(app, context)
}

async function registerPlans(app: App, context: Context): Promise<void> {
  const { db, clock, chains, dctDecimals, requireStepUp } = context
  const priced = { ...context, recordAdminAction, priceBounds: PRICE_BOUNDS }
  await app.register(pricingRoutes, { prefix, ...priced })
  await app.register(plansRoutes, {
    prefix,
    db,
    clock,
    dctDecimals,
    reservationCooldownMs: RESERVATION_COOLDOWN_MS,
    readDctBalance: (address: Buffer) => readDctBalance(chains, address),
    isFollowing,
  })
  await app.register(plansAdminRoutes, {
    prefix,
    db,
    clock,
    dctDecimals,
    requireStepUp,
    recordAdminAction,
    requestPlanCall: requestOperatorCall,
    readTransactionState: (hash: Buffer) => readTransactionState(chains, hash),
    fundingPatienceMs: FUNDING_PATIENCE_MS,
  })
}

async function registerClaims(app: App, context: Context): Promise<void> {
  const { chains, config } = context
  await app.register(claimsRoutes, {
    prefix,
    ...context,
    realClock,
    energyFee: amount('USDT', config.money.energyFee),
    feeReceiver: bytesOf(chains.bsc.receiver),
    reader: chains.bsc.reader,
    usdt: chains.bsc.usdt,
  })
  await app.register(claimsAdminRoutes, {
    prefix,
    ...context,
    recordAdminAction,
    creditReferrals: creditReferrals(context),
  })
}

async function registerReferrals(app: App, context: Context): Promise<void> {
  const { config } = context
  const tree = createKnownTree()
  await app.register(referralsRoutes, {
    prefix,
    tree,
    ...signInDeps(context),
    ...claimRules(context),
    writesPerMinute: config.limits.write,
  })
  await app.register(referralsAdminRoutes, {
    prefix,
    tree,
    ...context,
    recordAdminAction,
    secondApprovalAbove: config.money.secondApprovalAbove,
    secondApprovalRateBps: config.money.secondApprovalRateBps,
    readPayoutWallet: () => readPayoutWallet(context),
    payouts: config.money.referralPayouts,
    onPayoutFinal,
    ...context.chains.bsc,
  })
}

/** What operators look at and do: the dashboard, users, audits, payouts. */
async function registerOperations(app: App, context: Context): Promise<void> {
  const { chains } = context
  await app.register(adminRoutes, { prefix, ...context, readReferralTotals: referralTotals })
  await app.register(moneyRoutes, { prefix, ...context, realClock })
  await app.register(healthRoutes, { prefix, ...context, realClock })
  await app.register(auditRoutes, { prefix, ...context, recordAdminAction })
  await app.register(payoutsRoutes, {
    prefix,
    ...context,
    recordAdminAction,
    node: chains.bsc.node,
    wallet: chains.bsc.payoutWallet,
  })
}

function earningDeps({ db, clock, log, dctDecimals, config, chains }: Context) {
  return {
    db,
    clock,
    log,
    dctDecimals,
    graceCycles: config.freezeGraceCycles,
    tron: { reader: chains.tron.reader, staking: chains.tron.staking },
    requestRelease,
  }
}

function signInDeps(context: Context) {
  const { db, clock, config, dctDecimals } = context
  const site: Site = {
    brand: config.brand,
    origin: config.origin,
    tronChainId: config.tron.chainId,
  }
  return {
    db,
    clock,
    realClock,
    site,
    dctDecimals,
    termsVersion: TERMS_VERSION,
    challengesPerMinute: config.limits.challenge,
    signInsPerMinute: config.limits.signIn,
    prepareReferralClaim: prepareClaims(context),
    readReferralTotals: referralTotals,
    onRegistered: adoptEarnings,
  }
}

function publicSettings({ config, dctDecimals }: Context): PublicSettings {
  const { tron, bsc, money, devnet } = config
  const isDevnet = devnet !== undefined
  return {
    mode: config.mode,
    brand: config.brand,
    supportEmail: config.supportEmail,
    origin: config.origin,
    termsVersion: TERMS_VERSION,
    tron: {
      network: tron.network,
      chain_id: tron.chainId,
      full_host: isDevnet
        ? `${config.origin}/tron`
        : PUBLIC_NODES[tron.network === 'devnet' ? 'nile' : tron.network],
      token: tron.token,
      token_symbol: 'DCT',
      token_decimals: dctDecimals,
      staking: tron.staking,
      reward_pool: tron.rewardPool,
      explorer: tron.explorer,
    },
    bsc: {
      network: 'BSC (BEP20)',
      chain_id: bsc.chainId,
      rpc: isDevnet
        ? `${config.origin}/bsc`
        : PUBLIC_NODES[bsc.chainId === 56 ? 'bsc' : 'bscTestnet'],
      usdt: bsc.usdt,
      usdt_decimals: DECIMALS.USDT,
      fee_receiver: bsc.receiver,
      payout_address: bsc.payoutAddress,
      explorer: bsc.explorer,
    },
    energyFee: money.energyFee,
    directRateBps: money.directRateBps,
    freezeGraceCycles: config.freezeGraceCycles,
    nonDirectOpensAt: money.nonDirectOpensAt,
    isStepUpRequired: config.isStepUpRequired,
  }
}
