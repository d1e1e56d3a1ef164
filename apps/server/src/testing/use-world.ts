import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Db } from '../platform/database/db.ts'
import type { App } from '../platform/http/http.ts'
import { createTestDatabase } from './database.ts'

/** The world of a test file, created before the first and closed after the last of its tests. Empty until then. */
export function useWorld<World extends { app: App }>(create: () => Promise<World>): World {
  const world = {} as World
  beforeAll(async () => {
    Object.assign(world, await create())
  })
  afterAll(() => world.app.close())
  return world
}

/** The world of one test, with a separate database. */
export async function givenWorld<World extends { app: App }>(create: (db: Db) => Promise<World>) {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const world = await create(database.db)
  onTestFinished(() => world.app.close())
  return { database, world }
}
