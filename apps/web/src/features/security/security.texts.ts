import { defineTexts } from '../../shared/i18n/texts.ts'

export const securityTexts = defineTexts('security', {
  title: 'Security',
  lead: 'How to tell the real service from an imitation, what you can verify yourself, and how to report a problem.',
  genuine: 'Is this the real service?',
  genuineAddress: 'The only address of this service',
  genuineHint:
    'Compare it with the address bar of your browser, letter by letter, before you connect a wallet. Open the service by a bookmark rather than by a link in a message.',
  never: 'What we never do',
  neverSeed:
    'We never ask for your recovery phrase or your private key. Whoever asks for them wants to steal your tokens.',
  neverContact:
    'We never write to you first in a chat to help with your wallet, and we never call you.',
  neverUnlock:
    'We never ask for a payment to “unlock”, “verify” or “upgrade” an account or a wallet.',
  neverAddress:
    'We never announce a new payment address by message. A claim fee goes only to the address below and only in the exact amount shown on your dashboard.',
  sign: 'Before you sign',
  signLogin:
    'To register or log in, your wallet signs a text that begins with the address of this service and says that no funds are moved. It is not a transaction and costs nothing.',
  signApproval:
    'To join a plan, your wallet approves the exact amount of the stake for the staking contract below, and then locks it. If a wallet shows an unlimited amount or another contract, refuse.',
  signFee:
    'To pay a claim fee, your wallet sends USDT to the fee address below. Check the first and last characters of the address.',
  verify: 'What you can verify yourself',
  verifyHint:
    'The contracts are public. Locked tokens can return only to the wallet that locked them, and neither we nor anyone with our keys can send them elsewhere.',
  verifyReserves: 'Obligations and reserves, with the contract call behind every figure',
  verifyStatus: 'Status of the service',
  token: 'Token {symbol} (Tron)',
  staking: 'Staking contract (Tron)',
  pool: 'Reward contract (Tron)',
  usdt: 'USDT (BSC)',
  fee: 'Address for claim fees (BSC)',
  payout: 'Vault that pays referral rewards (BSC)',
  report: 'Report a problem',
  reportHint:
    'Write to us if you find a security problem, or a page or person that imitates this service. Describe what you saw and how to repeat it. Never include a recovery phrase or a private key.',
  copyEmail: 'Copy the e-mail address',
  reportFair:
    'Please give us time to fix a problem before you publish it, and try it only with your own account and tokens. We do not take action against anyone who reports in good faith.',
  reportFile: 'The same for security researchers (security.txt)',
  lost: 'If you have signed something wrong',
  lostText:
    'Move what is left to a new wallet at once, and revoke approvals in your wallet. Locked tokens stay locked until their day of return; they go back to the wallet that locked them, so keep access to it and write to us.',
})
