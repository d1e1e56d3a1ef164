import type { Translation } from '../../shared/i18n/texts.ts'
import type { activityTexts } from './activity.texts.ts'

export const activityIndonesian: Translation<typeof activityTexts> = {
  open: 'Aktivitas',
  title: 'Aktivitas di peramban ini',
  nothing: 'Belum ada apa pun di sini.',
  hint: 'Apa yang terjadi dengan uang Anda, seperti yang ditampilkan di sini. Riwayat di dasbor lengkap.',
}
