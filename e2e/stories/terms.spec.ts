import type { Page } from '@playwright/test'
import { FAILED_CALLS } from '../support/provoke.ts'
import { joined } from '../support/scenes.ts'
import { claimCard, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every holder of this product is asked for consent.
test.use({ productName: 'terms' })

const PRESENT = '2026-11-23'
const RULE = 'Bring your own umbrella.'
const ATURAN = 'Bawalah payung Anda sendiri.'
const consent = (page: Page) => page.getByRole('dialog', { name: 'The terms have changed' })

/** Adds a sentence to the end of a text. */
async function append(page: Page, field: string, sentence: string): Promise<void> {
  const box = page.getByRole('textbox', { name: field })
  await box.fill(`${await box.inputValue()}\n${sentence}\n`)
}

test('an admin publishes new terms, and a holder must accept them before the next claim, but not to see the pages', async ({
  visit,
  product,
  admin,
}) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(8)

  const office = (await visit({ as: admin, path: '/admin/control?tab=terms' })).page
  const editor = office.getByRole('region', { name: 'New version' })
  await expect(editor.getByText(`Nothing differs from version ${PRESENT}.`)).toBeVisible()
  const review = editor.getByRole('button', { name: 'Review and publish' })
  await expect(review).toBeDisabled()

  // Neither HTML nor a text without a required number can be published.
  await append(office, 'English text', '<b>bold</b>')
  await expect(editor.getByText('This cannot be part of the text: <b>')).toBeVisible()
  await expect(review).toBeDisabled()
  await editor.getByRole('button', { name: 'Discard the draft' }).click()
  const english = office.getByRole('textbox', { name: 'English text' })
  await english.fill((await english.inputValue()).replaceAll('{{freeze_grace_cycles}}', '3'))
  await expect(editor.getByText('{{freeze_grace_cycles}} is missing.')).toBeVisible()
  await editor.getByRole('button', { name: 'Discard the draft' }).click()

  await append(office, 'English text', RULE)
  await append(office, 'Indonesian text', ATURAN)
  const changes = office.getByRole('region', { name: `Changes against version ${PRESENT}` })
  await expect(changes.getByRole('insertion')).toHaveText([/payung/, /umbrella/])
  await editor.getByText('Preview', { exact: true }).click()
  await expect(editor.getByRole('listitem').filter({ hasText: RULE })).toBeVisible()
  await review.click()
  const dialog = office.getByRole('dialog', { name: 'Publish a new version' })
  await expect(dialog.getByRole('insertion')).toHaveText([/payung/, /umbrella/])
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(toast(office, 'The new version is published.')).toBeVisible()
  const newest = office.getByRole('row').nth(1)
  await expect(newest.getByText('In force', { exact: true })).toBeVisible()
  await office.goto('/admin/control?tab=log')
  await expect(office.getByRole('table').getByText('Terms published')).toBeVisible()

  const { page } = await visit({
    ...{ as: holder, path: '/dashboard?tab=claim' },
    tolerates: FAILED_CALLS,
  })
  await expect(claimCard(page, 'PLAN-720')).toContainText('1.2')
  await claimCard(page, 'PLAN-720').getByRole('button', { name: 'Claim Full' }).click()
  const confirm = page.getByRole('button', { name: 'Confirm' })
  await confirm.click()
  await expect(consent(page).getByText(RULE)).toBeVisible()
  const accept = consent(page).getByRole('button', { name: 'Accept and continue' })
  await expect(accept).toBeDisabled()
  await consent(page).getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText(/Please read and accept them to continue/).first()).toBeVisible()
  expect(await holder.pendingFees()).toEqual([])

  await confirm.click()
  await consent(page).getByRole('checkbox').check()
  await accept.click()
  await expect(toast(page, /^FULL Reward successfully claimed!/)).toBeVisible()
  expect(await holder.pendingFees()).toHaveLength(1)
  const { consents } = await holder.call<{ consents: { version: string; language: string }[] }>(
    'GET',
    '/api/user/terms-consents',
  )
  expect(consents).toMatchObject([{ language: 'en' }, { version: PRESENT, language: 'id' }])

  // Anyone who registers now accepts the new version by doing so, and anybody can read it.
  const newcomer = await product.holder()
  expect(await newcomer.call('GET', '/api/user/terms-consents')).toMatchObject({
    is_required: false,
    consents: [{ language: 'id' }],
  })
  const visitor = (await visit({ path: '/login' })).page
  await visitor.getByRole('link', { name: 'Terms', exact: true }).click()
  await expect(visitor.getByText(RULE)).toBeVisible()
})

test('an admin publishes another privacy notice, which everybody can read', async ({
  visit,
  admin,
}) => {
  const office = (await visit({ as: admin, path: '/admin/control?tab=terms' })).page
  await office.getByRole('combobox', { name: 'Text', exact: true }).selectOption('Privacy notice')
  const editor = office.getByRole('region', { name: 'New version' })
  await expect(editor.getByText('Nothing differs from version')).toBeVisible()
  await append(office, 'English text', RULE)
  await append(office, 'Indonesian text', ATURAN)
  await editor.getByRole('button', { name: 'Review and publish' }).click()
  const dialog = office.getByRole('dialog', { name: 'Publish a new version' })
  await expect(dialog.getByRole('insertion')).toHaveText([/payung/, /umbrella/])
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(toast(office, 'The new version is published.')).toBeVisible()
  await office.goto('/admin/control?tab=log')
  await expect(office.getByRole('table').getByText('Privacy notice published')).toBeVisible()
  const visitor = (await visit({ path: '/privacy' })).page
  await expect(visitor.getByText(RULE)).toBeVisible()
})
