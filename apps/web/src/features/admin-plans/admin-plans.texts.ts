import { PLANS_ERRORS } from '@dct/api-contract/errors/plans'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const PLAN_WORDING = defineWording('adminPlansWording', {
  plans: 'Earning Plans',
  noPlans: 'No data plan is found.',
  listFailed: 'An error occurs when loading data.',
  edit: 'Edit',
  participants: 'See participants',
  dailyParticipants: 'See daily participants',
  noParticipants: 'No participants were found.',
  addFailed: 'An error occurs when adding a plan.',
  timeout: 'Transaction timeout. Please try again.',
  yes: 'Yes',
  no: 'No',
})

/** What the service would answer; shown before asking it. */
export const PLAN_REFUSALS = defineRefusals(PLANS_ERRORS, {
  incomplete: 'PLAN_NAME_REQUIRED',
})

/** Column headings that the specification fixes, in English. */
export const PLAN_COLUMNS = defineWording('adminPlansColumns', {
  action: 'Action',
  planCode: 'Plan Code',
  name: 'Name',
  duration: 'Duration',
  totalReward: 'Total Reward',
  totalPercentage: 'Total Percentage',
  maxTokenAllowed: 'Max Token Allowed',
  dailyLimit: 'Daily Limit',
  remainingDailyLimit: 'Remaining Daily Limit',
  remainingAnnualQuota: 'Remaining Annual Quota',
  activeAccumulation: 'Active accumulation',
  planActive: 'Plan Active',
  tronAddress: 'Tron Address',
  totalLocked: 'Total Locked',
  dailyReward: 'Daily Reward',
  startDate: 'Start Date',
  endDate: 'End Date',
})

export const planTexts = defineTexts('adminPlans', {
  search: 'Plan code or name',
  searchParticipants: 'Tron address',
  participantsOf: 'Participants of {plan}',
  dailyParticipantsOf: 'Participants of {plan} who joined today',
  days: '{count, plural, one {# day} other {# days}}',
  carriedOver: 'includes unused days',
  add: 'Add plan',
  addTitle: 'Add an earning plan',
  editTitle: 'Edit {plan}',
  save: 'Save',
  fundAndCreate: 'Fund and create',
  cancel: 'Cancel',
  planCode: 'Plan code',
  planCodeHint: 'Capital letters, digits and hyphens. It cannot be changed later.',
  name: 'Name',
  totalReward: 'Total reward (DCT)',
  totalRewardHint: 'Your wallet funds exactly this amount.',
  duration: 'Duration (days)',
  percentage: 'Total percentage (%)',
  percentageHint: 'Over the whole plan: 0.2% a day for 360 days is 72.',
  dailyLimit: 'Daily limit (DCT)',
  dailyLimitHint: 'Rewards that may be promised on one business day.',
  accumulation:
    'Active accumulation: the unused part of a daily limit carries over to the next days',
  active: 'Plan active: takes new joins',
  maxToken: 'Max token allowed',
  locked: 'Plan code, total reward, duration and percentage can no longer change.',
  notNumber: '{field}: please enter a plain number such as 12.5.',
  updateFailed: 'The plan could not be changed.',
  created: 'The plan {plan} was created.',
  opening: 'opening on chain',
  closing: 'closing on chain',
  stepCheck: 'Check the terms',
  stepApprove: 'Approve the token',
  stepFund: 'Fund the rewards',
  stepCreate: 'Create the plan',
  logCheck: 'Checking the terms with the service.',
  logOpening: 'Fixing the terms in the contract before they are funded.',
  logApproved: 'The contract is already allowed to take {amount} DCT.',
  logPolling: 'Asking the chain for the result: {attempt} of {attempts}.',
  logCreate: 'Creating the plan.',
  otherWallet: 'The wallet is {wallet}, but {user} is logged in. Switch the account in the wallet.',
  decimals: 'The token has {decimals} decimals; enter fewer.',
  fundAgain: 'I have checked that this plan was not funded: fund it',
  useFunding: 'This is the funding of this plan: create the plan with it',
  fundingWaits: 'A funding of {plan} was sent already. Finish or dismiss it first.',
  reviewTitle: 'Review: plan {plan}',
  reviewAccumulation: 'Active accumulation',
  reviewActive: 'Plan active',
  reviewFinal:
    'This cannot be undone: {amount} DCT move from your wallet into the reward pool. Plan code, total reward, duration and percentage cannot be changed afterwards.',
  reviewWallet:
    'Your wallet asks you to approve exactly this amount, unless that is already approved, and then to fund the plan.',
  reviewBack: 'Back',
  reviewConfirm: 'Fund {amount} DCT',
  unfinished: 'The rewards of {plan} were sent ({amount} DCT), and the plan is not created yet.',
  finish: 'Finish creating',
  dismiss: 'Dismiss',
})
