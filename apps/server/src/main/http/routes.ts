import { DECIMALS, parseUnits } from '@dct/money'
import { BSC_CHAIN_IDS } from '@dct/rules/bsc-networks'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { kindOfStep } from '@dct/rules/money-steps'
import { adminRoutes } from '../../modules/admin/admin.routes.ts'
import { deliveriesRoutes } from '../../modules/admin/deliveries.routes.ts'
import { healthRoutes } from '../../modules/admin/health.routes.ts'
import { recordAdminAction } from '../../modules/admin/index.ts'
import { auditRoutes } from '../../modules/audit/audit.routes.ts'
import { authRoutes } from '../../modules/auth/auth.routes.ts'
import type { Site } from '../../modules/auth/index.ts'
import { sessionsRoutes } from '../../modules/auth/sessions.routes.ts'
import { chainRoutes } from '../../modules/chain/chain.routes.ts'
import { bytesOf } from '../../modules/chain/index.ts'
import { claimsRoutes } from '../../modules/claims/claims.routes.ts'
import { claimsAdminRoutes } from '../../modules/claims/claims-admin.routes.ts'
import { codesOfClaims, requireReturnDue } from '../../modules/claims/index.ts'
import { earningsRoutes } from '../../modules/earnings/earnings.routes.ts'
import { earningsAdminRoutes } from '../../modules/earnings/earnings-admin.routes.ts'
import { adoptEarnings, isFollowing } from '../../modules/earnings/index.ts'
import { noteDevice } from '../../modules/messages/index.ts'
import { messagesRoutes } from '../../modules/messages/messages.routes.ts'
import { requestOperatorCall } from '../../modules/payouts/index.ts'
import { payoutsRoutes } from '../../modules/payouts/payouts.routes.ts'
import { sendersRoutes } from '../../modules/payouts/senders.routes.ts'
import { plansRoutes } from '../../modules/plans/plans.routes.ts'
import { plansAdminRoutes } from '../../modules/plans/plans-admin.routes.ts'
import { showMoneySetting } from '../../modules/pricing/index.ts'
import { pricingRoutes } from '../../modules/pricing/pricing.routes.ts'
import { proposalsRoutes } from '../../modules/proposals/proposals.routes.ts'
import {
  createTreeCache,
  forgetFirstApproval,
  referralTotals,
} from '../../modules/referrals/index.ts'
import { referralsRoutes } from '../../modules/referrals/referrals.routes.ts'
import { referralsAdminRoutes } from '../../modules/referrals/referrals-admin.routes.ts'
import { type LongPoll, readMark } from '../../modules/reports/index.ts'
import { stepsRoutes } from '../../modules/steps/steps.routes.ts'
import { termsRoutes } from '../../modules/terms/terms.routes.ts'
import { moneyRoutes } from '../../modules/treasury/money.routes.ts'
import { realClock } from '../../platform/clock.ts'
import { sharedReads } from '../../platform/database/db.ts'
import type { App } from '../../platform/http/http.ts'
import { browserTronNode } from '../chains/browser-tron-node.ts'
import { readTermsOnChain, readTransactionState } from '../chains/chains.ts'
import { holdingReaders } from '../chains/holding-readers.ts'
import { budgetedChains } from '../chains/node-budget.ts'
import { watchedChains } from '../chains/streams.ts'
import type { Context } from '../context.ts'
import { PUBLIC_NODES } from '../settings/site-settings.ts'
import { messagesDeps } from '../wiring/messages-wiring.ts'
import { requestRelease } from '../wiring/payout-wiring.ts'
import {
  creditReferrals,
  readPayoutWallet,
  referralClaimPreparation,
  referralClaimRules,
} from '../wiring/referral-wiring.ts'
import { registerReports } from '../wiring/report-wiring.ts'
import {
  consentGuard,
  readTermsVersion,
  recordConsent,
  termsSettings,
} from '../wiring/terms-wiring.ts'
import { configRoutes, type PublicSettings } from './config.routes.ts'

