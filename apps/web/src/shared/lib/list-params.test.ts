import { expect, test } from 'vitest'
import {
  initialListState,
  isNarrowed,
  readListState,
  sortedBy,
  toListQuery,
  writeListState,
} from './list-params.ts'

const defaults = {
  prefix: 'fees.',
  sortable: ['claim_date', 'deadline'],
  sortBy: 'claim_date',
  sortOrder: 'desc',
  filters: { plan: '', state: 'open' },
  choices: { state: ['open', 'paid'] },
} as const
const initial = initialListState(defaults)
const read = (text: string) => readListState(new URLSearchParams(text), defaults)

test('an empty URL is the initial state: page 1, 10 rows, the default order', () => {
  expect(read('')).toEqual(initial)
  expect(toListQuery(initial)).toEqual({
    page: 1,
    limit: 10,
    sort_by: 'claim_date',
    sort_order: 'desc',
  })
})

test('the written state is read back, next to parameters of others', () => {
  const state = {
    page: 3,
    search: 'PLAN',
    sortBy: 'deadline',
    sortOrder: 'asc',
    startDate: '2026-01-01',
    endDate: '2026-01-31',
    filters: { plan: 'PLAN-360', state: 'paid' },
  } as const
  const written = writeListState(new URLSearchParams('tab=claim'), defaults, state)
  expect(written.get('tab')).toBe('claim')
  expect(readListState(written, defaults)).toEqual(state)
  expect(String(writeListState(written, defaults, initial))).toBe('tab=claim')
})

test.each([
  'fees.page=0',
  'fees.page=1.5',
  'fees.page=x',
  'fees.order=up',
  'fees.from=yesterday',
  'fees.page=-1',
  'fees.page=1e99',
  'fees.page=100001',
  'fees.page=%E0%A4%A',
  'fees.sort=evil',
  'fees.sort=',
  'fees.sort=evil&fees.sort=deadline',
  'fees.state=evil',
  'fees.from=0000-01-01',
  'fees.from=2026-02-30',
  'fees.to=9999-12-31',
  'fees.to=275760-09-13',
  'fees.search=%00%07',
  'page=7',
])('an invalid %s is ignored', (text) => {
  expect(read(text)).toEqual(initial)
})

test('a sorted column reverses its direction; another one starts ascending; both on page 1', () => {
  const onPage2 = { ...initial, page: 2 }
  expect(sortedBy(onPage2, 'claim_date')).toMatchObject({ page: 1, sortOrder: 'asc' })
  expect(sortedBy(sortedBy(onPage2, 'claim_date'), 'claim_date').sortOrder).toBe('desc')
  expect(sortedBy(onPage2, 'deadline')).toMatchObject({ sortBy: 'deadline', sortOrder: 'asc' })
})

test('searches, dates and filters narrow a list; order and page do not', () => {
  expect(isNarrowed(read('fees.page=2&fees.order=asc'), defaults)).toBe(false)
  expect(isNarrowed(read('fees.search=a'), defaults)).toBe(true)
  expect(isNarrowed(read('fees.to=2026-01-01'), defaults)).toBe(true)
  expect(isNarrowed(read('fees.plan=PLAN-360'), defaults)).toBe(true)
})

test('of two days in the wrong order the first is kept, and a text is cut to what the service accepts', () => {
  expect(read('fees.from=2026-02-02&fees.to=2026-02-01')).toMatchObject({
    startDate: '2026-02-02',
    endDate: '',
  })
  expect(read(`fees.search=${'x'.repeat(101)}`).search).toBe('x'.repeat(100))
})
