import { REFERRALS_ERRORS } from '@dct/api-contract/errors/referrals'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const POOL_WORDING = defineWording('adminPoolWording', {
  title: 'Referral Claim Pool',
  warning:
    "Important: Ensure the admin's USDT balance is sufficient before approval (for transfer during referral reward claim).",
  searchPlaceholder: 'Search by Tron Address, Tx Hash',
  feeReferral: 'Fee Referral',
  feeEarning: 'Fee Earning',
  approve: 'Approve',
  approved: 'Approved',
  empty: 'No data found.',
  confirmTitle: 'Confirm Approval',
  confirmQuestion: 'Are you sure you want to approve this claim?',
  cancel: 'Cancel',
  confirm: 'Confirm',
})

/** What the service would answer; shown before asking it. */
export const POOL_REFUSALS = defineRefusals(REFERRALS_ERRORS, {
  claimNotFound: 'REFERRAL_CLAIM_NOT_FOUND',
  balanceTooLow: 'ADMIN_BALANCE_TOO_LOW',
})

/** Column headings that the specification fixes, in English. */
export const POOL_COLUMNS = defineWording('adminPoolColumns', {
  createdAt: 'Created At',
  tronAddress: 'Tron Address',
  email: 'Email',
  totalAccumulated: 'Total Accumulated',
  claimDate: 'Claim Date',
  usdtAddress: 'USDT Address',
  txHashUsdt: 'Tx Hash (USDT)',
  approveAt: 'Approve At',
  approve: 'Approve',
})

export const poolTexts = defineTexts('adminPool', {
  balance: 'Admin USDT balance',
  balanceHint: '{onChain} USDT on chain, {unpaid} USDT approved and not paid yet',
  balanceUnknown: 'The balance could not be read. Nothing can be approved until it can.',
  address: 'Admin address',
  copyAddress: 'Copy the admin address',
  wallet: 'Vault on {network}',
  toApprove: '{count, plural, one {# claim to approve} other {# claims to approve}}',
  notProcessed: 'Not processed yet',
  notSent: 'Being sent',
  declined: 'Declined',
  returned: 'Returned',
  firstApproval: 'Approved by one of two admins: {address}',
  approvalFailed: 'The approval could not be sent. Please try again.',
  amount: 'Amount',
  claimant: 'Claimed by',
  receiver: 'Recipient address (BSC, BEP20)',
  noEmail: 'N/A',
  decline: 'Decline',
  return: 'Return amount',
  declineTitle: 'Decline claim',
  declineLead: 'The claim ends without payment, and its amount can be claimed again.',
  returnTitle: 'Return amount',
  returnLead:
    'The payout ends without payment, and its amount can be claimed again. Do this only if you are certain that nothing was paid.',
  reason: 'Reason, visible to the claimant',
  endFailed: 'The claim could not be ended. Please try again.',
  failed: 'Payout failed',
})
