import { defineTexts } from '../../shared/i18n/texts.ts'

export const stepUpTexts = defineTexts('adminStepUp', {
  title: 'Confirm with your wallet',
  why: 'This action moves money or changes how money is moved. Your wallet first signs a short message, which is free. The signature is valid for a few minutes.',
  sign: 'Sign and continue',
  signing: 'Waiting for your wallet…',
  cancel: 'Cancel',
  otherAccount:
    'Your wallet is using a different account from the one that is logged in ({address}).',
  failed: 'The confirmation did not succeed. Please try again.',
})
