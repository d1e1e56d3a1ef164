import { defineTexts } from '../../shared/i18n/texts.ts'

export const approvalTexts = defineTexts('adminApprovals', {
  hint: 'Where there are several admins, large payouts and high percentages require two of them. The second one decides here.',
  failed: 'The pending approvals could not be loaded.',
  claims: 'Referral payouts',
  noClaims: 'No payouts are waiting for a second admin.',
  percentages: 'Percentages',
  noPercentages: 'No percentages are waiting for a second admin.',
  holder: 'Holder',
  amount: 'Amount',
  kind: 'Type',
  receiver: 'USDT address',
  first: 'First admin',
  since: 'Since',
  user: 'User',
  change: 'Change',
  until: 'Until',
  decide: 'Decision',
  approve: 'Approve as second admin',
  confirm: 'Set as second admin',
  mine: 'Another admin must decide',
  actFailed: 'Nothing was changed. Please try again.',
})
