import type { Page } from '@playwright/test'

/** The form of a new plan. */
export const form = (page: Page) => page.getByRole('form')
export const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true })
export const submit = (page: Page) =>
  form(page).getByRole('button', { name: /^(Fund and create|Save)$/ })

export const review = (page: Page) => page.getByRole('dialog', { name: /^Review: plan / })

/** Submits the form of a new plan and confirms the review. */
export async function create(page: Page) {
  await submit(page).click()
  await review(page)
    .getByRole('button', { name: /^Fund .+ DCT$/ })
    .click()
}

/** Opens the form and fills it for a plan with this code. */
export async function fill(page: Page, code: string) {
  await page.getByRole('button', { name: 'Add plan', exact: true }).click()
  await field(page, 'Plan code').fill(code)
  await field(page, 'Name').fill(`Name of ${code}`)
  await field(page, 'Total reward (DCT)').fill('100.5')
  await field(page, 'Duration (days)').fill('30.9')
  await field(page, 'Total percentage (%)').fill('6.25')
  await field(page, 'Daily limit (DCT)').fill('12.5')
}
