import type { Translation } from '../../shared/i18n/texts.ts'
import type { claimTexts } from './claims.texts.ts'

export const claimsIndonesian: Translation<typeof claimTexts> = {
  listFailed: 'Imbalan yang dapat Anda klaim tidak dapat dimuat.',
  claimable: 'Total yang dapat diklaim',
  estimatedFee: 'Perkiraan biaya',
  feeHint: 'Di BSC (BEP20), termasuk biaya energi. Ini jumlah tertinggi yang mungkin.',
  confirmTitle: 'Klaim {plan}: {type}',
  claimedAmount: 'Anda mengklaim',
  sentNow: 'Dikirim sekarang',
  sentLater: 'Dikirim setelah biaya dibayar',
  sentLaterHint: 'Dalam 24 jam setelah pembayaran.',
  fee: 'Biaya ({percentage}% dari seluruh klaim)',
  feeAt: '{fee} DCT pada harga {price} USDT',
  energyFee: 'Biaya energi',
  toPay: 'Anda membayar paling banyak',
  net: 'Yang tersisa bagi Anda',
  netHint: '{value} USDT pada harga hari ini, dikurangi biaya',
  losing: 'Klaim ini berbiaya lebih besar daripada hasilnya pada harga hari ini.',
  freezes:
    'Sebelum biaya dibayar, klaim berikutnya tidak dapat dilakukan dan earning ditampilkan beku. Imbalan tetap dikreditkan.',
  stale: 'Angka ini tidak dapat diperbarui. Anda dapat mengklaim lagi setelah diperbarui.',
  noDueDate: 'Biaya ini tidak memiliki jatuh tempo.',
  cycles: 'Siklus {first} sampai {last}.',
  claimUntil: 'Dapat diklaim sampai',
  cancelLater: 'Klaim FULL yang belum dibayar dapat dibatalkan setelah 24 jam.',
  halfIsFinal: 'Klaim HALF tidak dapat dibatalkan.',
}
