import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { compileText, type SourceText } from './source-texts.ts'

/** An English sentence and its id (`scope.key`). */
type Source = Pick<SourceText, 'id' | 'message'>
/** A PO file's entry for a sentence; `message` is the English text that was translated. */
type Entry = { id: string; message: string; translation: string; isFuzzy: boolean }

const po = formatter({ origins: false })

/** Parses a PO file into its entries: a text's id is its context (`msgctxt`), its English text the `msgid`. */
async function readCatalogue(content: string): Promise<Entry[]> {
  const catalogue = await po.parse(content, { locale: undefined, sourceLocale: 'en', filename: '' })
  return Object.values(catalogue).map(({ context, message, translation, obsolete, extra }) => ({
    id: obsolete ? '' : (context ?? ''),
    message: message ?? '',
    translation: translation ?? '',
    isFuzzy: (extra as { flags?: string[] } | undefined)?.flags?.includes('fuzzy') ?? false,
  }))
}

/** The id prefix of the service's success messages in a PO file. */
export const SUCCESS_SCOPE = 'successes.'

/** The id prefix of the texts that the server sends itself, such as emails and push messages. */
const SERVER_SCOPE = 'messages.'

/** The translations in a PO file, by id; untranslated texts are omitted. */
export async function translationsIn(content: string): Promise<[id: string, text: string][]> {
  const entries = await readCatalogue(content)
  return entries.flatMap(({ id, translation }) => (translation === '' ? [] : [[id, translation]]))
}

/**
 * Compiles a PO file to a module that exports Lingui's compiled messages by id. Untranslated texts fall back to
 * English. Success messages are keyed by their English sentence instead of a name, because the service sends only the
 * sentence. Texts that the server sends itself are omitted.
 */
export async function compileCatalogue(path: string, content: string): Promise<string> {
  const shown = (await readCatalogue(content)).filter(({ id }) => !id.startsWith(SERVER_SCOPE))
  const messages = shown.map(({ id, message, translation }) => {
    const key = id.startsWith(SUCCESS_SCOPE) ? SUCCESS_SCOPE + message : id
    return `${JSON.stringify(key)}:${compileText(`${path}: ${id}`, translation || message)}`
  })
  return `export const messages = {${messages.join(',\n')}}`
}

/**
 * Updates a PO file to the current English sentences: adds new ones untranslated, drops removed ones, and marks a
 * translation `fuzzy` if its English text has changed.
 */
export async function updateCatalogue(
  language: string,
  content: string | undefined,
  sources: readonly Source[],
): Promise<string> {
  const entries = await readCatalogue(content ?? '')
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const updated = sources.map(({ id, message }) => {
    const { message: translated = message, translation = '', isFuzzy = false } = known.get(id) ?? {}
    const flags = translation !== '' && (isFuzzy || translated !== message) ? ['fuzzy'] : []
    return [generateMessageId(message, id), { message, context: id, translation, extra: { flags } }]
  })
  const context = { locale: language, sourceLocale: 'en', filename: '', existing: content }
  return po.serialize(Object.fromEntries(updated), context)
}

/** Lists the problems, one per line, that keep a PO file from being a complete translation of the English sentences. */
export async function catalogueProblems(
  content: string,
  sources: readonly Source[],
): Promise<string[]> {
  const entries = await readCatalogue(content)
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const wanted = new Set(sources.map(({ id }) => id))
  const unused = entries.filter(({ id }) => !wanted.has(id))
  return [
    ...sources.flatMap((source) => {
      const problem = problemOf(source, known.get(source.id))
      return problem === undefined ? [] : [`${source.id}: ${problem}`]
    }),
    ...unused.map(({ id, message }) => `${id || message}: unused`),
  ]
}

function problemOf(source: Source, entry: Entry | undefined): string | undefined {
  if (entry === undefined) return 'missing'
  if (entry.translation === '') return 'empty'
  if (entry.isFuzzy || entry.message !== source.message) return 'its English has changed'
  try {
    const [english, translated] = [source.message, entry.translation].map(placeholders)
    return english === translated ? undefined : `placeholders ${translated} instead of ${english}`
  } catch (error) {
    return String(error)
  }
}

/**
 * The names of a sentence's placeholders, including those inside plural forms: `{count} {plan}`.
 * @throws if the sentence is not valid ICU MessageFormat
 */
function placeholders(sentence: string): string {
  const names = new Set(namesIn(compileMessageOrThrow(sentence)))
  return [...names].toSorted().join(' ') || 'none'
}

function namesIn(message: CompiledMessage): string[] {
  return message.flatMap((token) => {
    if (typeof token === 'string') return []
    const [name, , format] = token
    const branches = typeof format === 'object' && format !== null ? Object.values(format) : []
    return [`{${name}}`, ...branches.filter(Array.isArray).flatMap(namesIn)]
  })
}
