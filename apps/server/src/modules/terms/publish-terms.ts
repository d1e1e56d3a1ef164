import { DEFAULT_TEXTS } from '@dct/rules/default-texts'
import { readTerms, shapeOf, TermsFormatError } from '@dct/rules/terms-document'
import { type PublishedText, placeholderProblems } from '@dct/rules/terms-placeholders'
import { type BusinessDay, businessDayOf, type Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { insertVersion, listVersions, lockVersions } from './terms.queries.ts'
import { type TermsSettings, termsOf } from './terms-in-force.ts'

export type PublishTermsDeps = TermsSettings & {
  db: Db
  clock: Clock
  recordAdminAction: RecordAdminAction
}

export type PublishTermsInput = {
  kind: PublishedText
  adminId: bigint
  /** The newest version that the admin saw. */
  basedOn: string
  effectiveDay: BusinessDay
  texts: { id: string; en: string }
}

/**
 * Publishes a version of the terms or of the privacy notice. It is in force from its day until a later version takes effect, and cannot be
 * changed or withdrawn, only replaced.
 * @returns its name: its day, with a number if another version has the same day
 * @throws Refusal `TERMS_PLACEHOLDER_MISSING`, `TERMS_PLACEHOLDER_UNKNOWN`, `TERMS_FORMAT_INVALID`,
 * `TERMS_SHAPES_DIFFER`, `TERMS_CHANGED`, `TERMS_UNCHANGED`, `TERMS_DAY_INVALID`
 */
export async function publishTerms(
  deps: PublishTermsDeps,
  { kind, adminId, basedOn, effectiveDay, texts }: PublishTermsInput,
): Promise<string> {
  refuseUnfit(kind, texts)
  const ofSoftware = DEFAULT_TEXTS[kind]
  return inTransaction(deps.db, async (tx) => {
    await lockVersions(tx)
    const at = deps.clock.now()
    const versions = await listVersions(tx, kind)
    const [newest] = versions
    const before = newest ?? {
      version: ofSoftware.version,
      effective_day: '',
      text_id: ofSoftware.texts.id,
      text_en: ofSoftware.texts.en,
    }
    if (before.version !== basedOn) throw new Refusal('TERMS_CHANGED')
    if (before.text_id === texts.id && before.text_en === texts.en) {
      throw new Refusal('TERMS_UNCHANGED')
    }
    if (effectiveDay < businessDayOf(at) || effectiveDay < before.effective_day) {
      throw new Refusal('TERMS_DAY_INVALID')
    }
    const taken = [ofSoftware.version, ...versions.map((one) => one.version)]
    const version = nameOf(effectiveDay, taken)
    await insertVersion(tx, { kind, version, effectiveDay, texts, adminId, at })
    const after = { version, effective_day: effectiveDay, text_id: texts.id, text_en: texts.en }
    await deps.recordAdminAction(tx, {
      adminId,
      action: `${kind}.publish`,
      subject: version,
      before: logged(deps, before),
      after: logged(deps, after),
      at,
    })
    return version
  })
}

function nameOf(day: BusinessDay, taken: readonly string[]): string {
  let name: string = day
  for (let number = 2; taken.includes(name); number += 1) name = `${day}.${number}`
  return name
}

/** What the admin log records about a version; the text itself remains in the table of versions. */
function logged(settings: TermsSettings, row: Parameters<typeof termsOf>[1]) {
  const { version, effectiveDay, hashes } = termsOf(settings, row)
  return {
    version,
    effective_day: effectiveDay === '' ? null : (effectiveDay ?? null),
    sha256_id: hashes.id.toString('hex'),
    sha256_en: hashes.en.toString('hex'),
  }
}

function refuseUnfit(kind: PublishedText, texts: PublishTermsInput['texts']): void {
  for (const text of [texts.id, texts.en]) {
    const { missing, unknown } = placeholderProblems(kind, text)
    if (missing !== undefined)
      throw new Refusal('TERMS_PLACEHOLDER_MISSING', { placeholder: missing })
    if (unknown !== undefined)
      throw new Refusal('TERMS_PLACEHOLDER_UNKNOWN', { placeholder: unknown })
  }
  const shapes = [readShape(texts.id), readShape(texts.en)].map((shape) => shape.join())
  if (shapes[0] !== shapes[1]) throw new Refusal('TERMS_SHAPES_DIFFER')
}

function readShape(text: string): number[] {
  try {
    return shapeOf(readTerms(text))
  } catch (error) {
    if (!(error instanceof TermsFormatError)) throw error
    throw new Refusal('TERMS_FORMAT_INVALID', { excerpt: error.excerpt })
  }
}
