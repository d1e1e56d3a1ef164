import { expect, test } from 'vitest'
import { toHtml } from '../testing/to-html.tsx'
import { Amount } from './amount.tsx'

const faint = (value: string) => {
  const html = toHtml(<Amount value={value} unit="DCT" />)
  return /<span class="amount__zeros">([^<]*)</.exec(html)?.[1]
}

test.each([
  // "50." in bold would look like the end of a sentence.
  ['50', '.000000'],
  ['50.5', '00000'],
  ['0.123456', ''],
])('of %s DCT, "%s" is faint', (value, zeros) => {
  expect(faint(value) ?? '').toBe(zeros)
})
