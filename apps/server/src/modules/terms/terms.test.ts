import { createHash } from 'node:crypto'
import type { AdminTermsReply, PublishTermsBody, TermsReply } from '@dct/api-contract/terms'
import { formatTronAddress } from '@dct/rules/addresses'
import { PRIVACY_VERSION, TERMS_VERSION } from '@dct/rules/constants'
import { DEFAULT_PRIVACY } from '@dct/rules/default-privacy'
import { DEFAULT_TERMS } from '@dct/rules/default-terms'
import { termsValues } from '@dct/rules/terms-placeholders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { recordAdminAction } from '../admin/index.ts'
import { recordSignedConsent, requireConsent } from './consent.ts'
import { termsRoutes } from './terms.routes.ts'

const settings = { termsValues: termsValues({ supportEmail: 'help@example.org' }) }
const clock = new ManualClock('2026-12-01T03:00:00Z')
const database = useTestDatabase()
let app: App
let holder: TestUser
let admin: TestUser
let hasSignedFreshly = true

beforeAll(async () => {
  app = await createTestApp({ db: database.db, realClock })
  await app.register(termsRoutes, {
    prefix: '/api',
    ...{ db: database.db, clock, recordAdminAction, ...settings },
    async requireStepUp() {
      if (!hasSignedFreshly) throw new Refusal('STEP_UP_REQUIRED')
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-12-01T03:00:00Z')
  hasSignedFreshly = true
  holder = await givenUser({ db: database.db, clock, realClock })
  admin = await givenUser({ db: database.db, clock, realClock }, { role: 'admin' })
})

const changed = (text: string) => `${text}\n- *more*\n`
const CHANGED = { text_id: changed(DEFAULT_TERMS.id), text_en: changed(DEFAULT_TERMS.en) }

async function publish(body: Partial<PublishTermsBody> = {}, kind = 'terms') {
  const payload = { based_on: TERMS_VERSION, effective_day: '2026-12-01', ...CHANGED, ...body }
  const reply = await app.inject({
    method: 'POST',
    url: `/api/admin/${kind}`,
    headers: bearer(admin),
    payload,
  })
  return { status: reply.statusCode, ...reply.json() }
}
const readTerms = async (): Promise<TermsReply> => (await app.inject('/api/public/terms')).json()
const readConsents = async () =>
  (await app.inject({ url: '/api/user/terms-consents', headers: bearer(holder) })).json()
async function accept(body: object) {
  const payload = { language: 'en', ...body }
  const url = '/api/user/terms-consents'
  const reply = await app.inject({ method: 'POST', url, headers: bearer(holder), payload })
  return { status: reply.statusCode, code: reply.json().code }
}
const mayBegin = () =>
  requireConsent({ ...settings, clock }, database.db, holder.id).then(
    () => true,
    (error: Refusal) => error.code,
  )
const register = () =>
  inTransaction(database.db, (tx) =>
    recordSignedConsent(settings, tx, {
      ...{ userId: holder.id, version: TERMS_VERSION, language: 'id', at: clock.now() },
    }),
  )

test('without a published version, the default terms of the software are in force, with their numbers filled in', async () => {
  const { in_force, upcoming } = await readTerms()
  expect(in_force).toMatchObject({ version: TERMS_VERSION, effective_day: null })
  expect(in_force.en.markdown).toContain('at least every 30 cycles')
  expect(in_force.id.markdown).toContain('help@example.org')
  const sha256 = createHash('sha256').update(in_force.id.markdown).digest('hex')
  expect(in_force.id.sha256).toBe(sha256)
  expect(upcoming).toEqual([])
})

test('a holder registered under the current terms may begin, until a new version is in force', async () => {
  expect(await mayBegin()).toBe('TERMS_CONSENT_REQUIRED')
  await register()
  expect(await mayBegin()).toBe(true)
  expect(await publish({ effective_day: '2026-12-03' })).toMatchObject({ version: '2026-12-03' })
  expect((await readTerms()).upcoming).toMatchObject([{ version: '2026-12-03' }])

  clock.set('2026-12-02T16:59:59Z') // a second before midnight in UTC+7
  expect(await mayBegin()).toBe(true)
  clock.set('2026-12-02T17:00:00Z')
  expect(await mayBegin()).toBe('TERMS_CONSENT_REQUIRED')
  const { in_force, upcoming } = await readTerms()
  expect([in_force.version, upcoming]).toEqual(['2026-12-03', []])
})

test('a holder accepts exactly the text shown, in either language, and every consent is kept', async () => {
  await register()
  await publish()
  const { in_force } = await readTerms()
  const { version, en, id } = in_force
  expect(await accept({ version, sha256: id.sha256 })).toMatchObject({ code: 'TERMS_CHANGED' })
  expect(await accept({ version: TERMS_VERSION, sha256: en.sha256 })).toMatchObject({ status: 409 })
  expect(await mayBegin()).toBe('TERMS_CONSENT_REQUIRED')
  expect(await accept({ version, sha256: en.sha256 })).toMatchObject({ status: 200 })
  expect(await accept({ version, sha256: en.sha256 })).toMatchObject({ status: 200 })
  expect(await mayBegin()).toBe(true)
  const at = clock.now().toISOString()
  expect(await readConsents()).toMatchObject({
    is_required: false,
    consents: [
      { version: '2026-12-01', language: 'en', sha256: en.sha256, accepted_at: at },
      { version: TERMS_VERSION, language: 'id', accepted_at: at },
    ],
  })
})

test('a number that changes in the rules requires consent again, under the same version', async () => {
  await register()
  const changedRules = { termsValues: { ...settings.termsValues, freeze_grace_cycles: '2' } }
  await expect(
    requireConsent({ ...changedRules, clock }, database.db, holder.id),
  ).rejects.toMatchObject({ code: 'TERMS_CONSENT_REQUIRED' })
})

test('the privacy notice has versions of its own, which nobody has to accept', async () => {
  const read = async (): Promise<TermsReply> => (await app.inject('/api/public/privacy')).json()
  await register()
  const before = (await read()).in_force
  expect(before).toMatchObject({ version: PRIVACY_VERSION, effective_day: null })
  expect(before.en.markdown).toContain('Write to help@example.org')
  const texts = { text_id: changed(DEFAULT_PRIVACY.id), text_en: changed(DEFAULT_PRIVACY.en) }
  const published = await publish({ based_on: PRIVACY_VERSION, ...texts }, 'privacy')
  expect(published).toMatchObject({ status: 200, version: '2026-12-01' })
  expect((await read()).in_force.en.markdown).toContain('more')
  expect(await mayBegin()).toBe(true)
  expect((await readTerms()).in_force.version).toBe(TERMS_VERSION)
  // The terms can have a version of the same name.
  expect(await publish()).toMatchObject({ status: 200, version: '2026-12-01' })
  const log = await database.db.selectFrom('admin_log').select('action').orderBy('id').execute()
  expect(log.map(({ action }) => action)).toEqual(['privacy.publish', 'terms.publish'])
  const reply = await app.inject({ url: '/api/admin/privacy', headers: bearer(admin) })
  expect(reply.json()).toMatchObject({
    in_force: '2026-12-01',
    placeholders: { support_email: 'help@example.org' },
  })
})

test('publishing needs a fresh signature, is logged, and cannot overwrite what another admin published', async () => {
  hasSignedFreshly = false
  expect(await publish()).toMatchObject({ status: 403, code: 'STEP_UP_REQUIRED' })
  hasSignedFreshly = true
  expect(await publish()).toMatchObject({ status: 200, version: '2026-12-01' })
  expect(await publish({ text_en: changed(CHANGED.text_en) })).toMatchObject({
    code: 'TERMS_CHANGED',
  })
  const second = { based_on: '2026-12-01', text_en: changed(CHANGED.text_en) }
  expect(await publish(second)).toMatchObject({ version: '2026-12-01.2' })

  const log = await database.db.selectFrom('admin_log').selectAll().orderBy('id').execute()
  expect(log).toMatchObject([
    { action: 'terms.publish', subject: '2026-12-01', before: { version: TERMS_VERSION } },
    { subject: '2026-12-01.2', before: { version: '2026-12-01' } },
  ])
  const { in_force } = await readTerms()
  expect(log[1]?.after).toMatchObject({
    sha256_en: in_force.en.sha256,
    sha256_id: in_force.id.sha256,
  })
  const reply = await app.inject({ url: '/api/admin/terms', headers: bearer(admin) })
  const terms: AdminTermsReply = reply.json()
  expect(terms.versions.map(({ version }) => version)).toEqual([
    ...['2026-12-01.2', '2026-12-01', TERMS_VERSION],
  ])
  expect(terms).toMatchObject({ in_force: '2026-12-01.2', today: '2026-12-01' })
})

test.each([
  [
    'a text without a required number',
    'TERMS_PLACEHOLDER_MISSING',
    (text: string) => text.replaceAll('{{freeze_grace_cycles}}', '3'),
  ],
  [
    'a text with an unknown placeholder',
    'TERMS_PLACEHOLDER_UNKNOWN',
    (text: string) => `${text}\n{{unknown}}\n`,
  ],
  [
    'a text with Markdown that is not supported',
    'TERMS_FORMAT_INVALID',
    (text: string) => `${text}\n<b>bold</b>\n`,
  ],
  [
    'a text whose clauses differ from those of the other language',
    'TERMS_SHAPES_DIFFER',
    (text: string) => `${text}\n## More\n\nwords\n`,
  ],
])('%s is refused', async (_what, code, change) => {
  expect(await publish({ text_en: change(DEFAULT_TERMS.en) })).toMatchObject({ status: 422, code })
  expect((await readTerms()).in_force.version).toBe(TERMS_VERSION)
})

test('a version takes effect neither in the past nor before an already published one', async () => {
  expect(await publish({ effective_day: '2026-11-30' })).toMatchObject({
    code: 'TERMS_DAY_INVALID',
  })
  expect(await publish({ effective_day: '2026-02-30' })).toMatchObject({
    code: 'TERMS_DAY_INVALID',
  })
  expect(await publish({ effective_day: '2026-12-10' })).toMatchObject({ status: 200 })
  const early = {
    based_on: '2026-12-10',
    effective_day: '2026-12-09',
    text_en: changed(CHANGED.text_en),
  }
  expect(await publish(early)).toMatchObject({ code: 'TERMS_DAY_INVALID' })
  const corrected = { ...early, effective_day: '2026-12-10' }
  expect(await publish(corrected)).toMatchObject({ version: '2026-12-10.2' })
  clock.set('2026-12-10T03:00:00Z')
  expect((await readTerms()).in_force.version).toBe('2026-12-10.2')
  const again = { ...corrected, based_on: '2026-12-10.2' }
  expect(await publish(again)).toMatchObject({ code: 'TERMS_UNCHANGED' })
})

test('admins see who has accepted which version, newest first, and how many have; a holder who accepted it in two languages counts once', async () => {
  await register()
  clock.set('2026-12-01T04:00:00Z')
  const { version } = await publish()
  const { in_force } = await readTerms()
  await accept({ version, sha256: in_force.en.sha256 })
  clock.set('2026-12-01T05:00:00Z')
  await accept({ version, language: 'id', sha256: in_force.id.sha256 })

  const url = '/api/admin/terms/consents'
  const ask = async (query = '') =>
    (await app.inject({ url: `${url}?${query}`, headers: bearer(admin) })).json()
  const tron_address = formatTronAddress(holder.address)
  const mine = { tron_address, version }
  expect(await ask()).toMatchObject({
    ...{ total: 3, is_total_capped: false },
    consents: [
      { ...mine, language: 'id', accepted_at: '2026-12-01T05:00:00.000Z' },
      { ...mine, language: 'en' },
      { ...mine, version: TERMS_VERSION, language: 'id' },
    ],
  })
  const totals = (queries: readonly string[]) =>
    Promise.all(queries.map(async (query) => (await ask(query)).total))
  const start = `search=${tron_address.slice(0, 6)}`
  const queries = [`version=${version}`, `version=${TERMS_VERSION}`, start, 'search=nobody']
  expect(await totals(queries)).toEqual([2, 1, 3, 0])
  await expectPages((query) => ask(query), 'consents')

  const all = await app.inject({ url: '/api/admin/terms', headers: bearer(admin) })
  const { versions } = all.json<AdminTermsReply>()
  expect(versions.map((one) => [one.version, one.accepted_by])).toEqual([
    [version, 1],
    [TERMS_VERSION, 1],
  ])
  expect((await app.inject({ url, headers: bearer(holder) })).statusCode).toBe(403)
})
