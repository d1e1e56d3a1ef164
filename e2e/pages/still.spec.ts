import { untilStill } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const FOLDED = `
  <style>button { color: var(--ink); transition: color 100ms }</style>
  <details><summary>More</summary><button>Folded away</button></details>
  <button>In sight</button>`

test('a page is still although a transition in what is folded away never ends', async ({
  page,
}) => {
  await page.setContent(FOLDED)
  const colours = await page.getByRole('button', { includeHidden: true }).evaluateAll((buttons) => {
    const read = () => buttons.map((button) => getComputedStyle(button).color)
    read()
    document.documentElement.style.setProperty('--ink', 'rgb(0, 0, 255)')
    return read() // also begins the transition of the folded button
  })
  expect(colours).not.toContain('rgb(0, 0, 255)')
  await untilStill(page)
  await expect(page.getByRole('button', { name: 'In sight' })).toHaveCSS(
    'color',
    'rgb(0, 0, 255)',
    { timeout: 1 },
  )
})
