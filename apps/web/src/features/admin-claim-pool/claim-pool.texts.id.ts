import type { Translation } from '../../shared/i18n/texts.ts'
import type { poolTexts } from './claim-pool.texts.ts'

export const poolIndonesian = {
  balance: 'Saldo USDT admin',
  balanceHint: '{onChain} USDT di chain, {unpaid} USDT sudah disetujui dan belum dibayar',
  balanceUnknown: 'Saldo tidak dapat dibaca. Tidak ada yang dapat disetujui sebelum terbaca.',
  address: 'Alamat admin',
  copyAddress: 'Salin alamat admin',
  wallet: 'Dompet pembayaran di {network}',
  notProcessed: 'Belum diproses',
  notSent: 'Sedang dikirim',
  declined: 'Ditolak',
  returned: 'Dikembalikan',
  firstApproval: 'Disetujui oleh satu dari dua admin: {address}',
  approvalFailed: 'Persetujuan tidak dapat dikirim. Silakan coba lagi.',
  amount: 'Jumlah',
  claimant: 'Diklaim oleh',
  receiver: 'Tujuan (BSC, BEP20)',
  noEmail: 'N/A',
} satisfies Translation<typeof poolTexts>
