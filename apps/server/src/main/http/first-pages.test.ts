import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { openDatabase, sharedReads } from '../../platform/database/db.ts'
import { createLogger } from '../../platform/logger.ts'
import { chooseReads } from './replica-routes.ts'

const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', maxConnections: 1 })
const reads = chooseReads({ db, replica: undefined, log: createLogger('silent') })

function readsFor(url: string, query: Record<string, string> = {}, method = 'GET') {
  return reads.of({ method, routeOptions: { url }, query, sessionUser: null } as FastifyRequest)
}

test.each([
  {},
  { page: '1', limit: '10' },
  { page: '10', limit: '10' },
  { page: '1', limit: '10', sort_by: 'created_at', sort_order: 'desc' },
])('the first pages of the users in the default order share connections: %o', async (query) => {
  expect(await readsFor('/api/admin/users', query)).toBe(sharedReads(db))
})

test.each([
  { page: '11', limit: '10' },
  { page: 'x' },
  { search: 'a' },
  { filter_reward_percentage: 'true' },
  { sort_by: 'total_referral_omset' },
  { sort_order: 'asc' },
])('any other page may take long, so it waits for its own connection: %o', async (query) => {
  expect(await readsFor('/api/admin/users', query)).toBe(db)
})

test('files of admins have their own connection, and short reads of holders share some', async () => {
  expect(await readsFor('/api/admin/users/csv')).toBe(db)
  expect(await readsFor('/api/user/history', { search: 'a' })).toBe(sharedReads(db))
})

test('calls outside the table, and calls that write, have no such handle', async () => {
  expect(await readsFor('/api/admin/payouts')).toBeUndefined()
  expect(await readsFor('/api/admin/users', {}, 'POST')).toBeUndefined()
})
