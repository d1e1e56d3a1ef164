import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { JSX } from './jsx-runtime.ts'

/** Writes `translate="no"` as `!`, so that the expected markup stays readable. */
const shown = (element: ReactNode) =>
  renderToStaticMarkup(element).replaceAll(' translate="no"', '!')

const Words = ({ children }: { children: ReactNode }) => <>{children}</>
const Bare = () => 'bare'

test('a text that contains no figure and stands alone needs no element of its own', () => {
  expect(shown(<p>Claim your reward</p>)).toBe('<p>Claim your reward</p>')
})

test('a text beside others gets an element of its own', () => {
  const note = <b>now</b>
  expect(shown(<p>Pay {note} or later</p>)).toBe(
    '<p><span>Pay </span><b>now</b><span> or later</span></p>',
  )
})

test('a text that appears does not change how many elements stand beside it', () => {
  const row = (isLate: boolean) =>
    shown(
      <p>
        <b>Sent.</b> {isLate && 'It takes long.'}
      </p>,
    )
  expect(row(false)).toBe('<p><b>Sent.</b><span> </span></p>')
  expect(row(true)).toBe('<p><b>Sent.</b><span> It takes long.</span></p>')
})

test('a figure in a sentence is not translated, and the words around it have elements of their own', () => {
  expect(shown(<p>You get 64.800000 DCT in 19 days.</p>)).toBe(
    '<p><span><span>You get </span><span!>64.800000 DCT</span><span> in </span><span!>19</span><span> days.</span></span></p>',
  )
})

test('an element that contains nothing but a figure is not translated', () => {
  expect(shown(<td>12.5</td>)).toBe('<td!>12.5</td>')
  expect(shown(<td>{7}</td>)).toBe('<td!>7</td>')
})

test.each([
  'PLAN-360',
  'CL-ABCDEF',
  'HKLMNPQR',
  'TXYZa...bcdEf',
  '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
  'ayu@example.org',
  'https://example.org/register?ref=HKLMNPQR',
  '26 Nov 2026',
  '26 Nov 2026, 14.05',
  'April 5, 2026',
  '1.234,500000 USDT',
  '-0.25%',
  'UTC+7',
  '2026-11-26T07:00:00Z',
])('%s is not translated in a sentence', (figure) => {
  const hyphens = /<span class="hyphen">|(?<=\w-\w)<\/span>/g
  const html = shown(<p>The value ({figure}), again.</p>).replaceAll(hyphens, '')
  expect(html).toContain(`<span!>${figure}</span>`)
  expect(html).toMatch(
    /^<p><span><span>The value \(<\/span>.*<span>\), again\.<\/span><\/span><\/p>$/,
  )
})

test.each(['Claim', 'USDT or BNB', 'Read more…', 'TRANSFER', 'E-mail', 'Wallet: Tron'])(
  '%s is words',
  (words) => {
    expect(shown(<p>{words}</p>).replace('<p!>', '<p>')).toContain(words)
  },
)

test('codes break nowhere at their hyphens', () => {
  expect(shown(<td>PLAN-360</td>)).toBe('<td!>PLA<span class="hyphen">N-3</span>60</td>')
})

test('a fragment and a component give a bare text an element', () => {
  expect(
    shown(
      <p>
        <Words>Nobody knows</Words>
      </p>,
    ),
  ).toBe('<p><span>Nobody knows</span></p>')
  expect(shown(<Words>{['Day ', 5]}</Words>)).toBe('<span><span>Day </span><span!>5</span></span>')
})

test('an element that can hold only text is not translated if it contains a figure', () => {
  const days = 360
  expect(shown(<option>Plan of {days} days</option>)).toBe('<option!>Plan of 360 days</option>')
  expect(shown(<option>All plans</option>)).toBe('<option>All plans</option>')
})

test('a list keeps the keys of its elements, and texts between them', () => {
  const list = ['a', 'b'].map((name) => <li key={name}>{name}</li>)
  expect(shown(<ul>{list}</ul>)).toBe('<ul><li>a</li><li>b</li></ul>')
})

test('a component that returns a bare text does not compile', () => {
  const isAccepted: typeof Bare extends JSX.ElementType ? true : false = false
  expect(isAccepted).toBe(false)
})
