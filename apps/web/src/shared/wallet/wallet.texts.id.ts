import type { Translation } from '../i18n/texts.ts'
import type { walletTexts } from './wallet.texts.ts'

export const walletIndonesian: Translation<typeof walletTexts> = {
  searching: 'Mencari dompet…',
  locked: '{wallet} tersedia, tetapi belum terhubung ke situs ini.',
  connected: 'Terhubung dengan {wallet}',
  whichWallet: 'Dompet yang mana?',
  install: 'Dapatkan TronLink',
  developmentWallet: 'Gunakan dompet pengembangan',
  openInApp: 'Buka halaman ini di aplikasi TronLink',
}
