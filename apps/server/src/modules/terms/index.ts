export { type ConsentDeps, recordSignedConsent, requireConsent } from './consent.ts'
export { type TermsSettings, termsInForce } from './terms-in-force.ts'
