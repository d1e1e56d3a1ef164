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
  log: 'Transaction log',
  steps: 'Steps',
  stepWaiting: 'to do',
  stepActive: 'in progress',
  stepDone: 'done',
  stepSkipped: 'not needed',
  stepFailed: 'failed',
  stillChecking:
    'This takes longer than usual. Nothing is lost: the chain decides, and it is still being checked. You can close this.',
  stillSigning:
    'The wallet has not answered yet. Nothing was sent. You can still confirm there, or close this.',
  stillWorking: 'The service has not answered yet. You can close this.',
  close: 'Close',
  transaction: 'Transaction:',
  noTrx:
    'This needs up to {needed} TRX for energy and bandwidth, and the wallet holds {balance} TRX. Nothing was sent.',
  inactive:
    'This wallet is not active on Tron yet. Send TRX to it first: the first transfer to it activates it and costs the sender {fee} TRX on top.',
  logCost: 'About {energy} energy and {bandwidth} bandwidth: {trx} TRX.',
  logConfirm: 'Confirm in your wallet.',
  logSent: 'Sent: {hash}',
  logIncluded: 'The chain has included it.',
  reverted: 'The transaction failed on the chain: {reason}',
  expired: 'The chain never included the transaction, and it has expired. Nothing was moved.',
})

export type TxTranslate = Translate<(typeof txTexts)['english']>
