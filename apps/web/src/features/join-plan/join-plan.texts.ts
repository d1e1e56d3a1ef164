import { PLANS_ERRORS } from '@dct/api-contract/errors/plans'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const JOIN_WORDING = defineWording('joinWording', {
  join: 'Join',
  joined: 'Have joined',
  incomplete: 'Please select an earning plan and enter the amount of token!',
  noWallet: "Tronlink hasn't been connected yet!Please connect the wallet first.",
  invalidPlan: 'Plan data is invalid. Please refresh and try again.',
  noDuration: 'The duration of the earning plan was not found!',
  quotaFailed: 'There was an error when checking the quota. Try again later!',
  joinFailed: 'An error occurs when joining the plan.',
  plansFailed: 'An error occurs when loading data.',
})

/** What the service would answer; shown before asking it. */
export const JOIN_REFUSALS = defineRefusals(PLANS_ERRORS, {
  followed: 'ALREADY_FOLLOWING',
  notPositive: 'AMOUNT_NOT_POSITIVE',
  outOfRange: 'AMOUNT_OUT_OF_RANGE',
  dailyGone: 'DAILY_QUOTA_EXHAUSTED',
  annualGone: 'ANNUAL_QUOTA_EXHAUSTED',
})

export const joinTexts = defineTexts('join', {
  plan: 'Earning plan',
  choosePlan: 'Choose a plan',
  noPlans: 'No plan can be joined at the moment.',
  plansFailed: 'The plans could not be loaded.',
  amount: 'Token amount (DCT)',
  amountHint: '{minimum} to {maximum} DCT',
  amountHintBalance: '{minimum} to {maximum} DCT; you hold {balance}',
  dailyQuota: 'Remaining daily quota',
  annualQuota: 'Remaining annual quota',
  roomDaily: 'Today, {amount} DCT can still be locked.',
  roomAnnual: '{amount} DCT can still be locked.',
  otherWallet:
    'Your wallet is set to {wallet}, but you are logged in as {user}. Switch the account in the wallet first.',
  decimals: 'Enter at most {decimals} decimal places.',
  reviewTitle: 'Review: join {plan}',
  reviewLock: 'You lock',
  reviewFinal: 'Nobody, including us, can release your tokens before {day}.',
  reviewBack: 'Back',
  reviewConfirm: 'Lock {amount} DCT',
  stepQuota: 'Check and reserve the quota',
  stepApprove: 'Approve exactly this amount',
  stepLock: 'Lock the tokens',
  stepRecord: 'Record the join',
  logQuota: 'Checking the quota.',
  logReserved: 'The quota is reserved until {time}.',
  logApproved: 'The contract is already allowed to take {amount} DCT, so no approval is needed.',
  logResumed: 'Resuming after the reload: {hash}',
  logPickedUp: 'Sent from another device or window: {hash}',
  logFinality:
    'The service has recorded the join and is waiting until it is final on the blockchain.',
  joinedPlan: 'You joined {plan}: {amount} DCT are locked.',
  inProgress: 'Your request to join {plan} with {amount} DCT was sent and is still being checked.',
  inProgressLate:
    'Your request to join {plan} with {amount} DCT was sent more than {seconds} seconds ago and is still being checked. Your tokens are not lost: we keep checking the blockchain until the result is known.',
  joinAgain: 'I have checked that nothing was sent: lock {amount} DCT',
  lastProblem: 'The last attempt failed: {problem}',
  chip: 'Enter {amount} DCT',
  calcKeep: 'You keep, at today’s price',
  calcLocked: 'Locked until',
  calcEvery: 'Claim every',
  calcEveryDays: '{days, plural, one {# day} other {# days}}',
  calcClaims: 'Claims until the end, at least',
  reviewEarn: 'You earn',
  reviewReturned: 'Returned on ({days} days)',
  reviewClaim: 'Claim at least every {days} days: after {grace} more, rewards are lost.',
  calcTitle: 'Costs and risks in detail',
  calcEnter: 'Choose a plan and enter an amount to see your estimate.',
  calcDaily: 'Reward per cycle (day)',
  calcReward: 'Reward ({cycles} cycles)',
  calcFees: 'Fees, at most',
  calcFee: 'Fee for one claim of {cycles} cycles ({claimed} DCT), at most',
  calcFeeWhy:
    '{percentage}% of the claim at today’s price of {price} USDT, plus {energy} USDT for energy',
  calcNet: 'Kept, at today’s price',
  calcValue: 'from rewards worth {value} USDT',
  calcNoPrice:
    'No current price is available, so fees in USDT cannot be calculated. They are {percentage}% of each claim.',
  calcBreakEven:
    'Below a price of about {price} USDT per DCT, claiming costs more than the reward is worth.',
  calcFreeze:
    'After {cycles} cycles without a claim the earning freezes. {grace} more cycles are credited; then each day’s {daily} DCT are lost until you claim.',
  calcFirst: 'First claim, without a loss',
  calcFirstDays: '{from} to {until}',
  calcShort:
    'The minimum claim of {minimum} DCT is reached on {from}, {days, plural, one {# day} other {# days}} before the earning freezes. A larger amount gives you more time.',
  calcGrace:
    'The minimum claim of {minimum} DCT is reached on {from}, when the earning freezes. Claim within the {days, plural, one {# day} other {# days}} from then on. A larger amount gives you more time.',
  calcMethods: 'One claim of {claimed} DCT, as FULL or as HALF',
  calcAtOnce: 'Sent immediately',
  calcAfterFee: 'Sent after the fee is paid',
  calcFeeShort: 'Maximum fee',
  calcNever: 'If you never claimed, {credited} DCT would be credited and {lost} DCT would be lost.',
  calcRisksText:
    'The price of DCT can fall; fees are paid in USDT on BSC (BEP20) from your own wallet. Smart contracts can contain errors.',
  calcLoss: 'At today’s price, the fees cost more than the rewards are worth.',
})
