/**
 * The languages of the pages and of messages to holders, each with the name that its speakers use. English is written
 * in the code; each of the others has a catalogue in `apps/web/locales/`.
 */
export const LANGUAGES = { en: 'English', id: 'Bahasa Indonesia' } as const
export type Language = keyof typeof LANGUAGES
