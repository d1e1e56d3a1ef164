import type { Page } from '@playwright/test'
import { alter, answer, breakDown, FAILED_CALLS } from '../support/provoke.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

type Senders = { senders: { chain: string; held: number }[] }
type Pool = { unapproved: Record<string, number> }

/** Two alarms, three held payouts, a price that is too old, and a referral claim; everything else is unchanged. */
async function fakeWaitingItems(page: Page): Promise<void> {
  const alarm = (subject: string) => ({
    ...{ kind: 'payout.waiting', subject, message: 'Not enough TRX.' },
    ...{ raised_at: '2026-01-31T03:00:00.000Z', times: 1 },
  })
  await answer(page, '/api/admin/alarms', { alarms: [alarm('one'), alarm('two')] })
  await alter<Senders>(page, '/api/admin/senders', ({ senders, ...rest }) => ({
    ...rest,
    senders: senders.map((sender) => ({ ...sender, held: sender.chain === 'TRON' ? 3 : 0 })),
  }))
  await alter<object>(page, '/api/admin/price', (price) => ({ ...price, is_current: false }))
  await alter<Pool>(page, '/api/admin/referral-claim-pool', (pool) => ({
    ...pool,
    unapproved: { 'direct bonus': 0, 'non-direct': 1 },
  }))
}

const LANGUAGES = [
  {
    language: 'en',
    title: 'Waiting for you',
    items: {
      '2Open alarms': /\/admin\/control\?tab=health$/,
      '3Payouts, senders and calls that are held': /\/admin\/operations\?tab=payouts$/,
      '1The price is missing, too old or about to expire': /\/admin\/control\?tab=price$/,
      '1Referral claims to approve: Fee Earning': /\/admin\/referral-claim-pool\?tab=non-direct$/,
    },
    onTab: '2 items are waiting',
  },
  {
    language: 'id',
    title: 'Menunggu Anda',
    items: {
      '2Alarm terbuka': /\/admin\/control\?tab=health$/,
      '3Pembayaran keluar, pengirim, dan panggilan yang ditahan':
        /\/admin\/operations\?tab=payouts$/,
      '1Harga belum ada, sudah kedaluwarsa, atau hampir kedaluwarsa':
        /\/admin\/control\?tab=price$/,
      '1Klaim referral untuk disetujui: Imbalan Tidak Langsung':
        /\/admin\/referral-claim-pool\?tab=non-direct$/,
    },
    onTab: '2 hal menunggu',
  },
] as const

for (const { language, title, items, onTab } of LANGUAGES) {
  test(`an admin’s first page begins with what is waiting, each item with its count and a link (${language})`, async ({
    visit,
    admin,
  }) => {
    const { page } = await visit({
      as: admin,
      path: '/admin/dashboard',
      storage: { language },
      before: fakeWaitingItems,
    })
    const list = page.getByRole('region', { name: title, exact: true })
    await untilLoaded(page)
    const links = list.getByRole('link')
    for (const [text, url] of Object.entries(items)) {
      await links.filter({ hasText: new RegExp(`^${text}$`) }).click()
      await expect(page).toHaveURL(url)
      await page.goBack()
    }
    const first = page.getByRole('main').getByRole('region').first()
    await expect(first).toHaveAccessibleName(title)

    await links.first().click()
    const tab = page.getByRole('tab', { selected: true })
    await expect(tab).toContainText('2')
    await expect(tab).toHaveAccessibleDescription(onTab)
  })
}

test('when nothing is waiting, one line says so; items that could not be checked are named', async ({
  visit,
  admin,
}) => {
  const nothing = { 'direct bonus': 0, 'non-direct': 0 }
  const { page } = await visit({
    as: admin,
    path: '/admin/dashboard',
    before: async (fresh) => {
      await answer(fresh, '/api/admin/alarms', { alarms: [] })
      await answer(fresh, '/api/admin/second-approvals', { proposals: [] })
      await answer(fresh, '/api/admin/operator-calls', { operator_calls: [] })
      await answer(fresh, '/api/admin/senders', { senders: [], open_payments: [] })
      await alter<object>(fresh, '/api/admin/money', (money) => ({ ...money, warnings: [] }))
      await alter<object>(fresh, '/api/admin/price', (price) => ({
        ...price,
        ...{ is_current: true, expires_at: null },
      }))
      await alter<object>(fresh, '/api/admin/unmatched-payments', (list) => ({
        ...list,
        ...{ payments: [], total: 0 },
      }))
      await alter<object>(fresh, '/api/admin/referral-claim-pool', (pool) => ({
        ...pool,
        unapproved: nothing,
      }))
    },
  })
  const list = page.getByRole('region', { name: 'Waiting for you', exact: true })
  await expect(list).toContainText('Nothing is waiting: alarms, payouts')
  await expect(list.getByRole('link')).toHaveCount(0)

  const { page: broken } = await visit({
    as: admin,
    path: '/admin/dashboard',
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, '/api/admin/price'),
  })
  const unchecked = broken.getByRole('region', { name: 'Waiting for you' })
  const notWaiting = unchecked.getByRole('listitem').filter({ hasNot: broken.getByRole('link') })
  await expect(notWaiting).toHaveText(['The price is missing, too old or about to expire'])
  await expect(unchecked.getByRole('button', { name: 'Try again' })).toBeVisible()
})
