import { defineTexts } from '../../shared/i18n/texts.ts'

export const proposalTexts = defineTexts('adminProposals', {
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
  withdraw: 'Withdraw',
  decline: 'Decline',
  declineTitle: 'Decline proposal',
  declineReason: 'Reason, for the admin log',
  declineHint: 'Nothing changes, and the first admin can propose it again.',
  declineClaimHint:
    'The first approval is taken back. The claim itself stays open: it can be approved again, or declined in the claim pool.',
  actFailed: 'Nothing was changed. Please try again.',
})
