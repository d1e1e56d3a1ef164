import type { ChallengePurpose } from '@dct/api-contract/auth'
import { formatTronAddress } from '@dct/rules/addresses'

/** The site that requests the signature; from settings, never from a request. */
export type Site = { brand: string; origin: string; tronChainId: number }

export type ChallengeFacts = {
  purpose: ChallengePurpose
  address: Uint8Array
  payload: Readonly<Record<string, string>>
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * The text that the wallet shows and signs, with the fields of EIP-4361 and CAIP-122. It depends only on the facts, so
 * the server stores those and rebuilds the text.
 */
export function challengeText(site: Site, facts: ChallengeFacts): string {
  const { opening, statement, closing } = partsOf(site, facts)
  return [opening, statement, closing].join('\n\n')
}

/** The text in three paragraphs; a contract that checks the signature rebuilds the one in the middle. */
export type TextParts = { opening: string; statement: string; closing: string }

export function partsOf(site: Site, facts: ChallengeFacts): TextParts {
  const opening = [
    `${new URL(site.origin).host} wants you to sign in with your Tron account:`,
    formatTronAddress(facts.address),
  ].join('\n')
  const closing = [
    `URI: ${site.origin}`,
    'Version: 1',
    `Chain ID: 0x${site.tronChainId.toString(16)}`,
    `Nonce: ${facts.nonce}`,
    `Issued At: ${facts.issuedAt.toISOString()}`,
    `Expiration Time: ${facts.expiresAt.toISOString()}`,
    `Request ID: ${facts.purpose}`,
  ].join('\n')
  return { opening, statement: statementOf(site, facts), closing }
}

/** One line that states everything that the signature agrees to. */
function statementOf(site: Site, { purpose, payload }: ChallengeFacts): string {
  switch (purpose) {
    case 'login':
      return `Log in to ${site.brand}. This does not move any funds.`
    case 'register':
      return (
        `Register at ${site.brand} with the e-mail ${payload.email}, ` +
        `${payload.referrer_code === '' ? 'without a referral code' : `with the referral code ${payload.referrer_code}`}, ` +
        `and accept the terms and conditions (version ${payload.terms_version}). This does not move any funds.`
      )
    case 'referral_claim':
      // Letter for letter what PayoutVault rebuilds: contracts/src/PayoutVault.sol.
      return (
        `Claim ${payload.amount_usdt} USDT of my referral reward (${payload.kind}), ` +
        `${payload.total_usdt} USDT with all earlier claims, ` +
        `to the BSC (BEP20) address ${payload.usdt_address}, ` +
        `from the vault ${payload.vault} on chain ${payload.bsc_chain_id}.`
      )
    case 'step_up':
      return `Confirm that I am acting as an administrator of ${site.brand}. This does not move any funds.`
  }
}
