import type { Translation } from '../shared/i18n/texts.ts'
import type { adminNavTexts } from './admin-nav.texts.ts'

export const adminNavIndonesian = {
  more: 'Lainnya untuk admin',
  operations: 'Operasi',
  control: 'Kendali',
  money: 'Uang',
  payments: 'Pembayaran masuk',
  payouts: 'Pembayaran keluar',
  health: 'Kesehatan',
  log: 'Log admin',
  price: 'Harga',
} satisfies Translation<typeof adminNavTexts>
