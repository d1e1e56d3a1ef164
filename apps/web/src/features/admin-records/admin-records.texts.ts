import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const RECORD_WORDING = defineWording('adminRecordsWording', {
  transactions: 'Transaction History',
  noTransactions: 'No transaction found.',
  rewards: 'Reward Distribution History',
  claims: 'Reward Claim History',
  noHistory: 'No history found.',
  allPlans: 'All Plan',
  listFailed: 'An error occurs when loading data.',
  historyFailed: 'There was a mistake when taking a history.',
  active: 'Active',
  inactive: 'Inactive',
  yes: 'Yes',
  no: 'No',
})

/** Column headings that the specification fixes, in English. */
export const RECORD_COLUMNS = defineWording('adminRecordsColumns', {
  date: 'Date',
  tronAddress: 'Tron Address',
  planCode: 'Plan Code',
  amount: 'Amount',
  claimType: 'Claim Type',
  paid: 'Paid',
  unpaidFeeUsdt: 'Unpaid Fee (USDT)',
  txHashUsdt: 'Tx Hash (USDT)',
  txHashReward: 'Tx Hash (Reward)',
  locked: 'Locked',
  status: 'Status',
  earningCode: 'Earning Code',
  txHash: 'Tx Hash',
})

export const recordTexts = defineTexts('adminRecords', {
  search: 'Address, hash or plan',
  planFilter: 'Plan',
  notPaid: 'Not paid yet',
  cancelled: 'Cancelled: claimable again',
  lapsed: '{amount} DCT lapsed',
})
