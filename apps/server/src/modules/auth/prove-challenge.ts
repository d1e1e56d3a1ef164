import type { ChallengePurpose } from '@dct/api-contract/auth'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type ChallengeFacts, challengeText, partsOf, type Site } from './challenge-text.ts'
import { consumeChallenge, wasUsed } from './challenges.queries.ts'
import type { ReferralClaimTerms } from './create-challenge.ts'
import { contractSignature, signerOf } from './wallet-signature.ts'

export type ProofDeps = { realClock: Clock; site: Site }
export type Proof = { nonce: string; signature: string }
/** The proof as sent in a request body: either part may be missing. */
export type ClaimedProof = { nonce?: string | undefined; signature?: string | undefined }

/**
 * Checks that both parts of a proof are present.
 * @throws Refusal `SIGNATURE_REQUIRED` when one is missing, `CHALLENGE_EXPIRED` when the nonce is malformed
 */
export function requireProof({ nonce, signature }: ClaimedProof): Proof {
  if (!nonce || !signature) throw new Refusal('SIGNATURE_REQUIRED')
  if (!/^[0-9a-f]{32}$/.test(nonce)) throw new Refusal('CHALLENGE_EXPIRED')
  return { nonce, signature }
}

/**
 * Uses up a challenge and checks that the wallet of `address` signed exactly its text, rebuilt from the stored row. On
 * refusal, the caller's transaction rolls back and the challenge stays usable until it expires.
 * @throws Refusal `CHALLENGE_USED`, `CHALLENGE_EXPIRED`, and `BAD_SIGNATURE` for every other mismatch
 */
export async function proveChallenge(
  { realClock, site }: ProofDeps,
  tx: Tx,
  input: Proof & { purpose: ChallengePurpose; address: Uint8Array },
): Promise<ChallengeFacts> {
  const facts = await consumeChallenge(tx, { nonce: input.nonce, now: realClock.now() })
  if (facts === undefined) {
    throw new Refusal((await wasUsed(tx, input.nonce)) ? 'CHALLENGE_USED' : 'CHALLENGE_EXPIRED')
  }
  const signer = await signerOf(challengeText(site, facts), input.signature)
  const isProven =
    signer !== undefined &&
    facts.purpose === input.purpose &&
    isSame(signer, facts.address) &&
    isSame(input.address, facts.address)
  if (!isProven) throw new Refusal('BAD_SIGNATURE')
  return facts
}

export type SignedReferralClaim = {
  terms: ReferralClaimTerms
  /** The paragraphs of the signed text around the statement. */
  opening: string
  closing: string
  /** 65 bytes; the last one is 27 or 28. */
  signature: Buffer
}

/**
 * Uses up the challenge of a referral claim, in the transaction that books the claim.
 * @returns the signed terms, as fixed when the challenge was created, and what a contract needs to check the signature
 * @throws Refusal like `proveChallenge`, and `SIGNATURE_REQUIRED`
 */
export async function proveReferralClaim(
  deps: ProofDeps,
  tx: Tx,
  input: ClaimedProof & { address: Uint8Array },
): Promise<SignedReferralClaim> {
  const proof = requireProof(input)
  const facts = await proveChallenge(deps, tx, {
    ...proof,
    purpose: 'referral_claim',
    address: input.address,
  })
  const { opening, closing } = partsOf(deps.site, facts)
  const signature = contractSignature(proof.signature)
  return { terms: facts.payload as ReferralClaimTerms, opening, closing, signature }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
