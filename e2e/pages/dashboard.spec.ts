import type { MeReply } from '@dct/api-contract/auth'
import type { ConfigReply } from '@dct/api-contract/config'
import type { UserEarning } from '@dct/api-contract/earnings'
import type { Page } from '@playwright/test'
import { callsOf } from '../support/calls.ts'
import { argumentOf, readFromContracts } from '../support/chain-calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  dismissToast,
  earningCard,
  fact,
  part,
  tab,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { addressOfRole, expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const EARNINGS = 'GET /api/user/earnings'
const CONSTANT = 'POST /tron/wallet/triggerconstantcontract'
const [earning] = recordedReply<{ earnings: [UserEarning] }>(EARNINGS).earnings
const { user } = recordedReply<MeReply>('GET /api/auth/me')

const holds = (world: World, ...earnings: UserEarning[]) =>
  world.answer(EARNINGS, (asked) => listOf('earnings', earnings, asked))
const balances = (page: Page) => part(page, 'In your wallet')
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('[DASH-01, DASH-05, DASH-06, DASH-07, DASH-09, DASH-10, DASH-12, STATE-09, FMT-05] a welcome line with the wallet’s first and last 5 characters, the tabs of a holder who has joined no plan, and the referral link and code to copy', async ({
  visit,
  world,
}) => {
  holds(world)
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const short = `${user.tron_address.slice(0, 5)}...${user.tron_address.slice(-5)}`
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${short}`)
  await expect(page.getByRole('tab')).toHaveText([
    'My Earnings',
    'Join Earning Plan',
    'Claim Reward',
  ])
  for (const name of ['Join Earning Plan', 'Claim Reward', 'My Earnings']) {
    await tab(page, name).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
  }
  const code = user.referral_code
  const link = new URL(`/register?ref=${code}`, page.url()).href
  await expect(page.getByText(link, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await expect.poll(() => clipboard(page)).toBe(link)
  await page.getByRole('button', { name: 'Copy Referral Code' }).click()
  await expect.poll(() => clipboard(page)).toBe(code)
})

test('[DASH-02, DASH-03, CHAIN-01, CHAIN-02, CHAIN-08, FMT-01, FMT-02] the wallet’s balances, read through the wallet and scaled by the token’s decimals', async ({
  visit,
  world,
}) => {
  Object.assign(world.chain.account, { dct: 1_234_500_000n, trx: 4_321_000_001 })
  const { page, calls } = await visit({ as: 'user', wallet: 'connected', path: '/dashboard' })
  await expect(fact(balances(page), 'Token')).toHaveText('1,234.500000 DCT')
  await expect(fact(balances(page), 'TRX')).toHaveText('4,321.000001 TRX')
  const reads = readFromContracts(calls)
  const balance = reads.find(({ selector }) => selector === 'balanceOf(address)')
  expect(balance?.to).toBe(recordedReply<ConfigReply>('GET /api/config').tron.token)
  expect(balance?.args).toContain(argumentOf(addressOfRole('user')))
  expect(callsOf(calls, 'POST', '/tron/wallet/getaccount').length).toBeGreaterThan(0)
  world.chain.account.decimals = 8
  await page.reload()
  await expect(fact(balances(page), 'Token')).toHaveText('12.345000 DCT')
})

test('[DASH-04, ERR-09] unreadable balances are shown as unknown, and a node that answers "too many requests" leaves the page usable', async ({
  visit,
  world,
}) => {
  const tooMany = { status: 429, text: 'Slow down' }
  world.answer(CONSTANT, tooMany)
  world.answer('GET /api/user/claimable-reward', { claimable_rewards: [] })
  const { page } = await visit({
    ...{ as: 'user', wallet: 'connected', path: '/dashboard', tolerates: FAILED_CALLS },
  })
  await expect(toast(page, 'Failed to retrieve balances.')).toBeVisible()
  await expect(fact(balances(page), 'Token')).toHaveText('—')
  await tab(page, 'Claim Reward').click()
  await expect(page.getByText('No reward can be claimable')).toBeVisible()
  world.forget(CONSTANT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1,000.000000 DCT')).toBeVisible()
})

test('[DASH-08] without a referral code nothing is copied', async ({ visit, world }) => {
  world.alter<MeReply>('GET /api/auth/me', (me) => ({
    ...{ ...me, referral_code: '' },
    user: { ...me.user, referral_code: '' },
  }))
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  await untilLoaded(page)
  await page.evaluate(() => navigator.clipboard.writeText('as before'))
  for (const name of ['Copy Link', 'Copy Referral Code']) {
    await page.getByRole('button', { name }).click()
    await expect(toast(page, 'Referral code is not available.')).toBeVisible()
    expect(await clipboard(page)).toBe('as before')
    await dismissToast(page, 'Referral code is not available.')
  }
})

test('[DASH-11, STATE-01, STATE-02, STATE-07, STATE-09] whoever has joined a plan, even one that is not confirmed yet, is not offered another; whoever has only failed earnings is', async ({
  visit,
  world,
}) => {
  holds(world, earning)
  const { page } = await visit({ as: 'user', path: '/dashboard?tab=join' })
  await expect(earningCard(page, earning.earning_plan_code)).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['My Earnings', 'Claim Reward'])

  holds(world, { ...earning, is_hash_confirmed: 'FAILED', failure_reason: 'unknown' })
  await page.goto('/dashboard')
  await expect(page.getByText('Failed to confirm hash')).toBeVisible()
  await expect(tab(page, 'Join Earning Plan')).toBeVisible()

  const waiting = { ...earning, is_hash_confirmed: 'WAITING', waited_seconds: 30 } as const
  holds(world, waiting)
  await page.evaluate((hash) => {
    localStorage.setItem('shownJoins', JSON.stringify([hash]))
  }, waiting.trx_hash)
  await page.reload()
  await expect(page.getByText('Waiting for hash confirmation')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['My Earnings', 'Claim Reward'])
})

test('the welcome is painted before the figures arrive; nothing is requested twice, and only a few scripts are loaded', async ({
  visit,
  world,
}) => {
  // Without fees, whose news would have the figures read anew.
  world.answer('GET /api/user/get-claimed-rewards', { claimed_rewards: [] })
  world.answer('GET /api/user/pending-claim-fees', (asked) => listOf('pending_fees', [], asked))
  const scripts: string[] = []
  const figures = Promise.withResolvers<void>()
  world.answer(EARNINGS, async (asked) => {
    await figures.promise
    return listOf('earnings', [earning], asked)
  })
  const { page, calls } = await visit({
    ...{ as: 'user', path: '/dashboard' },
    async before(fresh) {
      fresh.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(request.url())
      })
    },
  })
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  figures.resolve()
  await expect(earningCard(page, earning.earning_plan_code)).toBeVisible()
  await untilLoaded(page)
  const reads = calls.map(({ method, path }) => `${method} ${path}`)
  expect(reads).toEqual([...new Set(reads)])
  expect(reads).toContain('GET /api/user/claimable-reward')
  expect(scripts.length).toBeGreaterThan(4)
  expect(scripts.length).toBeLessThanOrEqual(12)
})
