/** The installation's address for questions; a sentence that sends somebody to support names it. */
export type SupportAddress = { supportEmail: string }

/** The sentence, followed by where to get help. */
export function askSupport(sentence: string, { supportEmail }: SupportAddress): string {
  return `${sentence} Please contact support: ${supportEmail}`
}
