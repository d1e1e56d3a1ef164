import { defineTexts, type Translate } from '../i18n/texts.ts'

export const txTexts = defineTexts('tx', {
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
  noTrx: 'This needs about {needed} TRX for energy, and the wallet holds {balance} TRX.',
  logCost: 'About {energy} energy: {trx} TRX.',
  logConfirm: 'Confirm in your wallet.',
  logSent: 'Sent: {hash}',
  logIncluded: 'The chain has included it.',
  reverted: 'The transaction failed on the chain: {reason}',
  expired: 'The chain never included the transaction, and its time is over. Nothing was moved.',
})

export type TxTranslate = Translate<(typeof txTexts)['english']>
