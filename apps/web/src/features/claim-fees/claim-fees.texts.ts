import { CLAIMS_ERRORS } from '@dct/api-contract/errors/claims'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const FEE_WORDING = defineWording('feesWording', {
  payNow: 'Pay Now',
  howToPay: 'How to Pay',
  addressCopied: 'Admin address copied!',
  paid: 'Fee successfully paid and recorded!',
  payFailed: 'There was an error when paying a fee. Try again.',
  listFailed: 'An error occurs when taking the data pending claim fees.',
  done: 'Done',
  waiting: 'Waiting',
})

/** What the service would answer; shown before asking it. */
export const FEE_REFUSALS = defineRefusals(CLAIMS_ERRORS, {
  hashMissing: 'PAYMENT_HASH_MISSING',
  hashInvalid: 'PAYMENT_HASH_INVALID',
})

export const feeTexts = defineTexts('fees', {
  title: 'Pending Claim Fees',
  search: 'Search by plan code',
  nothingOpen: 'nothing to pay.',
  nothingPaid: 'No fee has been paid yet.',
  noneFound: 'No open fee matches the search.',
  listFailed: 'The fees could not be loaded.',
  wrongAmount:
    '{received} USDT arrived instead of {expected} USDT. An admin assigns it or sends it back: you can wait for that. Or pay the exact amount now; then the other payment is sent back. Questions: {email}',
  secondPayment:
    'Another {received} USDT arrived for this paid fee. An admin sends it back to the wallet it came from. Questions: {email}',
  alsoArrived: 'Also arrived: {received} USDT.',
  paidFees: 'Paid fees',
  nonePaid: 'none yet.',
  planCode: 'Plan Code',
  type: 'Type',
  code: 'Code',
  totalClaim: 'Total claim',
  feeDct: 'Fee (DCT)',
  feeUsdt: 'Fee (USDT)',
  deadline: 'Deadline',
  usdtHash: 'Tx Hash (USDT)',
  rewardHash: 'Tx Hash (Reward)',
  status: 'Status',
  payTitle: 'Pay with USDT on BSC (BEP20)',
  exactAmount: 'Exact amount',
  plainAmount: 'With a point before the decimals, as wallets expect.',
  whyAmount: 'Why this amount?',
  whyAmountText:
    'Credited in cycles {first} to {last}: {claimed} DCT. {percentage}% of it is {feeDct} DCT, or {fee} USDT at {price} USDT. {energy} USDT for energy are added and the sum is rounded up to a cent; the final digits identify this fee. The last day to pay it is {day}.',
  payBefore: 'Pay by {day}, or later rewards are lost.',
  payUntil: 'Pay by {day}, or the waiting reward is lost.',
  copyAmount: 'Copy the amount',
  receivingAddress: 'Receiving address on BSC (BEP20)',
  copyAddress: 'Copy the receiving address',
  fromWallet: 'Only on BSC (BEP20), and never from an exchange.',
  hash: 'BSC transaction hash',
  submit: 'Submit payment hash',
  haveHash: 'I have the transaction hash',
  trackLabel: 'Your payment',
  trackWaiting: 'Waiting for your payment',
  trackSubmitted: 'Payment submitted',
  trackPaid: 'Paid',
  trackSeen: 'Seen on BSC',
  trackFinal: 'Final on BSC',
  trackSending: 'Sending {amount} DCT',
  trackSent: '{amount} DCT sent',
  stepSubmit: 'Submit the payment hash',
  showQr: 'QR code',
  qrLabel: 'QR code of {address}',
  qrHint:
    'The code contains only the address. Enter the exact amount yourself and choose BSC (BEP20).',
  payWith: 'Pay {amount} USDT with {wallet}',
  confirmPayment: 'Confirm in your wallet.',
  payAgain: 'I have checked that nothing was sent: pay {amount} USDT with {wallet}',
  payCancelled: 'You stopped waiting before the payment was requested. Nothing was sent.',
  alreadySent: 'A payment has already been sent. Submit its hash instead of paying twice.',
  paymentSent: 'Your wallet reports a payment of {amount} USDT on BSC (BEP20): {hash}',
  paidElsewhere: 'This fee is no longer open.',
  payNoAccount: 'The wallet did not provide an account. Unlock it and try again.',
  payOtherKind:
    'The wallet gave an address that is not one of BSC (BEP20). Choose such an account there and try again. Nothing was sent.',
  payOtherNetwork:
    'The wallet is not on BSC (BEP20). Switch its network and try again. Nothing was sent.',
  payTooLittle: 'The wallet does not hold enough USDT on BSC (BEP20). Nothing was sent.',
  payNoFee: 'The wallet does not hold enough BNB for the network fee. Nothing was sent.',
  payNotSent: 'The wallet could not send the payment. Nothing was sent.',
  payLeftOpen:
    'The wallet may still send the payment if it is confirmed there. Check its history before you pay again.',
  payRejected: 'You declined the payment in the wallet. Nothing was sent.',
  payPending:
    'Your wallet is already showing a request. Open it and respond to that request first.',
  payWalletFailed: 'The wallet could not send the payment. Check its history before you try again.',
  howTitle: 'How to pay on BSC (BEP20)',
  how1: 'Open a wallet that holds USDT on the BSC (BEP20) network and a little BNB for the network fee.',
  how2: 'Choose “Pay Now” on the claim and copy the receiving address.',
  how3: 'Send exactly the amount shown there, down to the last digit. Too much or too little does not settle the fee.',
  how4: 'Before sending, check that the network is BSC (BEP20) and the token is USDT. USDT sent on another network is lost.',
  how5: 'Copy the transaction hash (0x followed by 64 digits) and submit it, or just wait: the payment is detected automatically.',
  how6: 'Once the payment is final, the fee moves to “Paid” and your reward is sent within 24 hours.',
  gotIt: 'Understood',
  cancelClaim: 'Cancel this claim',
  cancelTitle: 'Cancel the claim {code}?',
  cancelText:
    'The amount becomes claimable again and the fee is closed. Do not cancel if you have already paid.',
  keepClaim: 'Keep it',
  cancelFailed: 'The claim could not be cancelled.',
})
