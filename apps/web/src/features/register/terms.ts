import {
  CANCEL_AFTER_HOURS,
  CLAIM_FEE_BPS,
  CLAIM_OPEN_DAYS_AFTER_END,
  FEE_OPEN_DAYS_AFTER_END,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
} from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'

/** One clause of the terms, in Indonesian and in English. */
export type Term = { heading: { id: string; en: string }; text: { id: string; en: string } }

/** The terms shown at registration. `supportEmail` comes from the installation's settings. */
export function termsOf(supportEmail: string): Term[] {
  const fee = formatPercentage(CLAIM_FEE_BPS)
  return [
    {
      heading: { id: 'Paket dan imbalan', en: 'Plans and rewards' },
      text: {
        id: 'Paket berjalan selama 360 siklus dengan imbalan 0,2% dari jumlah yang dikunci per siklus, atau 720 siklus dengan imbalan 0,3% dari jumlah yang dikunci per siklus. Satu siklus adalah satu hari kalender menurut waktu WIB (UTC+7).',
        en: 'Plans run 360 cycles at 0.2% of the locked amount per cycle, or 720 cycles at 0.3% of the locked amount per cycle. A cycle is one calendar day in Western Indonesia Time (UTC+7).',
      },
    },
    {
      heading: { id: 'Biaya klaim', en: 'Claim fee' },
      text: {
        id: `Biaya klaim adalah ${fee}% dari imbalan yang diklaim, dibayar dalam USDT di jaringan BSC (BEP20). Di luar itu ada biaya energi tersendiri.`,
        en: `The claim fee is ${fee}% of the claimed reward, payable in USDT on the BSC (BEP20) network. A separate energy fee applies in addition.`,
      },
    },
    {
      heading: { id: 'Batas waktu klaim', en: 'When to claim' },
      text: {
        id: `Klaim wajib dilakukan paling lambat setiap ${FREEZE_AFTER_CYCLES} siklus. Jika tidak, akun dibekukan dan siklus berikutnya dapat hangus sampai klaim dilakukan.`,
        en: `A claim must be made at least every ${FREEZE_AFTER_CYCLES} cycles, or the account is frozen and later cycles can lapse until a claim is made.`,
      },
    },
    {
      heading: { id: 'Cara klaim 1: FULL', en: 'Claim method 1: FULL' },
      text: {
        id: 'Biaya dibayar lebih dahulu, lalu 100% imbalan diterima.',
        en: 'The fee is paid first, then 100% of the reward is received.',
      },
    },
    {
      heading: { id: 'Cara klaim 2: HALF', en: 'Claim method 2: HALF' },
      text: {
        id: '50% imbalan diklaim tanpa membayar lebih dahulu, dan biaya dibayar untuk menerima 50% lainnya. Biaya tetap dihitung dari seluruh jumlah yang diklaim.',
        en: '50% of the reward is claimed free, and the fee is paid to receive the other 50%. The fee is still calculated on the whole claimed amount.',
      },
    },
    {
      heading: { id: 'Batas pool awal', en: 'Initial pool' },
      text: {
        id: 'Batas pool awal adalah 20.000 DCT.',
        en: 'The initial pool limit is 20,000 DCT.',
      },
    },
    {
      heading: { id: 'Pengembalian token', en: 'Return of your tokens' },
      text: {
        id: 'Token yang dikunci kembali secara otomatis setelah masa kunci berakhir, hanya ke dompet yang menguncinya. Tombol "Claim Capital" (Klaim Modal) memintanya lebih cepat.',
        en: 'Locked tokens return automatically after the lock period, only ever to the wallet that locked them. The button "Claim Capital" requests this sooner.',
      },
    },
    {
      heading: { id: 'Pengiriman imbalan', en: 'Sending of rewards' },
      text: {
        id: 'Imbalan dikirim dalam waktu 1x24 jam setelah biaya dibayar.',
        en: 'Rewards are sent within 1x24 hours after the fee is paid.',
      },
    },
    {
      heading: { id: 'Bantuan', en: 'Support' },
      text: {
        id: `Bantuan diberikan melalui e-mail: ${supportEmail}`,
        en: `Support is given by e-mail: ${supportEmail}`,
      },
    },
  ]
}

export const APPLIED_HEADING = {
  id: 'Bagaimana layanan ini menerapkan ketentuan ini',
  en: 'How this service applies these rules',
}

/**
 * How this service applies the terms above, with its actual numbers. This is part of the terms: whoever changes one of
 * these numbers or sentences must bump `TERMS_VERSION`.
 */
export function appliedTerms(): Term[] {
  const lostFrom = FREEZE_AFTER_CYCLES + FREEZE_GRACE_CYCLES + 1
  const fee = formatPercentage(CLAIM_FEE_BPS)
  return [
    {
      heading: { id: 'Masa tenggang', en: 'Grace period' },
      text: {
        id: `Earning dibekukan setelah ${FREEZE_AFTER_CYCLES} siklus tanpa klaim, atau setelah lebih banyak siklus bila klaim minimum belum tercapai sampai saat itu. Imbalan ${FREEZE_GRACE_CYCLES} siklus berikutnya masih dikreditkan. Hari ketika klaim tidak dapat dilakukan karena layanan ini tidak dihitung.`,
        en: `An earning is frozen after ${FREEZE_AFTER_CYCLES} cycles without a claim, or after more cycles if the minimum claim has not been reached by then. The rewards of the next ${FREEZE_GRACE_CYCLES} cycles are still credited. Days on which claims were impossible because of this service are not counted.`,
      },
    },
    {
      heading: { id: 'Imbalan yang hangus', en: 'Rewards that are lost' },
      text: {
        id: `Mulai siklus ke-${lostFrom} tanpa klaim, imbalan setiap siklus hangus sampai klaim dilakukan, dan tidak diganti. Imbalan yang telah dikreditkan tetap dapat diklaim.`,
        en: `From cycle ${lostFrom} without a claim, the reward of each cycle is lost until a claim is made, and is not replaced. Rewards that have been credited can still be claimed.`,
      },
    },
    {
      heading: { id: 'Setelah paket berakhir', en: 'After the plan has ended' },
      text: {
        id: `Klaim diterima sampai ${CLAIM_OPEN_DAYS_AFTER_END} hari setelah paket berakhir, dan biaya klaim sampai ${FEE_OPEN_DAYS_AFTER_END} hari setelah paket berakhir. Imbalan yang saat itu belum diklaim, atau yang biayanya belum dibayar, hangus. Token yang dikunci tidak terpengaruh.`,
        en: `Claims are accepted until ${CLAIM_OPEN_DAYS_AFTER_END} days after the plan has ended, and claim fees until ${FEE_OPEN_DAYS_AFTER_END} days after it has ended. Rewards that have not been claimed, or whose fee has not been paid, by then are lost. The locked tokens are not affected.`,
      },
    },
    {
      heading: { id: 'Biaya klaim HALF', en: 'The fee of a HALF claim' },
      text: {
        id: `Biaya klaim HALF adalah ${fee}% dari seluruh klaim, sama seperti FULL, dan bukan ${fee}% dari separuh yang dikirim setelah biaya dibayar. Klaim FULL yang belum dibayar dapat dibatalkan setelah ${CANCEL_AFTER_HOURS} jam, klaim HALF tidak.`,
        en: `The fee of a HALF claim is ${fee}% of the whole claim, as for FULL, and not ${fee}% of the half that is sent after it is paid. An unpaid FULL claim can be cancelled after ${CANCEL_AFTER_HOURS} hours, a HALF claim cannot.`,
      },
    },
  ]
}
