import { defineTexts, defineWording, type Translate } from '../i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const TX_WORDING = defineWording('txWording', {
  waiting: 'Waiting for the transaction...',
  timeout: 'Transaction timeout. Please try again.',
  timeoutLine: 'Transaction TIMEOUT!',
})

export const txTexts = defineTexts('tx', {
  remaining: 'Remaining time: {seconds} seconds',
  confirmInWallet: 'Please confirm in {wallet}.',
  noPrompt: 'If no request appears, open {wallet} yourself, or cancel here and try again.',
  cancel: 'Cancel',
  log: 'Transaction log',
  steps: 'Steps',
  stepWaiting: 'to do',
  stepActive: 'in progress',
  stepDone: 'done',
  stepSkipped: 'not needed',
  stepFailed: 'failed',
  stillChecking:
    'This is taking longer than usual. Your tokens are not lost: we keep checking the blockchain until the result is known. You can close this window.',
  stillSigning:
    'Your wallet has not responded yet. This request was not sent. You can still confirm in the wallet, or cancel here.',
  status: 'Status of the service',
  stillWorking: 'The service has not responded yet. You can close this window.',
  close: 'Close',
  transaction: 'Transaction:',
  noTrx:
    'This transaction needs up to {needed} TRX for energy and bandwidth, but the wallet holds only {balance} TRX. It was not sent.',
  inactive:
    'This wallet has not been activated on Tron yet. Send it some TRX first: the first transfer activates the wallet and costs the sender an extra {fee} TRX.',
  logCost: 'The network’s fee is about {trx} TRX, for {energy} energy and {bandwidth} bandwidth.',
  stepReset: 'Set the earlier approval to zero',
  logReset:
    'This token changes an approval only from zero. Your wallet first asks you to set the earlier one to zero.',
  answeredNo: 'The token does not accept this. It was not sent.',
  logConfirm: 'Confirm in your wallet.',
  logSent: 'Sent: {hash}',
  logIncluded: 'The transaction has been included in a block.',
  reverted: 'The transaction failed on the blockchain: {reason}',
  unseen:
    'The blockchain has not shown this transaction yet. It may still have gone through: check it before you try again.',
})

export type TxTranslate = Translate<(typeof txTexts)['english']>
