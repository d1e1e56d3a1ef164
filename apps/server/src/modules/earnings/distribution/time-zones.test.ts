import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../testing/database.ts'

const SCRIPT = fileURLToPath(new URL('../../../testing/run-in-time-zone.ts', import.meta.url))

/** The rows that a process in that time zone writes to a database in that time zone. */
async function rowsIn(timeZone: string): Promise<string> {
  const database = await createTestDatabase(2)
  try {
    const url = new URL(database.url)
    url.searchParams.set('options', `-c timezone=${timeZone}`)
    const args = [SCRIPT, url.href]
    const options = { env: { ...ownEnvironment(), TZ: timeZone }, maxBuffer: 1e7 }
    return (await promisify(execFile)(process.execPath, args, options)).stdout
  } finally {
    await database.drop()
  }
}

test('[T037] the daily run writes the same rows in every time zone, over leap days and clock changes', async () => {
  const utc = await rowsIn('UTC')
  expect(utc.split('\n').length).toBeGreaterThan(250)
  expect(utc).toContain('1,2028-02-29,1,')
  expect(utc).toContain('2,2028-03-01,1,')
  for (const timeZone of ['America/New_York', 'Asia/Jakarta', 'Pacific/Apia']) {
    expect(await rowsIn(timeZone)).toBe(utc)
  }
}, 60_000)
