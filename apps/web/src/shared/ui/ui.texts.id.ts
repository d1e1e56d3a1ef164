import type { Translation } from '../i18n/texts.ts'
import type { uiTexts } from './ui.texts.ts'

export const uiIndonesian: Translation<typeof uiTexts> = {
  beingSent: 'Sedang dikirim',
  close: 'Tutup',
  copied: 'Tersalin',
  copyFailed: 'Peramban tidak mengizinkan penyalinan. Pilih teksnya dan salin sendiri.',
  dismiss: 'Tutup',
  export: 'Simpan sebagai CSV',
  exporting: 'Menyimpan…',
  exportFailed: 'File tidak dapat dibuat. Silakan coba lagi.',
  listFailed: 'Daftar ini tidak dapat dimuat.',
  loading: 'Memuat…',
  opensExplorer: '(membuka explorer)',
  resetFilters: 'Hapus filter',
  retry: 'Coba lagi',
  stale: 'Ini tidak dapat diperbarui. Yang Anda lihat adalah dari {time}.',
  sortBy: 'Urutkan menurut',
  sortedAscending: '{column}, menaik',
  sortedDescending: '{column}, menurun',
  notifications: 'Pemberitahuan',
}