/** How many node calls of API requests run at once, and how long one waits for its turn. */
const NODE_CALLS_AT_ONCE = 8
const NODE_PATIENCE_MS = 5_000
const RESERVATION_COOLDOWN_MS = 2 * 60_000
/** On Tron, a block is final after about a minute. */
const FUNDING_PATIENCE_MS = 75_000
const price = (text: string) => parseUnits(text, PRICE_DECIMALS)
/** A price outside of these bounds is a typing mistake; a larger move within a day needs a second admin. */
const PRICE_BOUNDS = { minimum: price('0.0001'), maximum: price('10000'), maxStepBps: 2_000n }

const prefix = '/api'

/** Registers every call below /api. */
export async function registerRoutes(app: App, whole: Context, longPoll: LongPoll): Promise<void> {
  const { nodeCallsPerSecond: perSecond } = whole.config.limits
  const budget = { atOnce: NODE_CALLS_AT_ONCE, perSecond, patienceMs: NODE_PATIENCE_MS }
  const context = { ...whole, chains: budgetedChains(whole.chains, budget) }
  // For the frequent calls of holders and visitors, which share connections; admins' lists do not, because they may
  // take long and others would wait behind them.
  const often = { ...context, db: sharedReads(context.db) }
  const signIn = signInDeps(often)
  await app.register(authRoutes, { prefix, ...signIn })
  await app.register(sessionsRoutes, { prefix, ...signIn })
  const { db, clock, priceMaxAgeMs } = often
  const settings = publicSettings(context)
  await app.register(configRoutes, {
    prefix,
    ...{ db, clock, priceMaxAgeMs, settings },
    readTermsVersion: readTermsVersion(context),
  })
  await app.register(termsRoutes, {
    prefix,
    ...{ db, clock, recordAdminAction, requireStepUp: context.requireStepUp },
    ...termsSettings(context),
  })
  await app.register(messagesRoutes, { prefix, ...messagesDeps(often) })
  await app.register(stepsRoutes, {
    ...{ prefix, db, realClock },
    requireDue: async (tx, step) => {
      if (kindOfStep(step) === 'refund') await requireReturnDue(tx, step)
    },
  })
  await registerPlans(app, context)
  await app.register(earningsRoutes, { prefix, ...earningDeps(often) })
  await app.register(earningsAdminRoutes, { prefix, ...earningDeps(context) })
  await registerClaims(app, context)
  await registerReferrals(app, context)
  await registerOperations(app, context)
  await registerReports(app, context, longPoll)
}

async function registerPlans(app: App, context: Context): Promise<void> {
  const { db, clock, chains, dctDecimals, requireStepUp, priceMaxAgeMs } = context
  await app.register(pricingRoutes, {
    prefix,
    db,
    clock,
    priceMaxAgeMs,
    priceBounds: PRICE_BOUNDS,
    pairRules: context.config.money.pair?.rules,
    requireStepUp,
    recordAdminAction,
  })
  await app.register(proposalsRoutes, {
    ...{ prefix, db, clock, recordAdminAction, forgetFirstApproval },
    showSetting: showMoneySetting,
  })
  await app.register(plansRoutes, {
    prefix,
    db: sharedReads(db),
    clock,
    dctDecimals,
    reservationCooldownMs: RESERVATION_COOLDOWN_MS,
    ...holdingReaders(chains),
    isFollowing,
    requireConsent: consentGuard(context),
  })
  await app.register(plansAdminRoutes, {
    ...adminDeps(context),
    requestPlanCall: requestOperatorCall,
    readTransactionState: (hash: Buffer) => readTransactionState(chains, hash),
    readTermsOnChain: (planCode: string) => readTermsOnChain(chains, planCode),
    fundingPatienceMs: FUNDING_PATIENCE_MS,
  })
}

