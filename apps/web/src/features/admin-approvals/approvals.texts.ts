import { defineTexts } from '../../shared/i18n/texts.ts'

export const approvalTexts = defineTexts('adminApprovals', {
  hint: 'Where there are several admins, large payouts, high percentages, large steps of the price and fee settings require two of them. The second one decides here.',
  failed: 'The pending approvals could not be loaded.',
  title: 'Waiting for a second admin',
  nothing: 'Nothing is waiting for a second admin.',
  what: 'Subject',
  change: 'Change',
  first: 'First admin',
  since: 'Since',
  until: 'Until',
  decide: 'Decision',
  confirm: 'Confirm as second admin',
  mine: 'Another admin must decide',
  actFailed: 'Nothing was changed. Please try again.',
})
