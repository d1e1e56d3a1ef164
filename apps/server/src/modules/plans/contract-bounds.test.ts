import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'

const SOURCE = join(import.meta.dirname, '../../../../../contracts/src/RewardPool.sol')
const database = useTestDatabase()

/** A constant of the contract, by its name. */
function constantOf(name: string): number {
  const [, value] =
    new RegExp(`constant ${name} = ([\\d_]+);`).exec(readFileSync(SOURCE, 'utf8')) ?? []
  expect(value, name).toBeDefined()
  return Number(value?.replaceAll('_', ''))
}

async function boundsOf(column: string): Promise<string> {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint
    where conname = ${`earning_plan_${column}_check`}`.execute(database.db)
  return rows[0]?.rule ?? ''
}

test('a plan under any terms that the contract accepts can be stored, whoever opened it', async () => {
  const days = constantOf('MAX_DURATION_DAYS')
  // The owner can allow as much as the whole amount a day.
  const bps = days * constantOf('BPS_DENOMINATOR')
  expect(await boundsOf('duration_days')).toBe(
    `CHECK (((duration_days >= 1) AND (duration_days <= ${days})))`,
  )
  expect(await boundsOf('rate_bps')).toBe(`CHECK (((rate_bps >= 1) AND (rate_bps <= ${bps})))`)
  expect(await boundsOf('code')).toContain(`{1,${constantOf('MAX_PLAN_CODE_LENGTH')}}`)
})
