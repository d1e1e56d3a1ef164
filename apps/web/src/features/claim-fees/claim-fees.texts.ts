import { CLAIMS_ERRORS } from '@dct/api-contract/errors/claims'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const FEE_WORDING = defineWording('feesWording', {
  payNow: 'Pay Now',
  howToPay: 'How to Pay',
  network: 'BSC (BEP20)',
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
  lead: 'Pay the exact amount in USDT on BSC (BEP20). Your payment is detected automatically and the reward is sent within 24 hours.',
  askBsc: 'What is BSC (BEP20)?',
  askExact: 'I sent another amount',
  askWaiting: 'When is my reward sent?',
  askUnpaid: 'What if I do not pay?',
  search: 'Search by plan code',
  nothingOpen: 'Nothing to pay.',
  nothingPaid: 'No fee has been paid yet.',
  listFailed: 'The fees could not be loaded.',
  wrongAmount:
    'Received {received} USDT, expected exactly {expected} USDT. Please do not pay again: an admin assigns this payment to your claim or sends it back. Questions: {email}',
  secondPayment:
    'Another {received} USDT arrived for this fee, which was paid already. It is not spent: an admin sends it back to the wallet it came from. Questions: {email}',
  openFees: 'To pay',
  paidFees: 'Paid',
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
  payFor: '{plan}, {type}, claim {code}',
  exactAmount: 'Exact amount',
  exactAmountHint:
    'Down to the last digit: the amount identifies your fee. Too much or too little does not settle it.',
  plainAmount:
    'Type it as it is shown here, with a point before the decimals: wallets expect that, whatever the language.',
  whyAmount: 'Why this amount?',
  whyAmountText:
    'This claim covers cycles {first} to {last}: {claimed} DCT. The fee is {percentage}% of it: {feeDct} DCT, or {fee} USDT at a price of {price} USDT, plus an energy fee of {energy} USDT. The total is rounded up to the next cent; the final digits identify this fee.',
  payBefore:
    'Pay before {day}: from that day on, each cycle’s reward is lost until you pay and claim again. After {until} the fee is no longer accepted, and what waits for it is lost.',
  payUntil:
    'Pay by {until}. After that the fee is no longer accepted, and what waits for it is lost.',
  copyAmount: 'Copy the amount',
  network: 'Network',
  receivingAddress: 'Receiving address on BSC (BEP20)',
  copyAddress: 'Copy the receiving address',
  fromWallet:
    'Send from a wallet, not from an exchange: exchanges deduct a fee, so the amount that arrives is not exact.',
  foundByItself:
    'The payment is detected automatically once it is final on BSC (BEP20), usually within minutes. There is nothing else to do. Submitting its hash is optional and speeds this up.',
  hash: 'BSC transaction hash',
  hashHint: '0x followed by 64 digits, as your wallet shows it after sending.',
  submit: 'Submit payment hash',
  checking: 'This payment is being checked:',
  stepSubmit: 'Submit the payment hash',
  showQr: 'Show the address as a QR code',
  qrLabel: 'QR code of {address}',
  qrHint:
    'The code contains only the address. Enter the exact amount yourself and choose BSC (BEP20).',
  payFromWallet: 'Pay from a wallet in this browser',
  payWith: 'Pay {amount} USDT with {wallet}',
  payWithHint:
    'Your wallet switches to BSC (BEP20) and shows the exact transfer before anything is sent.',
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
