import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { expect, test } from 'vitest'
import { authenticate } from '../modules/auth/sessions.ts'
import { realClock } from '../platform/clock.ts'
import { useTestDatabase } from '../testing/database.ts'
import { settingsOf } from '../testing/host-settings.ts'
import { givenUser } from '../testing/users.ts'

const host = useChainHost()
const database = useTestDatabase()

test('an operator ends every session, as after a restore, which would revive ended ones', async () => {
  const deps = { db: database.db, clock: realClock, realClock }
  const users = [await givenUser(deps), await givenUser(deps, { role: 'admin' })]
  const found = () =>
    Promise.all(users.map(({ token }) => authenticate(deps, token, { isUse: true })))
  expect((await found()).map((user) => user?.role)).toEqual(['user', 'admin'])
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['apps/server/src/main/end-sessions.ts'],
    { env: { ...ownEnvironment(), ...settingsOf(host(), database.settings) } },
  )
  expect(stdout).toMatch(/^Ended 2 sessions and 0 links/)
  expect(await found()).toEqual([undefined, undefined])
})
