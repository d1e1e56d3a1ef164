const LEVEL = /^bonus referral level ([1-9]\d*)$/

/** A reward's description as the screens call it; what is not known by name is shown as it is. */
export function shownDescription(description: string): string {
  if (description === 'direct downline reward') return 'fee referral'
  return description.replace(/^bonus referral\b/, 'fee earning')
}

/** How far below the receiver the payer of an indirect reward's fee stands; undefined for any other. */
export function levelOf(description: string): string | undefined {
  return LEVEL.exec(description)?.[1]
}
