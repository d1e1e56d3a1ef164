import { expect, type Locator } from '@playwright/test'
import { type Call, callsOf, queryOf } from './calls.ts'
import { untilLoaded } from './screens.ts'

/** Both directions of a sorted column, as its header states them and as they are requested. */
export const DIRECTIONS = [
  ['ascending', 'asc'],
  ['descending', 'desc'],
] as const

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
  await untilLoaded(table.page())
}

/** Expects that the page requested a list with this query at some point; a cached list is not requested again. */
export function expectAsked(calls: readonly Call[], path: string, query: Record<string, string>) {
  const asked = callsOf(calls, 'GET', path).map(queryOf)
  expect(asked).toContainEqual(expect.objectContaining(query))
}
