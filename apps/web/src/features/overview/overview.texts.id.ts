import type { Translation } from '../../shared/i18n/texts.ts'
import type { overviewTexts } from './overview.texts.ts'

export const overviewIndonesian: Translation<typeof overviewTexts> = {
  welcome: 'Selamat datang, {address}',
  balances: 'Di dompet Anda',
  tokenBalance: 'Token',
  trxBalance: 'TRX',
  plans: 'Di paket Anda',
  locked: 'Terkunci',
  claimable: 'Dapat diklaim',
  balancesNoWallet: 'Hubungkan dompet Anda untuk melihat isinya.',
  balancesFailed: 'Saldo tidak dapat dibaca.',
  otherWallet: 'Dompet Anda memakai {wallet}, tetapi Anda masuk sebagai {user}.',
  retry: 'Coba lagi',
  referral: 'Tautan referral Anda',
  referralHint:
    'Orang yang mendaftar dengannya menjadi downline Anda: Anda memperoleh bagian dari biaya yang mereka bayar.',
  referralCode: 'Kode referral',
}
