import type { Translation } from '../shared/i18n/texts.ts'
import type { frameTexts } from './frame.texts.ts'

export const frameIndonesian: Translation<typeof frameTexts> = {
  account: 'Akun Saya',
  language: 'Bahasa',
  languageFailed: 'Bahasa tidak dapat dimuat. Silakan coba lagi.',
  mainNavigation: 'Utama',
  menu: 'Menu',
  pageLoading: 'Memuat halaman…',
  skipToContent: 'Langsung ke isi',
  toDark: 'Ganti ke tema gelap',
  toLight: 'Ganti ke tema terang',
  crashTitle: 'Halaman ini berhenti bekerja',
  crashText: 'Tidak ada yang terkirim. Muat ulang halaman untuk melanjutkan.',
  reload: 'Muat ulang',
}
