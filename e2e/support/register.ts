import { expect, type Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { toast } from './screens.ts'
import { approveInWallet } from './wallet.ts'

/** Fills in, submits and signs the registration form on the page. */
export async function registerByClicking(page: Page, friend: OutsideHolder) {
  await expect(page.getByText(friend.address)).toBeVisible()
  await page.getByLabel('E-mail').fill('friend@example.org')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await page.getByRole('button', { name: 'Register Now' }).click()
  await approveInWallet(page, 'Sign this message', 'friend@example.org')
  await expect(toast(page, 'Successful registration!Please login.')).toBeVisible()
}
