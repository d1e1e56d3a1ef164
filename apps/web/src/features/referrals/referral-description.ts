const LEVEL = /^bonus referral level ([1-9]\d*)$/

/** A reward's description in the product's wording; an unknown one is shown unchanged. */
export function shownDescription(
  description: string,
  { feeReferral, feeEarning }: { feeReferral: string; feeEarning: string },
): string {
  if (description === 'direct downline reward') return feeReferral
  return description.replace(/^bonus referral\b/, feeEarning)
}

/** How many levels below the receiver the payer of an indirect reward's fee is; undefined for any other reward. */
export function levelOf(description: string): string | undefined {
  return LEVEL.exec(description)?.[1]
}
