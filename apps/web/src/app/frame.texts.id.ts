import type { Translation } from '../shared/i18n/texts.ts'
import type { frameTexts } from './frame.texts.ts'

export const frameIndonesian: Translation<typeof frameTexts> = {
  aboutService: 'Tentang layanan ini',
  account: 'Akun Saya',
  language: 'Bahasa',
  languageFailed: 'Bahasa tidak dapat dimuat. Silakan coba lagi.',
  mainNavigation: 'Utama',
  menu: 'Menu',
  pageLoading: 'Memuat halaman…',
  skipToContent: 'Langsung ke isi',
  toDark: 'Ganti ke tema gelap',
  transparency: 'Yang dijanjikan dan yang tersedia: periksa sendiri',
  toLight: 'Ganti ke tema terang',
  crashTitle: 'Halaman ini berhenti bekerja',
  crashText: 'Tidak ada yang terkirim. Muat ulang halaman untuk melanjutkan.',
  reload: 'Muat ulang',
}
