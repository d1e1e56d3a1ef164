import { LANGUAGES, type Language } from '@dct/api-contract/languages'
import type { Messages } from '@lingui/core'
import { deviceMemory } from '../storage/memory.ts'
import { i18n } from './texts.ts'

const STORAGE_KEY = 'language'
/** English is bundled; another language is fetched when it is chosen. */
const CATALOGUES = import.meta.glob<Messages>('../../../locales/*.po', { import: 'messages' })

/** Activates the language chosen before. */
export async function startLanguage(): Promise<void> {
  const chosen = deviceMemory.getItem(STORAGE_KEY)
  if (chosen !== null && Object.hasOwn(LANGUAGES, chosen)) await activate(chosen as Language)
}

/** Switches the interface's language. If the download fails, the current language stays and the promise rejects. */
export async function changeLanguage(language: Language): Promise<void> {
  await activate(language)
  deviceMemory.setItem(STORAGE_KEY, language)
}

async function activate(language: Language): Promise<void> {
  const messages = await CATALOGUES[`../../../locales/${language}.po`]?.()
  if (messages) i18n.load(language, messages)
  i18n.activate(language)
  document.documentElement.lang = language
}
