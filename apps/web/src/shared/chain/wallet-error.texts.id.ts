import type { Translation } from '../i18n/texts.ts'
import type { walletErrorTexts } from './wallet-error.ts'

export const walletErrorIndonesian: Translation<typeof walletErrorTexts> = {
  rejected: 'Anda menolak permintaan di dompet. Tidak ada yang dikirim.',
  pending: 'Dompet sudah menampilkan permintaan. Buka dompet dan jawab dulu.',
  otherNetwork: 'Dompet memakai jaringan lain. Ganti jaringan di dompet lalu coba lagi.',
  failed: 'Dompet tidak dapat menyelesaikan permintaan.',
}