async function registerClaims(app: App, context: Context): Promise<void> {
  const { db, clock, dctDecimals, chains, config } = context
  await app.register(claimsRoutes, {
    prefix,
    db: sharedReads(db),
    clock,
    realClock,
    dctDecimals,
    priceMaxAgeMs: context.priceMaxAgeMs,
    feeReceiver: bytesOf(chains.bsc.receiver),
    reader: chains.bsc.reader,
    usdt: chains.bsc.usdt,
    supportEmail: config.supportEmail,
    requireConsent: consentGuard(context),
    creditReferrals,
  })
  await app.register(claimsAdminRoutes, {
    ...adminDeps(context),
    realClock,
    reader: chains.bsc.reader,
    usdt: chains.bsc.usdt,
    creditReferrals,
  })
}

async function registerReferrals(app: App, context: Context): Promise<void> {
  const { config } = context
  const tree = createTreeCache()
  await app.register(referralsRoutes, {
    prefix,
    tree,
    ...signInDeps({ ...context, db: sharedReads(context.db) }),
    ...referralClaimRules(context),
    writesPerMinute: config.limits.write,
  })
  await app.register(referralsAdminRoutes, {
    ...adminDeps(context),
    tree,
    secondApprovalAbove: config.money.secondApprovalAbove,
    secondApprovalRateBps: config.money.secondApprovalRateBps,
    readPayoutWallet: () => readPayoutWallet(context),
  })
}

/** The calls of admins: dashboard, users, audits, payouts. */
async function registerOperations(app: App, context: Context): Promise<void> {
  const { db, clock, dctDecimals, operator, payoutOperator } = context
  const acting = adminDeps(context)
  await app.register(adminRoutes, { ...acting, readReferralTotals: referralTotals })
  await app.register(moneyRoutes, { prefix, db, clock, realClock, dctDecimals })
  await app.register(healthRoutes, { prefix, db, clock, realClock })
  await app.register(deliveriesRoutes, { prefix, db, clock })
  await app.register(auditRoutes, { prefix, db, clock, recordAdminAction })
  await app.register(chainRoutes, { ...acting, watched: watchedChains(context) })
  await app.register(payoutsRoutes, { ...acting, codesOfClaims })
  await app.register(sendersRoutes, { ...acting, operator, payoutOperator })
}

/** The dependencies of the calls with which admins change something. */
function adminDeps({ db, clock, dctDecimals, requireStepUp }: Context) {
  return { prefix, db, clock, dctDecimals, requireStepUp, recordAdminAction }
}

function earningDeps({ db, clock, log, dctDecimals, chains }: Context) {
  return {
    db,
    clock,
    log,
    dctDecimals,
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
    readTermsVersion: readTermsVersion(context),
    recordConsent: recordConsent(context),
    challengesPerMinute: config.limits.challenge,
    signInsPerMinute: config.limits.signIn,
    prepareReferralClaim: referralClaimPreparation(context),
    readReferralTotals: referralTotals,
    readChangeMark: readMark,
    onRegistered: adoptEarnings,
    onSignedIn: noteDevice,
  }
}

function publicSettings({ config, dctDecimals }: Context): PublicSettings {
  const { tron, bsc, devnet } = config
  const isDevnet = devnet !== undefined
  return {
    mode: config.mode,
    brand: config.brand,
    supportEmail: config.supportEmail,
    origin: config.origin,
    tron: {
      network: tron.network,
      chain_id: tron.chainId,
      full_host: browserTronNode(config),
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
        : PUBLIC_NODES[bsc.chainId === BSC_CHAIN_IDS.mainnet ? 'bsc' : 'bscTestnet'],
      usdt: bsc.usdt,
      usdt_decimals: DECIMALS.USDT,
      fee_receiver: bsc.receiver,
      payout_address: bsc.payoutVault,
      explorer: bsc.explorer,
    },
    isStepUpRequired: config.isStepUpRequired,
    walletConnectProjectId: config.walletConnectProjectId,
  }
}
