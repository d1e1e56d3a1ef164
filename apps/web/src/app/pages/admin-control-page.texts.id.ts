import type { Translation } from '../../shared/i18n/texts.ts'
import type { controlTexts } from './admin-control-page.texts.ts'

export const controlIndonesian = {
  title: 'Kendali',
  approvals: 'Persetujuan kedua',
  cases: 'Kasus',
  close: 'Penutupan harian',
} satisfies Translation<typeof controlTexts>
