import { randomBytes } from 'node:crypto'
import { REFERRAL_CODE_LENGTH, referralCodeFrom } from '@dct/rules/referral-code'
import type { TermsLanguage } from '@dct/rules/terms-placeholders'
import type { Clock } from '../../platform/clock.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { InvariantViolation, Refusal } from '../../platform/errors.ts'
import { referrerNotFound, registrationPayload } from './create-challenge.ts'
import { countSignIn, type SignInDeps } from './log-in.ts'
import { type ClaimedProof, proveChallenge, requireProof } from './prove-challenge.ts'
import { readApplicant } from './read-applicant.ts'
import {
  findUserByAddress,
  findUserByReferralCode,
  insertUser,
  type NewUser,
  type UserRecord,
} from './users.queries.ts'

/** A hook for other modules on registration, in the same transaction. */
export type OnRegistered = (tx: Tx, user: UserRecord) => Promise<void>

/** Records which terms the user accepted, in the same transaction. Implemented by the terms module. */
export type RecordConsent = (
  tx: Tx,
  consent: { userId: bigint; version: string; language: TermsLanguage; at: Date },
) => Promise<void>

export type RegisterDeps = SignInDeps & {
  clock: Clock
  onRegistered: OnRegistered
  recordConsent: RecordConsent
}
export type RegisterInput = ClaimedProof & {
  address: Uint8Array
  email: string
  referrerCode: string | null | undefined
  hasAcceptedTerms: boolean
  /** The language in which the terms were read. */
  termsLanguage: TermsLanguage
  ip: string
}
export type Registered = { referralCode: string; referrerAddress: Buffer | undefined }

/**
 * Registers the wallet that signed the challenge, once per address. Its referrer never changes.
 * @throws Refusal `SIGNATURE_REQUIRED`, `EMAIL_REQUIRED`, `EMAIL_SEVERAL`, `EMAIL_INVALID`, `TERMS_NOT_ACCEPTED`, `TOO_MANY_REQUESTS`,
 * `CHALLENGE_USED`, `CHALLENGE_EXPIRED`, `BAD_SIGNATURE`, `REFERRER_NOT_FOUND`, `ALREADY_REGISTERED`
 */
export async function register(deps: RegisterDeps, input: RegisterInput): Promise<Registered> {
  const proof = requireProof(input)
  const applicant = readApplicant(input)
  if (!input.hasAcceptedTerms) throw new Refusal('TERMS_NOT_ACCEPTED')
  await countSignIn(deps, { action: 'register', ip: input.ip, address: input.address })

  return inTransaction(deps.db, async (tx) => {
    const facts = await proveChallenge(deps, tx, {
      ...proof,
      purpose: 'register',
      address: input.address,
    })
    const termsVersion = facts.payload.terms_version ?? ''
    if (!isSamePayload(facts.payload, registrationPayload({ ...applicant, termsVersion }))) {
      throw new Refusal('BAD_SIGNATURE')
    }
    const referrer = await findReferrer(tx, applicant.referrerCode)
    const at = deps.clock.now()
    const user = await addUser(tx, {
      address: input.address,
      email: applicant.email,
      role: 'user',
      referrer,
      at,
    })
    const consent = { userId: user.id, version: termsVersion, language: input.termsLanguage, at }
    await deps.recordConsent(tx, consent)
    await deps.onRegistered(tx, user)
    return { referralCode: user.referralCode, referrerAddress: referrer?.address }
  })
}

async function findReferrer(tx: Tx, code: string): Promise<UserRecord | undefined> {
  if (code === '') return undefined
  const referrer = await findUserByReferralCode(tx, code)
  if (referrer === undefined) throw referrerNotFound(code)
  return referrer
}

const CODE_TRIES = 10

/** Adds a user with a new referral code. @throws Refusal `ALREADY_REGISTERED` */
export async function addUser(tx: Tx, user: Omit<NewUser, 'referralCode'>): Promise<UserRecord> {
  for (let attempt = 1; attempt <= CODE_TRIES; attempt += 1) {
    const referralCode = referralCodeFrom(randomBytes(REFERRAL_CODE_LENGTH))
    const added = await insertUser(tx, { ...user, referralCode })
    if (added !== undefined) return added
    if (await findUserByAddress(tx, user.address)) throw new Refusal('ALREADY_REGISTERED')
  }
  throw new InvariantViolation('No free referral code was found')
}

function isSamePayload(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  return Object.keys(b).every((key) => a[key] === b[key])
}
