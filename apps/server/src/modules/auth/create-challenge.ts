import { randomBytes } from 'node:crypto'
import type { ChallengePurpose } from '@dct/api-contract/auth'
import type { Clock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { limiterKeyOf } from '../../platform/http/client-network.ts'
import { type ChallengeFacts, challengeText, type Site } from './challenge-text.ts'
import { insertChallenge } from './challenges.queries.ts'
import { clearExpired } from './clear-expired.queries.ts'
import { countAttempt } from './rate-limit.ts'
import { type Applicant, readApplicant } from './read-applicant.ts'
import { findUserByAddress, findUserByReferralCode } from './users.queries.ts'

const CHALLENGE_LIFE_MS = 5 * 60_000
/** One challenge in this many, picked at random, also removes expired rows. */
const CLEARED_EVERY = 16

/** The terms of a referral claim: fixed when its challenge is created, shown in its text, and paid out unchanged. */
export type ReferralClaimTerms = {
  amount_usdt: string
  /** The most that may ever be paid for this user and kind, this claim included. */
  total_usdt: string
  kind: 'direct' | 'non-direct'
  usdt_address: string
  vault: string
  bsc_chain_id: string
} & Readonly<Record<string, string>>

/**
 * Fixes the reward rows of a referral claim and returns its terms. Implemented by the referrals module.
 * @throws Refusal when there is nothing to claim or the address is refused.
 */
export type PrepareReferralClaim = (
  tx: Tx,
  input: { userId: bigint; type: string; usdtAddress: string },
) => Promise<ReferralClaimTerms>

export type ChallengeSubject =
  | { purpose: 'login' }
  | { purpose: 'register'; applicant: { email: string; referrerCode: string | null | undefined } }
  | { purpose: 'referral_claim'; userId: bigint; type: string; usdtAddress: string }
  | { purpose: 'step_up' }

export type CreateChallengeDeps = {
  db: Db
  realClock: Clock
  site: Site
  /** The version of the terms in force. */
  readTermsVersion(db: DbOrTx): Promise<string>
  challengesPerMinute: number
  prepareReferralClaim: PrepareReferralClaim
}
export type CreateChallengeInput = { address: Uint8Array; ip: string; subject: ChallengeSubject }
export type CreatedChallenge = { message: string; nonce: string; expiresAt: Date }

/**
 * Creates the text for a wallet to sign, for one use within 5 minutes.
 * @throws Refusal `TOO_MANY_REQUESTS`; for a registration, whatever would refuse it later; for a referral claim,
 * whatever the referrals module refuses
 */
export async function createChallenge(
  deps: CreateChallengeDeps,
  input: CreateChallengeInput,
): Promise<CreatedChallenge> {
  const { db, realClock, site, challengesPerMinute } = deps
  await countAttempt(
    { db, realClock },
    {
      action: 'challenge',
      ip: input.ip,
      subject: Buffer.from(input.address).toString('hex'),
      perMinute: challengesPerMinute,
    },
  )
  return inTransaction(db, async (tx) => {
    const issuedAt = realClock.now()
    const nonce = randomBytes(16)
    if ((nonce[0] ?? 0) % CLEARED_EVERY === 0) await clearExpired(tx, issuedAt)
    const facts: ChallengeFacts = {
      purpose: input.subject.purpose,
      address: input.address,
      payload: await payloadOf(deps, tx, input),
      nonce: nonce.toString('hex'),
      issuedAt,
      expiresAt: new Date(issuedAt.getTime() + CHALLENGE_LIFE_MS),
    }
    await insertChallenge(tx, { ...facts, originKey: limiterKeyOf(input.ip) })
    return { message: challengeText(site, facts), nonce: facts.nonce, expiresAt: facts.expiresAt }
  })
}

async function payloadOf(
  deps: CreateChallengeDeps,
  tx: Tx,
  { address, subject }: CreateChallengeInput,
): Promise<ChallengeFacts['payload']> {
  switch (subject.purpose) {
    case 'login':
    case 'step_up':
      return {}
    case 'register': {
      const applicant = readApplicant(subject.applicant)
      await refuseHopeless(tx, { address, applicant })
      const termsVersion = await deps.readTermsVersion(tx)
      return registrationPayload({ ...applicant, termsVersion })
    }
    case 'referral_claim':
      return deps.prepareReferralClaim(tx, subject)
  }
}

/** Refuses early what is certain to be refused after signing. */
async function refuseHopeless(
  tx: Tx,
  { address, applicant }: { address: Uint8Array; applicant: Applicant },
): Promise<void> {
  if (await findUserByAddress(tx, address)) throw new Refusal('ALREADY_REGISTERED')
  const code = applicant.referrerCode
  if (code !== '' && !(await findUserByReferralCode(tx, code))) throw referrerNotFound(code)
}

/** The refusal for an unknown referral code; it names the code. */
export function referrerNotFound(code: string): Refusal {
  return new Refusal(
    'REFERRER_NOT_FOUND',
    { referrer_code: code },
    `The referral code ${code} is not known.`,
  )
}

/** The payload that a registration's challenge is bound to. */
export function registrationPayload(applicant: Applicant & { termsVersion: string }) {
  return {
    email: applicant.email,
    referrer_code: applicant.referrerCode,
    terms_version: applicant.termsVersion,
  }
}

/** Whether a purpose needs a signed-in user. */
export function needsSession(purpose: ChallengePurpose): boolean {
  return purpose === 'referral_claim' || purpose === 'step_up'
}
