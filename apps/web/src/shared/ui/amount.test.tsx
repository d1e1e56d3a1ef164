import { expect, test } from 'vitest'
import { textsOf, toHtml } from '../testing/to-html.tsx'
import { Amount } from './amount.tsx'

/** What is faint of an amount, and its unit after it. */
function faint(value: string): string {
  const [, after] = toHtml(<Amount value={value} unit="DCT" />).split('class="amount__zeros"')
  return after === undefined ? '' : textsOf(`<span${after}`)
}

test.each([
  // "50." in bold would look like the end of a sentence.
  ['50', '.000000 DCT'],
  ['50.5', '00000 DCT'],
  ['0.123456', ''],
])('the zeros at the end of %s DCT are faint', (value, shown) => {
  expect(faint(value)).toBe(shown)
})
