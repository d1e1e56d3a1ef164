import type { Translation } from '../../shared/i18n/texts.ts'
import type { supportTexts } from './support-case.texts.ts'

export const supportIndonesian = {
  title: 'Kasus',
  lead: 'Ditampilkan melalui tautan yang berakhir dengan sendirinya. Dapat dibaca, tidak dapat diubah.',
  failed: 'Kasus tidak dapat dimuat.',
} satisfies Translation<typeof supportTexts>
