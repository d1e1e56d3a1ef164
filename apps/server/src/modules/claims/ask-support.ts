/** The installation's support address, named in messages that refer the holder to support. */
export type SupportAddress = { supportEmail: string }

/** Appends where to get help to a message. */
export function askSupport(sentence: string, { supportEmail }: SupportAddress): string {
  return `${sentence} Please contact support: ${supportEmail}`
}
