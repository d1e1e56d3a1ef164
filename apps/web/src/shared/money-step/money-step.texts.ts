import { defineTexts } from '../i18n/texts.ts'

export const stepTexts = defineTexts('moneyStep', {
  waiting:
    'Since {time} another page has been waiting for a wallet. Answer that wallet, or cancel on that page.',
  asked: 'On {time} a wallet was asked to send, and we do not know its answer. It may have sent.',
  sent: 'On {time} the wallet reported this transaction:',
  checking: 'This transaction is being checked:',
  arrived: 'This payment has arrived already:',
  checkFirst:
    'Look into the history of your wallet before you go on. If it has sent already, asking again pays twice.',
  notNow: 'Nothing was asked of your wallet. Please wait until this is over.',
  leave: 'Do not ask again',
  understood: 'Understood',
})
