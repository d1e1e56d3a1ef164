import { untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

test('a browser that is too old is told so in both languages, and nothing else happens', async ({
  visit,
}) => {
  const { page } = await visit({
    before: (fresh) =>
      fresh.addInitScript(() => Reflect.deleteProperty(window, 'CSSLayerBlockRule')),
  })
  await expect(page.getByText('This browser is too old for this app.')).toBeVisible()
  await expect(page.getByText('Peramban ini terlalu lama untuk aplikasi ini.')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('a page whose code does not arrive says so', async ({ visit }) => {
  const { page } = await visit({
    tolerates: /Failed to load|ERR_FAILED/,
    before: (fresh) => fresh.route('**/assets/base-*.js', (route) => route.abort()),
  })
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
})

test('other code that removes its own elements, even twice, changes nothing of the page', async ({
  visit,
}) => {
  const { page } = await visit()
  await page.locator('main').evaluate((main) => main.setAttribute('data-is-first', ''))
  const answers = await page.evaluate(() => {
    const nameOf = (act: () => void) => {
      try {
        return void act()
      } catch (thrown) {
        return (thrown as Error).name
      }
    }
    const frame = document.createElement('iframe')
    const removed = document.createElement('i')
    document.body.appendChild(frame)
    document.body.appendChild(removed)
    removed.remove()
    return [
      nameOf(() => document.body.removeChild(frame)),
      nameOf(() => document.body.removeChild(frame)),
      nameOf(() => document.body.insertBefore(removed, frame)),
    ]
  })
  expect(answers).toEqual([undefined, 'NotFoundError', 'NotFoundError'])
  await untilLoaded(page)
  await expect(page.locator('main[data-is-first]')).toBeVisible()
})
