import type { Translation } from '../../shared/i18n/texts.ts'
import type { loginTexts } from './login.texts.ts'

export const loginIndonesian: Translation<typeof loginTexts> = {
  lead: 'Dompet Anda adalah akun Anda. Masuk cukup dengan tanda tangan: tanpa biaya dan tanpa memindahkan token.',
  stepWallet: 'Dompet',
  stepSign: 'Tanda tangan',
  signHint: 'Dompet Anda menampilkan teks singkat. Tanda tangani untuk masuk.',
  signing: 'Menunggu dompet Anda…',
  newHere: 'Baru di sini?',
  signedInAs: 'Anda masuk sebagai {address}.',
  goOn: 'Lanjutkan',
  beforeTitle: 'Sebelum Anda mulai',
  lockName: 'Kunci',
  lockText:
    '{minimum} sampai {maximum} DCT selama seluruh masa paket. Token kembali dengan sendirinya, hanya ke dompet yang menguncinya.',
  earnName: 'Peroleh imbalan',
  earnText:
    'Imbalan dikreditkan setiap hari selama paket. Seluruhnya dicadangkan sebelum Anda mengunci.',
  claimName: 'Klaim tepat waktu',
  claimText:
    'Paling lambat setiap {cycles} hari. Jika tidak, paket dibekukan dan hari berikutnya dapat hangus.',
  costName: 'Ketahui biayanya',
  costText:
    'Klaim berbiaya {percentage}% dari imbalan yang diklaim dan {energy} USDT untuk energi, dibayar dalam USDT di BSC (BEP20).',
}
