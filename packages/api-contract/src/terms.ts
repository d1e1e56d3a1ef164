import { TERMS_LANGUAGES } from '@dct/rules/terms-placeholders'
import { type Static, Type } from 'typebox'
import { Day, ListFrame, ListQuery, Nullable, OneOf, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'

export const TermsLanguage = OneOf(...TERMS_LANGUAGES)

export const MAX_TERMS_LENGTH = 50_000

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Text = Type.Object({
  markdown: Type.String({ description: 'With its placeholders filled.' }),
  sha256: Sha256,
})

/** A version of the terms or of the privacy notice as it reads in this installation. */
export const TermsDocument = Type.Object({
  version: Type.String(),
  effective_day: Nullable(
    Type.String({ ...Day, description: 'Null for the default terms of the software.' }),
  ),
  id: Text,
  en: Text,
})
export type TermsDocument = Static<typeof TermsDocument>

export const TermsReply = Type.Object({
  in_force: TermsDocument,
  upcoming: Type.Array(TermsDocument, { description: 'Published, and in force from a later day.' }),
})
export type TermsReply = Static<typeof TermsReply>

/** A user accepts exactly the text that was shown; its hash identifies it. */
export const AcceptTermsBody = Strict({
  version: Type.String({ maxLength: 40 }),
  language: TermsLanguage,
  sha256: Sha256,
})
export type AcceptTermsBody = Static<typeof AcceptTermsBody>

export const TermsConsent = Type.Object({
  version: Type.String(),
  language: TermsLanguage,
  sha256: Sha256,
  accepted_at: Timestamp,
})
export type TermsConsent = Static<typeof TermsConsent>

export const TermsConsentsReply = Type.Object({
  is_required: Type.Boolean({
    description:
      'True if the terms in force are not accepted yet: joins, claims and reports of payments are refused.',
  }),
  consents: Type.Array(TermsConsent, { description: 'Newest first.' }),
})
export type TermsConsentsReply = Static<typeof TermsConsentsReply>

/** A version as its admins wrote it, with placeholders. */
const TermsTemplate = Type.Object({
  version: Type.String(),
  effective_day: Nullable(Day),
  text_id: Type.String(),
  text_en: Type.String(),
  published_by: Nullable(Type.String({ description: "The admin's Tron address." })),
  published_at: Nullable(Timestamp),
  accepted_by: Type.Integer({
    description: 'How many users have accepted it. A privacy notice is not accepted.',
  }),
})

export const AdminTermsReply = Type.Object({
  today: Day,
  in_force: Type.String({ description: 'One of the versions below.' }),
  versions: Type.Array(TermsTemplate, {
    description: 'Newest first, the default terms of the software last.',
  }),
  placeholders: Type.Record(Type.String(), Type.String(), {
    description:
      'The placeholders that every text must contain, with the values of this installation.',
  }),
})
export type AdminTermsReply = Static<typeof AdminTermsReply>

/** `search`: the beginning of the user's Tron address, or its end. */
export const AdminConsentsQuery = ListQuery(LIST_ORDERS.termsConsents, {
  version: Type.Optional(Type.String({ maxLength: 40 })),
})
export type AdminConsentsQuery = Static<typeof AdminConsentsQuery>
export const AdminConsent = Type.Object({
  id: Type.String(),
  tron_address: Type.String(),
  version: Type.String(),
  language: TermsLanguage,
  accepted_at: Timestamp,
})
export type AdminConsent = Static<typeof AdminConsent>
export const AdminConsentsReply = Type.Object({
  consents: Type.Array(AdminConsent),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
})
export type AdminConsentsReply = Static<typeof AdminConsentsReply>

const TermsInput = Type.String({ minLength: 1, maxLength: MAX_TERMS_LENGTH })
export const PublishTermsBody = Strict({
  based_on: Type.String({
    maxLength: 40,
    description:
      'The newest version that the admin saw; the call is refused if there is a newer one.',
  }),
  effective_day: Day,
  text_id: TermsInput,
  text_en: TermsInput,
})
export type PublishTermsBody = Static<typeof PublishTermsBody>

export const PublishTermsReply = Type.Object({ message: Type.String(), version: Type.String() })
export type PublishTermsReply = Static<typeof PublishTermsReply>
