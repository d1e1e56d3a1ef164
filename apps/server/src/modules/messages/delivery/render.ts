import type { Language } from '@dct/api-contract/languages'
import { type Asset, formatUnits, localDecimal } from '@dct/money'
import { BUSINESS_ZONE, BUSINESS_ZONE_NAME } from '../../../platform/clock.ts'
import type { JsonData } from '../../../platform/database/platform.tables.ts'
import type { SentKind } from '../holder-message.ts'
import { messageTexts } from '../messages.texts.ts'
import { sentence, type Values } from '../translate.ts'

type TextKey = keyof typeof messageTexts.english

/** The page that a message is about, where it is not the dashboard. */
const PAGES: Readonly<Partial<Record<SentKind, string>>> = {
  referral_reward: '/referrals',
  referral_claim_paid: '/referrals',
  new_device: '/user',
  test: '/messages',
}
const HOME = '/dashboard'
export const SETTINGS_PAGE = '/messages'

/** International English, with the day first. */
const LOCALES: Readonly<Partial<Record<Language, string>>> = { en: 'en-GB' }

export type Rendered = { title: string; body: string; url: string }
export type Reader = { language: Language; decimals: Readonly<Record<Asset, number>> }

/** The title and the text of a message in its reader's language, and the path of its page. */
export function render(
  { kind, data }: { kind: SentKind; data: JsonData },
  reader: Reader,
): Rendered {
  const values = valuesOf(data, reader)
  const name = camel(kind)
  const form = `${name}${data.variant ?? ''}`
  const say = (key: string) =>
    sentence(messageTexts, { language: reader.language, key: key as TextKey, values })
  const titleOfForm = `${form}Title`
  return {
    title: say(titleOfForm in messageTexts.english ? titleOfForm : `${name}Title`),
    body: say(`${form}Body`),
    url: PAGES[kind] ?? HOME,
  }
}

/** A text that is part of a message, or the whole reply of the bot. */
export function messageText(language: Language, key: TextKey, values: Values): string {
  return sentence(messageTexts, { language, key, values })
}

function valuesOf(data: JsonData, { language, decimals }: Reader): Values {
  const locale = LOCALES[language] ?? language
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const instant = new Intl.DateTimeFormat(locale, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: BUSINESS_ZONE },
  })
  const found: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(data)) {
    if (isMoney(value)) {
      const { asset, units } = value
      const plain = formatUnits(BigInt(units), decimals[asset])
      found[name] = `${localDecimal(plain, language)} ${asset}`
    } else if (name.endsWith('_on')) {
      found[camel(name)] = value === 'none' ? 'none' : day.format(new Date(`${value}`))
    } else if (name === 'at') {
      found[name] = `${instant.format(new Date(`${value}`))} ${BUSINESS_ZONE_NAME}`
    } else if (typeof value === 'number') found[name] = value
    else found[SHORT[name] ?? camel(name)] = `${value}`
  }
  return found
}

/** Names of placeholders that differ from the names of the facts. */
const SHORT: Readonly<Record<string, string>> = {
  plan_code: 'plan',
  claim_code: 'claim',
  tx_hash: 'hash',
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function isMoney(value: unknown): value is { asset: Asset; units: string } {
  return typeof value === 'object' && value !== null && 'units' in value
}
