import { PLANS_ERRORS } from '@dct/api-contract/errors/plans'
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

/** What the service would answer; shown before asking it, and like its answers in English. */
export const JOIN_REFUSALS = {
  followed: PLANS_ERRORS.ALREADY_FOLLOWING.message,
  notPositive: PLANS_ERRORS.AMOUNT_NOT_POSITIVE.message,
  outOfRange: PLANS_ERRORS.AMOUNT_OUT_OF_RANGE.message,
  dailyGone: PLANS_ERRORS.DAILY_QUOTA_EXHAUSTED.message,
  annualGone: PLANS_ERRORS.ANNUAL_QUOTA_EXHAUSTED.message,
} as const

export const joinTexts = defineTexts('join', {
  plan: 'Earning plan',
  choosePlan: 'Choose a plan',
  noPlans: 'No plan can be joined at the moment.',
  plansFailed: 'The plans could not be loaded.',
  amount: 'Token amount (DCT)',
  amountHint: '{minimum} to {maximum} DCT',
  amountHintBalance: '{minimum} to {maximum} DCT; your wallet holds {balance} DCT',
  dailyQuota: 'Remaining daily quota',
  annualQuota: 'Remaining annual quota',
  quotaHint: 'Quotas count rewards: your stake uses as much as its whole reward.',
  otherWallet:
    'Your wallet is set to {wallet}, but you are logged in as {user}. Switch the account in the wallet first.',
  decimals: 'At most {decimals} decimals are possible.',
  stepQuota: 'Check and reserve the quota',
  stepApprove: 'Approve exactly this amount',
  stepLock: 'Lock the tokens',
  stepRecord: 'Record the join',
  logQuota: 'Checking the quota.',
  logReserved: 'The quota is reserved until {time}.',
  logApproved: 'The contract is already allowed to take {amount} DCT: no approval is needed.',
  logResumed: 'Resuming after the reload: {hash}',
  logPickedUp: 'Sent from another device or window: {hash}',
  logFinality: 'The service has recorded it and waits until the chain is final.',
  joinedPlan: 'You joined {plan}: {amount} DCT are locked.',
  inProgress: 'Joining {plan} with {amount} DCT was sent and is still being checked.',
  inProgressLate:
    'Joining {plan} with {amount} DCT was sent more than {seconds} seconds ago and is still being checked. Nothing is lost: the chain decides.',
  lastProblem: 'The last attempt failed: {problem}',
  calcTitle: 'What this brings and costs',
  calcEnter: 'Choose a plan and enter an amount to see it.',
  calcDaily: 'Reward per cycle (day)',
  calcReward: 'Whole reward ({cycles} cycles)',
  calcCapital: 'Your {amount} DCT return on',
  calcFees: 'Fees of all {claims} claims, at most',
  calcFee: 'Fee of one claim of {claimed} DCT, at most',
  calcFeeWhy: '40 % of the claim at today’s price of {price} USDT, and {energy} USDT for energy',
  calcNet: 'Left after all fees, at today’s price',
  calcValue: 'of {value} USDT in rewards',
  calcNoPrice:
    'There is no current price, so fees in USDT cannot be calculated now. They are 40 % of each claim.',
  calcBreakEven:
    'Below a price of about {price} USDT for one DCT, claiming costs more than it brings.',
  calcFreeze:
    'Claim at least every {cycles} cycles. After that the earning freezes: {grace} more cycles are credited, then each further one ({daily} DCT) is lost until you claim.',
  calcRisks: 'What can go wrong',
  calcMethods:
    'One claim of {claimed} DCT. FULL: pay the fee first, then receive all. HALF: receive one half at once, the rest after the same fee.',
  calcAtOnce: 'Sent at once',
  calcAfterFee: 'Sent after the fee',
  calcFeeShort: 'Fee, at most',
  calcNetDct: 'The same in DCT',
  calcNever: 'Without any claim {credited} DCT would be credited and {lost} DCT lost.',
  calcRisksText:
    'The tokens are locked until the end: nobody, not even we, can release them earlier. The price of DCT can fall; rewards and capital are paid in DCT, while fees are paid in USDT on BSC (BEP20) from a wallet of yours. The rules are enforced by contracts, and contracts can have mistakes.',
  calcLoss: 'At today’s price the fees cost more than the rewards bring.',
})
