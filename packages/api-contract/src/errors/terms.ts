import type { ErrorCatalogue } from './shape.ts'

export const TERMS_ERRORS = {
  TERMS_CONSENT_REQUIRED: {
    status: 403,
    message: 'The terms and conditions have changed. Please read and accept them to continue.',
  },
  TERMS_CHANGED: {
    status: 409,
    message: 'The terms have changed in the meantime. Please read the present version.',
  },
  TERMS_UNCHANGED: { status: 409, message: 'This is the text of the newest version already.' },
  TERMS_DAY_INVALID: {
    status: 422,
    message: 'New terms take effect today or later, and not before a version published earlier.',
  },
  TERMS_PLACEHOLDER_MISSING: {
    status: 422,
    message: 'Each language must state {placeholder}. It is missing in one.',
  },
  TERMS_PLACEHOLDER_UNKNOWN: { status: 422, message: 'There is no placeholder {placeholder}.' },
  TERMS_FORMAT_INVALID: {
    status: 422,
    message:
      'Terms consist of parts, clauses, paragraphs, lists and emphasis only. This is something else: {excerpt}',
  },
  TERMS_SHAPES_DIFFER: {
    status: 422,
    message: 'Both languages must have the same parts, and each part the same number of clauses.',
  },
} as const satisfies ErrorCatalogue
