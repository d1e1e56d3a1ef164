import { type Catalogue, i18n, loadCatalogue } from './texts.ts'

/** The languages of the interface; English is part of the code, the others are fetched when chosen. */
export type Language = 'en' | 'id'
type CatalogueLoader = () => Promise<Readonly<Record<string, Catalogue>>>

const STORAGE_KEY = 'language'
let loadIndonesian: CatalogueLoader | undefined

/** Names the module that holds the Indonesian sentences and activates the language chosen before. */
export async function startLanguages(indonesian: CatalogueLoader): Promise<void> {
  loadIndonesian = indonesian
  if (localStorage.getItem(STORAGE_KEY) === 'id') await activate('id')
}

/** Switches the interface. A failed download leaves the present language in force and rejects. */
export async function changeLanguage(language: Language): Promise<void> {
  await activate(language)
  localStorage.setItem(STORAGE_KEY, language)
}

async function activate(language: Language): Promise<void> {
  if (language === 'id' && loadIndonesian) {
    const scopes = await loadIndonesian()
    for (const [scope, catalogue] of Object.entries(scopes)) loadCatalogue('id', scope, catalogue)
  }
  i18n.activate(language)
  document.documentElement.lang = language
}
