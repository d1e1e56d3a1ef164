import { expect, onTestFinished, test } from 'vitest'
import { defineRefusals, refusalText } from './refusals.ts'
import { i18n } from './texts.ts'

function speakIndonesian(messages: Record<string, string[]>) {
  onTestFinished(() => i18n.activate('en'))
  i18n.loadAndActivate({ locale: 'id', messages })
}

test('a refusal is the service’s own sentence in English, and translated by its code in other languages', () => {
  expect(refusalText('FULL', 'The plan is full.')).toBe('The plan is full.')
  speakIndonesian({ 'errors.FULL': ['Paket sudah penuh.'] })
  expect(refusalText('FULL', 'The plan is full.')).toBe('Paket sudah penuh.')
  expect(refusalText('UNHEARD_OF', 'Something else.')).toBe('Something else.')
})

test('a translated refusal names the values that the service sent with it', () => {
  const messages = { 'errors.FULL': [['quota'], ' DCT tersisa.'] }
  speakIndonesian(messages as unknown as Record<string, string[]>)
  expect(refusalText('FULL', '3 DCT are left.', { quota: '3' })).toBe('3 DCT tersisa.')
})

test('a business day among the values is put in words of the language', () => {
  const messages = { 'errors.CLOSED': ['Tersedia mulai ', ['day'], '.'] }
  speakIndonesian(messages as unknown as Record<string, string[]>)
  expect(refusalText('CLOSED', 'It opens on April 5, 2025.', { day: '2025-04-05' })).toBe(
    'Tersedia mulai 5 April 2025.',
  )
})

test('a translated refusal names the support address that the service sent with it', () => {
  const messages = {
    'errors.LATE': ['Terlambat.'],
    'refusals.askSupport': [['sentence'], ' Hubungi ', ['email']],
  }
  speakIndonesian(messages as unknown as Record<string, string[]>)
  const english = 'Too late. Please contact support: help@dct.example'
  expect(refusalText('LATE', english, { support_email: 'help@dct.example' })).toBe(
    'Terlambat. Hubungi help@dct.example',
  )
})

test('refusals defined by a page are shown in the current language', () => {
  const refusals = defineRefusals({ FULL: { message: 'The plan is full.' } }, { isFull: 'FULL' })
  expect(refusals.isFull).toBe('The plan is full.')
  speakIndonesian({ 'errors.FULL': ['Paket sudah penuh.'] })
  expect(refusals.isFull).toBe('Paket sudah penuh.')
})
