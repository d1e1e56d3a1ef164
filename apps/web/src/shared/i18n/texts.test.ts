import { expect, onTestFinished, test } from 'vitest'
import { WALLET_WORDING } from '../wallet/wallet.texts.ts'
import { i18n } from './texts.ts'

test('a wording is read in the current language', () => {
  onTestFinished(() => i18n.activate('en'))
  expect(WALLET_WORDING.connect).toBe('Connect the tronlink')
  i18n.loadAndActivate({ locale: 'id', messages: { 'walletWording.connect': ['Hubungkan'] } })
  expect(WALLET_WORDING.connect).toBe('Hubungkan')
})
