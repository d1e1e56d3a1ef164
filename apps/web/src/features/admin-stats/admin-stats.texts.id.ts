import type { Translation } from '../../shared/i18n/texts.ts'
import type { statsTexts } from './admin-stats.texts.ts'

export const statsIndonesian = {
  totals: 'Total',
  summary:
    'Sejauh ini {users} pengguna, {plans} earning plan, dan {transactions} transaksi; {earnings} DCT telah dikreditkan sebagai reward dan {claims} DCT telah diklaim.',
  summaryUnknown: 'Total belum diketahui saat ini.',
} satisfies Translation<typeof statsTexts>
