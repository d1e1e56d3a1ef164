import type { Translation } from '../../shared/i18n/texts.ts'
import type { nextStepTexts } from './next-step.texts.ts'

export const nextStepIndonesian: Translation<typeof nextStepTexts> = {
  label: 'Langkah berikutnya',
  payFee: 'Bayar biaya klaim Anda pada {plan}: {amount} USDT di BSC (BEP20).',
  payFees: '{count} biaya klaim menunggu. Yang terlama: {plan}, {amount} USDT di BSC (BEP20).',
  toFees: 'Ke biaya',
  claimSoon: 'Lakukan klaim pada {plan} dalam {cycles} siklus, atau akan dibekukan.',
  claimNow: '{plan} dibekukan sampai Anda melakukan klaim.',
  toClaim: 'Ke klaim',
  join: 'Anda belum mengikuti paket. Ikuti satu paket untuk memperoleh imbalan setiap hari.',
  toJoin: 'Lihat paket',
}
