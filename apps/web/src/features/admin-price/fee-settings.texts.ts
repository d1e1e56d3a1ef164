import { defineTexts } from '../../shared/i18n/texts.ts'

export const feeSettingTexts = defineTexts('feeSettings', {
  title: 'Fee settings',
  hint: 'A change applies to what happens from then on; open fees do not change. With two admins, both must send the same value.',
  loadFailed: 'The fee settings could not be loaded.',
  claimFee: 'Fee of a claim',
  ofClaim: '{percentage}% of the claimed amount',
  maximumReferral: 'Highest referral percentage',
  grace: 'Grace after the freeze',
  cycles: '{count, plural, one {# cycle} other {# cycles}}',
  stepUp: 'Fresh signature of admins',
  on: 'On',
  off: 'Off',
  change: 'Change a value',
  which: 'Value',
  newValue: 'New value ({unit})',
  newDay: 'New day',
  cancel: 'Cancel',
  confirm: 'Confirm',
  failed: 'The value could not be set. Please try again.',
})
