import { expect, type Locator, type Page } from '@playwright/test'

/** The development wallet's pop-up with that title. */
export function walletQuestion(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true })
}

/** Approves a pop-up of the wallet, which must show `fact` if one is given. */
export async function approveInWallet(page: Page, title: string, fact?: string | RegExp) {
  const question = walletQuestion(page, title)
  await expect(question).toBeVisible()
  if (fact !== undefined) await expect(question).toContainText(fact)
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
}

export async function rejectInWallet(page: Page, title: string) {
  await walletQuestion(page, title).getByRole('button', { name: 'Reject', exact: true }).click()
}

/** Opens the development panel. */
export async function openPanel(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Devnet', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Development tools', exact: true })
  await expect(panel).toBeVisible()
  return panel
}

export async function closePanel(panel: Locator) {
  await panel.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(panel).toBeHidden()
}
