import type { Translation } from '../../shared/i18n/texts.ts'
import type { recordTexts } from './admin-records.texts.ts'

export const recordsIndonesian = {
  search: 'Cari menurut alamat, hash, atau kode plan',
  planFilter: 'Plan',
  notPaid: 'Belum dibayar',
  lapsed: '{amount} DCT hangus',
} satisfies Translation<typeof recordTexts>
