import { MessageReply } from '@dct/api-contract/common'
import { SUCCESSES } from '@dct/api-contract/successes'
import {
  AcceptTermsBody,
  AdminConsent,
  AdminConsentsQuery,
  AdminConsentsReply,
  AdminTermsReply,
  PublishTermsBody,
  PublishTermsReply,
  TermsConsentsReply,
  TermsReply,
} from '@dct/api-contract/terms'
import { formatTronAddress } from '@dct/rules/addresses'
import { type BusinessDay, parseBusinessDay } from '@dct/rules/business-day'
import { DEFAULT_TEXTS } from '@dct/rules/default-texts'
import { PLACEHOLDERS, PUBLISHED_TEXTS, type PublishedText } from '@dct/rules/terms-placeholders'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import { Refusal } from '../../platform/errors.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { readsOf, type SessionUser, userOf } from '../../platform/http/http.ts'
import { addressesOf } from '../auth/index.ts'
import { acceptTerms, needsConsent, requireConsent } from './consent.ts'
import {
  countConsents,
  describeConsent,
  listConsents,
  orderedConsents,
} from './list-consents.queries.ts'
import { type PublishTermsDeps, publishTerms } from './publish-terms.ts'
import { consentsOf, listVersions } from './terms.queries.ts'
import { type Terms, termsInForce, termsOf } from './terms-in-force.ts'

export type TermsRoutesDeps = PublishTermsDeps & {
  /** Refuses a session without a fresh confirming signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

/** The terms and the privacy notice for everybody, acceptance by holders, and versions for admins. */
export const termsRoutes: FastifyPluginAsyncTypebox<TermsRoutesDeps> = async (app, deps) => {
  const { db, clock } = deps
  // Within this plugin's prefix, which is among its options.
  for (const kind of PUBLISHED_TEXTS) {
    await app.register(textRoutes, { ...deps, kind, prefix: '' })
  }

  const own = { response: { 200: TermsConsentsReply } }
  const user = { role: 'user' } as const
  app.get('/user/terms-consents', { schema: own, config: user }, async (request) => {
    const { id } = userOf(request)
    const [is_required, consents] = await Promise.all([
      needsConsent(deps, db, id),
      consentsOf(db, id),
    ])
    return {
      is_required,
      consents: consents.map(({ version, language, text_sha256, accepted_at }) => ({
        version,
        language,
        sha256: text_sha256.toString('hex'),
        accepted_at: accepted_at.toISOString(),
      })),
    }
  })

  const accept = { body: AcceptTermsBody, response: { 200: MessageReply } }
  app.post('/user/terms-consents', { schema: accept, config: user }, async (request) => {
    await acceptTerms(deps, { ...request.body, userId: userOf(request).id })
    return { message: SUCCESSES.TERMS_ACCEPTED }
  })

  const check = { response: { 200: MessageReply } }
  app.post('/user/check-terms', { schema: check, config: user }, async (request) => {
    await requireConsent(deps, db, userOf(request).id)
    return { message: SUCCESSES.TERMS_ACCEPTED }
  })

  const admin = { role: 'admin' } as const
  const consents = listOrFile(AdminConsentsQuery, AdminConsentsReply)
  app.get('/admin/terms/consents', { schema: consents, config: admin }, async (request, reply) => {
    const { query } = request
    if (query.format === undefined) return listConsents(readsOf(request), query)
    const batches = inBatches(readsOf(request), {
      queries: (tx) => [orderedConsents(tx, query).compile()],
      describe: (_tx, rows) => rows.map(describeConsent),
    })
    const day = businessDayOf(clock.now())
    return sendCsv(reply, { name: 'terms-consents', day, row: AdminConsent, batches })
  })
}

/** One of the texts: what is in force, for everybody, and its versions, for admins. */
const textRoutes: FastifyPluginAsyncTypebox<TermsRoutesDeps & { kind: PublishedText }> = async (
  app,
  { kind, ...deps },
) => {
  const { db, clock } = deps
  const all = { response: { 200: TermsReply } }
  app.get(`/public/${kind}`, { schema: all, config: { role: 'public' } }, () =>
    describeTerms(deps, kind),
  )

  const versions = { response: { 200: AdminTermsReply } }
  const admin = { role: 'admin' } as const
  app.get(`/admin/${kind}`, { schema: versions, config: admin }, async () => {
    const at = clock.now()
    const { version } = await termsInForce(deps, db, at, kind)
    return {
      today: businessDayOf(at),
      in_force: version,
      versions: await describeVersions(deps, kind),
      placeholders: Object.fromEntries(
        PLACEHOLDERS[kind].map((name) => [name, deps.termsValues[name]]),
      ),
    }
  })

  const publish = { body: PublishTermsBody, response: { 200: PublishTermsReply } }
  app.post(`/admin/${kind}`, { schema: publish, config: admin }, async (request) => {
    const { based_on: basedOn, effective_day: day, text_id, text_en } = request.body
    await deps.requireStepUp(userOf(request))
    const version = await publishTerms(deps, {
      ...{ kind, basedOn, adminId: userOf(request).id },
      effectiveDay: readDay(day),
      texts: { id: text_id, en: text_en },
    })
    return { message: SUCCESSES.TERMS_PUBLISHED, version }
  })
}

function readDay(text: string): BusinessDay {
  try {
    return parseBusinessDay(text)
  } catch {
    throw new Refusal('TERMS_DAY_INVALID')
  }
}

async function describeTerms(deps: TermsRoutesDeps, kind: PublishedText): Promise<TermsReply> {
  const at = deps.clock.now()
  const today = businessDayOf(at)
  const [inForce, versions] = await Promise.all([
    termsInForce(deps, deps.db, at, kind),
    listVersions(deps.db, kind),
  ])
  const upcoming = versions.filter(({ effective_day }) => effective_day > today).toReversed()
  return {
    in_force: describe(inForce),
    upcoming: upcoming.map((row) => describe(termsOf(deps, row))),
  }
}

function describe({ version, effectiveDay, texts, hashes }: Terms): TermsReply['in_force'] {
  const textIn = (language: 'id' | 'en') => ({
    markdown: texts[language],
    sha256: hashes[language].toString('hex'),
  })
  return { version, effective_day: effectiveDay ?? null, id: textIn('id'), en: textIn('en') }
}

async function describeVersions(
  { db }: TermsRoutesDeps,
  kind: PublishedText,
): Promise<AdminTermsReply['versions']> {
  const [rows, consents] = await Promise.all([
    listVersions(db, kind),
    kind === 'terms' ? countConsents(db) : new Map<string, number>(),
  ])
  const admins = await addressesOf(
    db,
    rows.map((row) => row.published_by),
  )
  const published = rows.map((row) => ({
    version: row.version,
    effective_day: row.effective_day,
    text_id: row.text_id,
    text_en: row.text_en,
    published_by: formatTronAddress(admins.get(row.published_by) ?? Buffer.alloc(20)),
    published_at: row.published_at.toISOString(),
    accepted_by: consents.get(row.version) ?? 0,
  }))
  const { version, texts } = DEFAULT_TEXTS[kind]
  const ofSoftware = {
    ...{ version, effective_day: null, text_id: texts.id, text_en: texts.en },
    ...{ published_by: null, published_at: null },
    accepted_by: consents.get(version) ?? 0,
  }
  return [...published, ofSoftware]
}
