import type { Translation } from '../../shared/i18n/texts.ts'
import type { registerTexts } from './register.texts.ts'

export const registerIndonesian: Translation<typeof registerTexts> = {
  title: 'Pendaftaran',
  lead: 'Satu akun untuk setiap dompet. Dompet Anda menandatangani pendaftaran; tidak ada yang dikirim ke blockchain.',
  wallet: 'Alamat dompet',
  email: 'E-mail',
  emailHint: 'Hanya untuk bantuan. Hal lainnya dilakukan dengan dompet Anda.',
  referralCode: 'Kode referral (opsional)',
  acceptTerms: 'Saya menyetujui syarat dan ketentuan',
  readTerms: 'Baca syarat dan ketentuan',
  termsTitle: 'Syarat dan ketentuan',
  termsVersion: 'Versi {version}',
  done: 'Selesai',
  signing: 'Menunggu dompet Anda…',
  doneTitle: 'Anda telah terdaftar',
  ownCode: 'Kode referral Anda',
  copyCode: 'Salin kode referral Anda',
  referrer: 'Pereferensi Anda',
  noReferrer: 'Tidak ada',
  goingToLogin: 'Anda akan diarahkan ke halaman masuk.',
}
