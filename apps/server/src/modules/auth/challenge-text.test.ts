import { expect, test } from 'vitest'
import { createWallet } from '../../testing/wallet.ts'
import { type ChallengeFacts, challengeText } from './challenge-text.ts'

const site = { brand: 'DCT Earning', origin: 'https://earn.example.org', tronChainId: 728_126_428 }
const wallet = createWallet(`0x${'11'.repeat(32)}`)
const facts: ChallengeFacts = {
  purpose: 'login',
  address: wallet.address,
  payload: {},
  nonce: '00112233445566778899aabbccddeeff',
  issuedAt: new Date('2026-01-31T10:00:00.000Z'),
  expiresAt: new Date('2026-01-31T10:05:00.000Z'),
}

test('[T007] the text names site, account, purpose, chain, nonce and times', () => {
  expect(challengeText(site, facts)).toBe(
    [
      'earn.example.org wants you to sign in with your Tron account:',
      wallet.tronAddress,
      '',
      'Log in to DCT Earning. This does not move any funds.',
      '',
      'URI: https://earn.example.org',
      'Version: 1',
      'Chain ID: 0x2b6653dc',
      'Nonce: 00112233445566778899aabbccddeeff',
      'Issued At: 2026-01-31T10:00:00.000Z',
      'Expiration Time: 2026-01-31T10:05:00.000Z',
      'Request ID: login',
    ].join('\n'),
  )
})

test('[T015] the text of a registration names e-mail, referral code and terms version', () => {
  const payload = { email: 'a@example.org', referrer_code: 'ABCD2345', terms_version: '2025-04' }
  const text = challengeText(site, { ...facts, purpose: 'register', payload })
  expect(text).toContain('with the e-mail a@example.org, with the referral code ABCD2345,')
  expect(text).toContain('accept the terms and conditions (version 2025-04)')
  const alone = { ...payload, referrer_code: '' }
  expect(challengeText(site, { ...facts, purpose: 'register', payload: alone })).toContain(
    'without a referral code',
  )
})

test('the text of a referral claim names amounts, kind, destination and vault', () => {
  const payload = {
    amount_usdt: '12.500000',
    total_usdt: '20.000000',
    kind: 'direct',
    usdt_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    vault: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    bsc_chain_id: '56',
  }
  expect(challengeText(site, { ...facts, purpose: 'referral_claim', payload })).toContain(
    '\n\nClaim 12.500000 USDT of my referral reward (direct), 20.000000 USDT with all earlier claims, ' +
      'to the BSC (BEP20) address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, ' +
      'from the vault 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 on chain 56.\n\n',
  )
})
