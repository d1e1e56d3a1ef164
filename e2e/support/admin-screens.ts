import type { Locator, Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf, queryOf } from './calls.ts'
import type { Product } from './product.ts'
import { expect } from './test.ts'

const PLAN = { code: 'PLAN-360', durationDays: 360 }

/** The value next to a term, within a part of the page. */
export function factOf(scope: Locator, term: string): Locator {
  const exactly = new RegExp(`^${term.replaceAll(/[()%]/g, String.raw`\$&`)}$`)
  const named = scope.page().locator('dt', { hasText: exactly })
  return scope.locator('dl > div').filter({ has: named }).locator('dd').first()
}

/** Locks this amount in PLAN-360 and submits the transaction to the service. */
export async function join(
  product: Product,
  holder: OutsideHolder,
  amount: string,
): Promise<string> {
  const hash = await holder.lock(PLAN, amount)
  const announcement = { plan_code: PLAN.code, amount, trx_hash: hash }
  await holder.call('POST', '/api/user/earnings', announcement)
  await product.settle()
  return hash
}

/** The full values of one column's shortened cells, from the top. */
export function titlesOf(table: Locator, index: number): Promise<string[]> {
  return table
    .locator(`tbody tr td:nth-child(${index + 1}) [title]`)
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title') ?? ''))
}

/** Sorts by a column through its header, and waits until the table is sorted in that direction. */
export async function sortBy(table: Locator, name: string, direction: 'ascending' | 'descending') {
  const header = table.getByRole('columnheader', { name, exact: true })
  await header.getByRole('button').click()
  await expect(header).toHaveAttribute('aria-sort', direction)
  await settled(table.page())
}

/** Waits until no list is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(
    page.locator('main [aria-busy="true"], [role="dialog"] [aria-busy="true"]'),
  ).toHaveCount(0)
}

/** Expects that the page requested a list with this query at some point; a cached list is not requested again. */
export function expectAsked(calls: readonly Call[], path: string, query: Record<string, string>) {
  const asked = callsOf(calls, 'GET', path).map(queryOf)
  expect(asked).toContainEqual(expect.objectContaining(query))
}
