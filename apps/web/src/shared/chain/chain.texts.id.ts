import type { Translation } from '../i18n/texts.ts'
import type { chainTexts } from './chain.texts.ts'

export const chainIndonesian: Translation<typeof chainTexts> = {
  EnforcedPause: 'Keikutsertaan dan pengisian sedang dihentikan sementara. Coba lagi nanti.',
  Staking_AlreadyStaked: 'Akun ini sudah mengunci token di paket ini.',
  Staking_AmountOutOfRange: 'Kontrak hanya menerima 10 sampai 50 DCT.',
  TokenTransfers_BalanceMismatch: 'Token tidak tiba utuh, jadi kontrak menolaknya.',
  RewardPool_AlreadyReserved: 'Akun ini sudah memesan reward di paket ini.',
  RewardPool_InsufficientFree: 'Pool reward paket ini tidak cukup untuk seluruh reward.',
  RewardPool_PlanNotOpen: 'Paket ini (belum) dibuka di blockchain.',
  RewardPool_PlanRetired: 'Paket ini sudah ditutup selamanya.',
  RewardPool_InvalidPlanCode: 'Kontrak tidak menerima kode paket ini.',
  RewardPool_WrongDuration: 'Durasinya berbeda dengan yang di blockchain. Muat ulang halaman.',
  RewardPool_ZeroAmount: 'Jumlah harus lebih dari 0.',
  ERC20InsufficientAllowance: 'Jumlah yang disetujui terlalu kecil.',
  ERC20InsufficientBalance: 'DCT di dompet tidak cukup.',
  OutOfEnergy: 'Transaksi kehabisan energi.',
  Unknown: 'Kontrak menolak panggilan ini.',
  UnknownWith: 'Kontrak menolak panggilan ini: {text}',
}
