import type { Call } from '../support/calls.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const PAGES = ['/dashboard', '/referrals', '/activity', '/user', '/messages']
const CHANGES = '/api/user/changes'
const MINUTE_MS = 60_000
/** How long the service holds a poll open. */
const HELD_MS = 10_000
/** Longer than a page waits between a reply and the next poll. */
const PAUSE_MS = 500

const addresses = (calls: readonly Call[]) => calls.map(({ path }) => path.split('?')[0])
/** Calls to the service; a page also reads balances from the chain's nodes. */
const toService = (calls: readonly Call[]) => calls.filter(({ path }) => path.startsWith('/api/'))

for (const path of PAGES) {
  test(`${path} sends nothing in an idle minute except six polls for changes`, async ({
    visit,
  }) => {
    // The page's fake clock does not affect the service, so the test itself holds the polls open.
    const held: (() => Promise<void>)[] = []
    const { page, calls } = await visit({
      ...{ as: 'user', wallet: 'connected', path },
      async before(fresh) {
        await fresh.clock.install()
        await fresh.route(`**${CHANGES}*`, (route) => {
          held.push(() => route.fulfill({ status: 204 }))
        })
      },
    })
    await untilLoaded(page)
    await expect.poll(() => held.length).toBe(1)
    // Parts that appear late are still loaded during the first poll.
    await page.clock.runFor(HELD_MS)
    await untilLoaded(page)
    const loaded = calls.length
    for (let asked = 1; asked <= MINUTE_MS / HELD_MS; asked++) {
      await held.at(-1)?.()
      await page.clock.runFor(PAUSE_MS)
      await expect.poll(() => held.length).toBe(asked + 1)
      await page.clock.runFor(HELD_MS)
    }
    const first = addresses(toService(calls.slice(0, loaded)))
    const idle = addresses(toService(calls.slice(loaded)))
    // On a slow machine, a late part is loaded only now; nothing is loaded twice.
    const repeated = idle.filter((address, at) =>
      [...first, CHANGES, ...idle.slice(0, at)].includes(address),
    )
    expect(repeated).toEqual(Array(MINUTE_MS / HELD_MS).fill(CHANGES))
  })
}
