import {
  CANCEL_AFTER_HOURS,
  CLAIM_FEE_BPS,
  CLAIM_OPEN_DAYS_AFTER_END,
  FEE_OPEN_DAYS_AFTER_END,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
  REWARD_SENT_WITHIN_HOURS,
} from './constants.ts'
import { formatPercentage } from './percentages.ts'

/** The languages that the terms are written in, whatever language a page is shown in. */
export const TERMS_LANGUAGES = ['id', 'en'] as const
export type TermsLanguage = (typeof TERMS_LANGUAGES)[number]

/** Everything that terms must state, whatever else they say: costs, losses, deadlines, and where to get support. */
const TERMS_PLACEHOLDERS = [
  'claim_fee_percentage',
  'freeze_after_cycles',
  'freeze_grace_cycles',
  'lost_from_cycle',
  'claim_open_days_after_end',
  'fee_open_days_after_end',
  'cancel_after_hours',
  'reward_sent_within_hours',
  'support_email',
] as const
export type TermsPlaceholder = (typeof TERMS_PLACEHOLDERS)[number]

/** The texts that an operator publishes, and what each of them must state in both languages. */
export const PLACEHOLDERS = {
  terms: TERMS_PLACEHOLDERS,
  privacy: ['support_email'],
} as const satisfies Record<string, readonly TermsPlaceholder[]>
export type PublishedText = keyof typeof PLACEHOLDERS
export const PUBLISHED_TEXTS = Object.keys(PLACEHOLDERS) as PublishedText[]

export type TermsValues = Readonly<Record<TermsPlaceholder, string>>

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
const MARKUP = /[\\`*_[\]<>]/g

/** The values of the placeholders in this installation. */
export function termsValues({ supportEmail }: { supportEmail: string }): TermsValues {
  return {
    claim_fee_percentage: formatPercentage(CLAIM_FEE_BPS),
    freeze_after_cycles: String(FREEZE_AFTER_CYCLES),
    freeze_grace_cycles: String(FREEZE_GRACE_CYCLES),
    lost_from_cycle: String(FREEZE_AFTER_CYCLES + FREEZE_GRACE_CYCLES + 1),
    claim_open_days_after_end: String(CLAIM_OPEN_DAYS_AFTER_END),
    fee_open_days_after_end: String(FEE_OPEN_DAYS_AFTER_END),
    cancel_after_hours: String(CANCEL_AFTER_HOURS),
    reward_sent_within_hours: String(REWARD_SENT_WITHIN_HOURS),
    support_email: supportEmail,
  }
}

/** The text with its placeholders replaced; unknown ones remain. Values are escaped, so they are never markup. */
export function fillTerms(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '').replaceAll(MARKUP, '\\$&') : whole,
  )
}

/** The first placeholder that a text lacks, and the first that does not exist. */
export function placeholderProblems(
  kind: PublishedText,
  text: string,
): {
  missing: TermsPlaceholder | undefined
  unknown: string | undefined
} {
  const used = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  const known: readonly TermsPlaceholder[] = PLACEHOLDERS[kind]
  return {
    missing: known.find((name) => !used.includes(name)),
    unknown: used.find((name) => !known.some((one) => one === name)),
  }
}
