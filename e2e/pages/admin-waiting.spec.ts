import type { PriceReply } from '@dct/api-contract/pricing'
import { FAILED_CALLS } from '../support/provoke.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import type { World } from './support/world.ts'

type Senders = { senders: { chain: string; held: number }[] }

/** Two alarms, three held payouts, a price that is too old, and a referral claim; nothing else is waiting. */
function haveItemsWait(world: World): void {
  const alarm = (subject: string) => ({
    ...{ kind: 'payout.waiting', subject, message: 'Not enough TRX.' },
    ...{ raised_at: '2026-01-31T03:00:00.000Z', times: 1 },
  })
  world.answer('GET /api/admin/alarms', { alarms: [alarm('one'), alarm('two')] })
  world.alter<Senders>('GET /api/admin/senders', ({ senders, ...rest }) => ({
    ...rest,
    senders: senders.map((sender) => ({ ...sender, held: sender.chain === 'TRON' ? 3 : 0 })),
  }))
  world.alter<PriceReply>('GET /api/admin/price', (price) => ({ ...price, is_current: false }))
  world.alter('GET /api/admin/referral-claim-pool', (pool) => ({
    ...pool,
    unapproved: { 'direct bonus': 0, 'non-direct': 1 },
  }))
  world.alter('GET /api/admin/unmatched-payments', (list) => ({ ...list, ...NO_PAYMENTS }))
}

const NO_PAYMENTS = { payments: [], total: 0 }
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
    world,
  }) => {
    haveItemsWait(world)
    const { page } = await visit({ as: 'admin', path: '/admin/dashboard', storage: { language } })
    const list = page.getByRole('region', { name: title, exact: true })
    await untilLoaded(page)
    const links = list.getByRole('link')
    await expect(links).toHaveCount(Object.keys(items).length)
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
  world,
}) => {
  world.alter('GET /api/admin/unmatched-payments', (list) => ({ ...list, ...NO_PAYMENTS }))
  world.alter('GET /api/admin/referral-claim-pool', (pool) => ({
    ...pool,
    unapproved: { 'direct bonus': 0, 'non-direct': 0 },
  }))
  const { page } = await visit({
    ...{ as: 'admin', path: '/admin/dashboard', tolerates: FAILED_CALLS },
  })
  const list = page.getByRole('region', { name: 'Waiting for you', exact: true })
  await expect(list).toContainText('Nothing is waiting: alarms, payouts')
  await expect(list.getByRole('link')).toHaveCount(0)

  world.breakDown('GET /api/admin/price')
  await page.reload()
  const notWaiting = list.getByRole('listitem').filter({ hasNot: page.getByRole('link') })
  await expect(notWaiting).toHaveText(['The price is missing, too old or about to expire'])
  await expect(list.getByRole('button', { name: 'Try again' })).toBeVisible()
})
