import { expect, test } from 'vitest'
import { tidyQuery } from './lenient-query.ts'

test.each([
  [{ sort_by: '', search: ' ', is_paid: '', start_date: '' }, {}],
  [{ sort_order: 'DESC' }, { sort_order: 'desc' }],
  [
    { sort_order: ' Asc ', sort_by: ' claim_date ' },
    { sort_order: 'asc', sort_by: 'claim_date' },
  ],
  [{ earning_plan_code: ' plan-360 ' }, { earning_plan_code: 'PLAN-360' }],
  [{ plan_code: 'Plan-720' }, { plan_code: 'PLAN-720' }],
])('the query %j is read as %j', (query: Record<string, string>, read) => {
  tidyQuery(query)
  expect(query).toEqual(read)
})

test.each([
  { page: '', limit: ' ' },
  { search: ' plan ' },
  { sort_by: ['a', 'b'] },
  { role: 'admin' },
])('the query %j is unchanged', (query: Record<string, unknown>) => {
  const before = structuredClone(query)
  tidyQuery(query)
  expect(query).toEqual(before)
})
