import { expect } from 'vitest'

type Page = Record<string, unknown>

/**
 * Checks that pages of one row each add up to the whole list, with correct page numbers.
 *
 * @param read returns a list for a query such as `page=2&limit=1`
 * @param items the name of the field with the rows in the response
 */
export async function expectPages(
  read: (query: string) => Promise<Page>,
  items: string,
): Promise<void> {
  const whole = (await read('limit=100'))[items] as unknown[]
  const total = whole.length
  // With fewer rows, a list that ignores paging could pass.
  expect(total).toBeGreaterThan(1)
  const parts: unknown[] = []
  for (let page = 1; page <= total; page += 1) {
    const part = await read(`page=${page}&limit=1`)
    expect(part).toMatchObject({ total, totalPages: total, page, limit: 1 })
    parts.push(...(part[items] as unknown[]))
  }
  expect(parts).toEqual(whole)
}
