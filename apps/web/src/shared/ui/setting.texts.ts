import { defineTexts } from '../i18n/texts.ts'

export const settingTexts = defineTexts('settings', {
  price: 'Price of DCT',
  energy_fee: 'Energy fee',
  direct_rate: 'Fee referral (direct)',
  ofFee: '{percentage}% of the fee',
  non_direct_opens: 'Fee earnings can be claimed from',
  trx_price: 'Our cost of one TRX',
  referral_percentage: 'Reward percentage',
  referral_claim: 'Referral payout',
})
