/** What rows say in words, in English and in Indonesian: whoever searches for it finds the rows that show it. */

import type { ClaimState } from './claims.ts'

type Word = readonly [english: string, indonesian: string]

const NOT_PAID: Word = ['Paid: No', 'Dibayar: Tidak']

/** By the state of a holder's claim. */
export const CLAIM_WORDS: Readonly<Record<ClaimState, readonly Word[]>> = {
  awaiting_fee: [['Awaiting fee payment', 'Menunggu pembayaran biaya'], NOT_PAID],
  paid: [['Paid: Yes', 'Dibayar: Ya']],
  cancelled: [['Cancelled', 'Dibatalkan'], NOT_PAID],
  lapsed: [['Lapsed', 'Hangus'], NOT_PAID],
}

/** Of a cycle that has lapsed. */
export const LAPSED_CYCLE_WORD: Word = [
  'lapsed: not claimed in time',
  'hangus: tidak diklaim tepat waktu',
]
