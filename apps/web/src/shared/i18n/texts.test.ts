import { expect, onTestFinished, test } from 'vitest'
import { WALLET_WORDING } from '../wallet/wallet.texts.ts'
import { i18n, say } from './texts.ts'

test('a wording is shown in the current language', () => {
  onTestFinished(() => i18n.activate('en'))
  expect(WALLET_WORDING.connect).toBe('Connect the tronlink')
  i18n.loadAndActivate({ locale: 'id', messages: { 'walletWording.connect': ['Hubungkan'] } })
  expect(WALLET_WORDING.connect).toBe('Hubungkan')
})

test('only the decimals among the values of a sentence are formatted for its language', () => {
  onTestFinished(() => i18n.activate('en'))
  const values = { amount: '1234.500000', plan: 'PLAN-1.5', hash: '0x1.5', count: '12' }
  const message = [['amount'], ' ', ['plan'], ' ', ['hash'], ' ', ['count']] as never
  i18n.load('en', { sum: message })
  expect(say('sum', values)).toBe('1,234.500000 PLAN-1.5 0x1.5 12')
  i18n.loadAndActivate({ locale: 'id', messages: { sum: message } })
  expect(say('sum', values)).toBe('1.234,500000 PLAN-1.5 0x1.5 12')
})
