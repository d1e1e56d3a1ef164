import { defineTexts } from '../i18n/texts.ts'

export const insecureTexts = defineTexts('insecure', {
  sentence:
    'This address is not secure (http), so your browser blocks wallets, signatures and copying. Open this page with https, or as localhost on the computer that runs it.',
})

export const storageTexts = defineTexts('storage', {
  session: 'This browser does not keep data: you must log in again after a reload.',
  transaction:
    'This browser does not keep data: leave this page open until the transaction is final.',
})
