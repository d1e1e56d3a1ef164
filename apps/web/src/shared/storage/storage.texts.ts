import { defineTexts } from '../i18n/texts.ts'

export const storageTexts = defineTexts('storage', {
  session: 'This browser does not keep data: you must log in again after a reload.',
  transaction:
    'This browser does not keep data: leave this page open until the transaction is final.',
})
