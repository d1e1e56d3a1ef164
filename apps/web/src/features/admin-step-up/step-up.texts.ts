import { defineTexts } from '../../shared/i18n/texts.ts'

export const stepUpTexts = defineTexts('adminStepUp', {
  title: 'Confirm with your wallet',
  why: 'This action moves money or changes how money moves. Your wallet first signs a short message, at no cost. The signature is valid for a few minutes.',
  sign: 'Sign and continue',
  signing: 'Waiting for your wallet…',
  cancel: 'Cancel',
  otherAccount: 'The wallet is set to another account than the one that is logged in ({address}).',
  failed: 'The confirmation did not succeed. Please try again.',
})
