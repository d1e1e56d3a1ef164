/**
 * The languages of the pages and of messages to holders, each with its own name for itself. English is written in the code;
 * each other one has its catalogue in `apps/web/locales/`.
 */
export const LANGUAGES = { en: 'English', id: 'Bahasa Indonesia' } as const
export type Language = keyof typeof LANGUAGES
