import type { ServiceHealthReply } from '@dct/api-contract/operations'
import { SUCCESSES } from '@dct/api-contract/successes'
import { callsOf } from '../support/calls.ts'
import { deliveries } from '../support/deliveries.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, part, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const at = (tab: string) => `/admin/control?tab=${tab}`

test('health shows watchers, background loops and jobs', async ({ visit }) => {
  const { page } = await visit({ as: 'admin', path: at('health') })
  for (const chain of ['Tron', 'BSC']) {
    const watcher = part(page, 'Watchers').getByRole('article', { name: chain, exact: true })
    await expect(fact(watcher, 'Blocks behind')).toHaveText(/^\d+$/)
  }
  await part(page, 'Background work')
    .getByText(/^\d+ loops running$/)
    .click()
  await part(page, 'Jobs')
    .getByText(/^\d+ queues? without failures$/)
    .click()
  for (const name of ['distributor', 'downlines', 'audit']) {
    await expect(
      part(page, 'Background work').getByRole('article', { name, exact: true }),
    ).toContainText('Running')
  }
  await expect(
    part(page, 'Jobs').getByRole('article', { name: 'payouts.late', exact: true }),
  ).toBeVisible()
  await expect(part(page, 'Open alarms')).toContainText('No alarm is open.')
})

test('alarms, and loops that fail or are silent, stand out', async ({ visit, world }) => {
  const alarm = {
    ...{ kind: 'payout.waiting', subject: 'TRON:NO_TRX', message: 'Not enough TRX.' },
    ...{ raised_at: '2026-01-31T03:00:00.000Z', times: 1 },
  }
  const adopted = {
    ...{ kind: 'plan_adopted', subject: 'PLAN-9', message: 'A plan was opened.' },
    ...{ raised_at: '2026-01-31T03:00:00.000Z', times: 2 },
  }
  const odd: Record<string, object> = {
    distributor: { failures: 3, last_error: 'no answer' },
    downlines: { is_silent: true },
  }
  world.answer('GET /api/admin/alarms', { alarms: [alarm, adopted] })
  world.alter<ServiceHealthReply>('GET /api/admin/health', (health) => ({
    ...health,
    loops: health.loops.map((loop) => ({ ...loop, ...odd[loop.name] })),
  }))
  world.refuse('POST /api/admin/alarms/acknowledge', 'ALARM_NOT_OPEN')
  const { page, calls } = await visit({ as: 'admin', path: at('health'), tolerates: FAILED_CALLS })
  const alarms = part(page, 'Open alarms')
  await expect(alarms).toContainText('found 2 times')
  await expect(alarms.getByTitle('payout.waiting')).toHaveText('Payout is waiting')
  await expect(alarms).toContainText('Not enough TRX.')
  // Only an alarm about a single event can be acknowledged.
  await alarms.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge the alarm', exact: true })
  await dialog.getByLabel('What was found or done').fill('Our own plan.')
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await expect(dialog).toContainText('This alarm is no longer open.')
  expect(callsOf(calls, 'POST', '/api/admin/alarms/acknowledge')[0]?.body).toMatchObject({
    ...{ kind: 'plan_adopted', subject: 'PLAN-9' },
  })
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  const work = part(page, 'Background work')
  // Healthy loops are collapsed into one line.
  await expect(work.getByText(/^\d+ loops running$/)).toBeVisible()
  await expect(work.getByRole('article')).toHaveCount(2)
  const failing = work.getByRole('article', { name: 'distributor', exact: true })
  await expect(failing).toContainText('Failed 3 times in a row')
  await expect(failing).toContainText('no answer')
  await expect(work.getByRole('article', { name: 'downlines', exact: true })).toContainText(
    'Not reporting',
  )
})

test('an admin sends a test message, and sees its outcome and that of each delivery', async ({
  visit,
  world,
}) => {
  const path = '/api/admin/deliveries'
  world.answer(`POST ${path}/test`, () => {
    world.answer(`GET ${path}`, deliveries())
    return { message: SUCCESSES.TEST_MESSAGE_SENT }
  })
  const { page } = await visit({ as: 'admin', path: at('health') })
  const messages = part(page, 'Outgoing messages')
  await messages.getByRole('button', { name: 'Send a test message' }).click()
  await expect(toast(page, 'The test message is on its way.')).toBeVisible()
  const outcomes = messages.getByRole('region', { name: 'Last test message' }).getByRole('listitem')
  await expect(outcomes).toContainText(['Sent', 'Last error: The receiver answered 404.'])
  const newest = messages.getByRole('region', { name: 'Newest deliveries' }).getByRole('listitem')
  await expect(newest).toContainText([
    /Waiting.*0 attempts/s,
    /Failed, will be tried again.*Telegram.*Critical.*3 attempts.*chat not found/s,
    /Failed.*Webhook.*Payout sent.*12 attempts/s,
    'Alarm resolved Balance is running low TRX_LOW',
  ])
  await page.reload()
  await expect(outcomes).toContainText(['Sent', 'Last error: The receiver answered 404.'])
})

test('the list of users shows the age of its referral figures', async ({ visit, world }) => {
  for (const [seconds, words] of [
    [42, 'Referral counts and omset are 42 s old.'],
    [0, 'Referral counts and omset are up to date.'],
  ] as const) {
    world.alter('GET /api/admin/users', (reply) => ({ ...reply, downline_age_seconds: seconds }))
    const { page } = await visit({ as: 'admin', path: '/admin/dashboard?tab=users' })
    await expect(page.getByText(words)).toBeVisible()
  }
})
