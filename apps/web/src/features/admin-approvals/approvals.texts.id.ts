import type { Translation } from '../../shared/i18n/texts.ts'
import type { approvalTexts } from './approvals.texts.ts'

export const approvalsIndonesian = {
  hint: 'Pembayaran besar dan persentase tinggi memerlukan dua admin yang berbeda. Yang kedua memutuskan di sini; tidak ada yang memutuskan sendirian.',
  failed: 'Yang menunggu tidak dapat dimuat.',
  claims: 'Pembayaran referral',
  noClaims: 'Tidak ada pembayaran yang menunggu admin kedua.',
  percentages: 'Persentase',
  noPercentages: 'Tidak ada persentase yang menunggu admin kedua.',
  holder: 'Pemegang',
  amount: 'Jumlah',
  kind: 'Jenis',
  receiver: 'Alamat USDT',
  first: 'Admin pertama',
  since: 'Sejak',
  user: 'Pengguna',
  change: 'Perubahan',
  until: 'Sampai',
  decide: 'Keputusan',
  approve: 'Setujui sebagai admin kedua',
  confirm: 'Tetapkan sebagai admin kedua',
  mine: 'Admin lain yang harus memutuskan',
  actFailed: 'Tidak ada yang berubah. Silakan coba lagi.',
} satisfies Translation<typeof approvalTexts>
