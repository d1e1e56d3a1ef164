import type { Translation } from '../../shared/i18n/texts.ts'
import type { stepUpTexts } from './step-up.texts.ts'

export const stepUpIndonesian = {
  title: 'Konfirmasi dengan dompet Anda',
  why: 'Tindakan ini memindahkan uang atau menentukan pemindahannya. Dompet Anda lebih dulu menandatangani pesan singkat tanpa biaya. Konfirmasi berlaku beberapa menit.',
  sign: 'Tanda tangani dan lanjutkan',
  signing: 'Menunggu dompet Anda…',
  cancel: 'Batal',
  otherAccount: 'Dompet memakai akun lain dari yang sedang masuk ({address}).',
  failed: 'Konfirmasi tidak berhasil. Silakan coba lagi.',
} satisfies Translation<typeof stepUpTexts>
