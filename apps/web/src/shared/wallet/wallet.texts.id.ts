import type { Translation } from '../i18n/texts.ts'
import type { walletTexts } from './wallet.texts.ts'

export const walletIndonesian: Translation<typeof walletTexts> = {
  searching: 'Mencari dompet…',
  locked: '{wallet} tersedia, tetapi belum terhubung ke situs ini.',
  connected: 'Terhubung dengan {wallet}',
  install: 'Dapatkan TronLink',
  developmentWallet: 'Gunakan dompet pengembangan',
  otherWallets: 'Pilih atau dapatkan dompet',
  chooseTitle: 'Pilih dompet',
  chooseHint: 'Dompet yang baru dipasang ditemukan sendiri dalam beberapa detik.',
  noneFound: 'Tidak ada dompet di peramban ini.',
  found: 'Ditemukan',
  get: 'Dapatkan {wallet}',
  openIn: 'Buka di {wallet}',
  openInApp: 'Buka halaman ini di aplikasi TronLink',
}
