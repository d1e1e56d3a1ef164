import type { Refusal } from '../platform/errors.ts'

/** The dependencies of sign-in without the other modules, and with limits that no test reaches. */
export const SIGN_IN = {
  site: { brand: 'DCT Earning', origin: 'https://earn.example.org', tronChainId: 1 },
  challengesPerMinute: 10_000,
  signInsPerMinute: 10_000,
  readTermsVersion: async () => '2025-04',
  recordConsent: async () => undefined,
  prepareReferralClaim: async () => ({
    amount_usdt: '1.500000',
    total_usdt: '4.000000',
    kind: 'direct' as const,
    usdt_address: `0x${'ab'.repeat(20)}`,
    vault: `0x${'cd'.repeat(20)}`,
    bsc_chain_id: '97',
    through_id: '7',
  }),
  onRegistered: async () => undefined,
  onSignedIn: async () => undefined,
}

/** The code with which an attempt is refused; `accepted` if it is not. */
export async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'accepted',
    (error: Refusal) => error.code,
  )
}
