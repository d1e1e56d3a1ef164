/**
 * Updates each language's catalogue from the English texts of the web app and the service; with `--check` it changes
 * nothing. Fails when a catalogue is incomplete or stale, or when a text is unused.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  catalogueProblems,
  SUCCESS_SCOPE,
  translationsIn,
  updateCatalogue,
} from '../apps/web/build/catalogue.ts'
import { readTexts, unusedTexts } from '../apps/web/build/source-texts.ts'
import { AUDIT_CHECKS, AUDIT_GAPS } from '../packages/api-contract/src/audit.ts'
import * as allCodes from '../packages/api-contract/src/codes.ts'
import { ERRORS } from '../packages/api-contract/src/errors.ts'
import { LANGUAGES } from '../packages/api-contract/src/languages.ts'
import { SUCCESSES } from '../packages/api-contract/src/successes.ts'
import { ERROR_SELECTORS } from '../packages/contract-abi/src/generated/error-selectors.ts'
import { PRODUCT_FOLDERS, ROOT, readSource, sourceFiles } from './repository.ts'

const TEXTS = /\.texts\.ts$/
const FOLDER = 'apps/web/locales'
/** The translations that the server needs, which the browser's catalogues leave out. */
const FOR_SERVER = 'apps/server/src/modules/messages/generated/translations.json'

const textsIn = (folder: string) =>
  sourceFiles(folder, TEXTS)
    .toSorted()
    .flatMap((file) => readTexts(file, readSource(file)))
/** The texts that the server sends outside of the pages. */
const serverTexts = textsIn('apps/server/src')
const texts = [...textsIn('apps/web/src'), ...serverTexts]

/** The service's error messages, which the browser translates by their code. */
const refusals = Object.entries(ERRORS).map(([code, { message }]) => ({
  id: `errors.${code}`,
  message,
}))
/** The service's success messages, which the browser translates by their text. */
const successes = Object.entries(SUCCESSES).map(([name, message]) => ({
  id: `${SUCCESS_SCOPE}${name}`,
  message,
}))
/** The texts of audits, which the browser also translates by their text. */
const audits = [...AUDIT_CHECKS, ...AUDIT_GAPS].map((message) => ({
  id: `audit.${message}`,
  message,
}))
/** The texts for the service's codes. */
const codes = Object.values<allCodes.Codes>(allCodes).flatMap(({ scope, words }) =>
  Object.entries(words).map(([name, message]) => ({ id: `${scope}.${name}`, message })),
)
const sources = [...texts, ...refusals, ...successes, ...audits, ...codes]

/** Keys can be codes of the service or names of contract errors, so they are searched for in all product code. */
const code = PRODUCT_FOLDERS.flatMap((folder) => sourceFiles(folder, /\.tsx?$/))
  .filter((file) => !TEXTS.test(file))
  .map(readSource)
  .concat(Object.values(ERROR_SELECTORS))
  .join('\n')

async function update(language: string): Promise<void> {
  const path = `${FOLDER}/${language}.po`
  const before = existsSync(join(ROOT, path)) ? readSource(path) : undefined
  writeFileSync(join(ROOT, path), await updateCatalogue(language, before, sources))
}

async function forServer(): Promise<string> {
  const wanted = new Set(serverTexts.map(({ id }) => id))
  const languages: Record<string, Record<string, string>> = {}
  for (const language of translated) {
    const all = await translationsIn(readSource(`${FOLDER}/${language}.po`))
    languages[language] = Object.fromEntries(all.filter(([id]) => wanted.has(id)))
  }
  return `${JSON.stringify(languages, null, 2)}\n`
}

async function problemsOf(file: string): Promise<string[]> {
  const language = file.replace(/\.po$/, '')
  if (!Object.hasOwn(LANGUAGES, language)) return ['not in the list of languages']
  if (!existsSync(join(ROOT, FOLDER, file))) return ['missing']
  const content = readSource(`${FOLDER}/${file}`)
  const problems = await catalogueProblems(content, sources)
  if (problems.length > 0) return problems
  return (await updateCatalogue(language, content, sources)) === content ? [] : ['not up to date']
}

function fail(problem: string): void {
  console.error(problem)
  process.exitCode = 1
}

const translated = Object.keys(LANGUAGES).filter((language) => language !== 'en')
if (!process.argv.includes('--check')) for (const language of translated) await update(language)

const ours = await forServer()
if (!process.argv.includes('--check')) writeFileSync(join(ROOT, FOR_SERVER), ours)
else if (!existsSync(join(ROOT, FOR_SERVER)) || readSource(FOR_SERVER) !== ours) {
  fail(`${FOR_SERVER}: not up to date`)
}

for (const { id } of unusedTexts(texts, code)) fail(`${id}: unused`)
const files = new Set([...readdirSync(join(ROOT, FOLDER)), ...translated.map((l) => `${l}.po`)])
for (const file of files) {
  for (const problem of await problemsOf(file)) fail(`${FOLDER}/${file}: ${problem}`)
}
if (process.exitCode) console.error('See docs/translating.md, then run npm run translations.')
