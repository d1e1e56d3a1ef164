import { chunksOf, expectHarmless, MARKUP, RUN } from '../support/hostile.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { claimCard, untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

/** Refused today, but the rule may have been another one when it was stored. */
const OLD_EMAIL = `"><img/src=x/onerror=${RUN}>@evil.example`

test('[T096] a stored address that would be refused today is plain text', async ({
  visit,
  world,
}) => {
  for (const [as, path, call, email] of [
    ['admin', '/admin/dashboard?tab=users', 'GET /api/admin/users', 'friend@example.org'],
    ['user', '/user', 'GET /api/auth/me', 'holder@example.org'],
  ] as const) {
    world.alter(call, (reply) =>
      JSON.parse(JSON.stringify(reply), (_name, value) => (value === email ? OLD_EMAIL : value)),
    )
    const { page } = await visit({ as, path })
    await expect(page.getByText(OLD_EMAIL).first()).toBeVisible()
    await expectHarmless(page)
    world.forget(call)
  }
})

test('[T096] search terms are plain text', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'admin', path: '/admin/dashboard?tab=users' })
  const search = page.getByRole('searchbox')
  for (const payload of MARKUP) {
    await search.fill(payload)
    const asked = new URLSearchParams({ search: payload }).toString()
    await expect.poll(() => calls.some(({ path }) => path.includes(asked))).toBe(true)
    await untilLoaded(page)
    await expect(search).toHaveValue(payload)
    await expectHarmless(page)
  }
})

test('[T096] the referral code of a link is plain text', async ({ visit }) => {
  const { page } = await visit({ path: '/register' })
  for (const payload of MARKUP) {
    await page.goto(`/register?${new URLSearchParams({ ref: payload })}`)
    await expect(page.getByRole('button', { name: 'Register Now' })).toBeVisible()
    await expectHarmless(page)
  }
})

test('[T096] server messages are shown as plain text', async ({ visit, world }) => {
  const { page, toasts } = await visit({
    ...{ as: 'user', path: '/dashboard?tab=claim', tolerates: FAILED_CALLS },
  })
  await claimCard(page, 'PLAN-720').getByRole('button', { name: 'Claim Full' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm' })
  for (const words of chunksOf(400)) {
    world.say('POST /api/user/claim', words)
    await confirm.click()
    await expect.poll(() => toasts.some((shown) => shown.includes(words))).toBe(true)
    await expectHarmless(page)
  }
})
