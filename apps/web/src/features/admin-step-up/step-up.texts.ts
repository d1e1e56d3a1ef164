import { defineTexts } from '../../shared/i18n/texts.ts'

export const stepUpTexts = defineTexts('adminStepUp', {
  title: 'Confirm with your wallet',
  why: 'What you are about to do moves money or sets what moves it. Your wallet signs a short message first; nothing is paid for it. It then holds for some minutes.',
  sign: 'Sign and go on',
  signing: 'Waiting for your wallet…',
  cancel: 'Cancel',
  otherAccount: 'The wallet is set to another account than the one that is logged in ({address}).',
  failed: 'The confirmation did not succeed. Please try again.',
})
