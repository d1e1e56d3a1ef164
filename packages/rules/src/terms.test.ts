import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import * as constants from './constants.ts'
import { DEFAULT_PRIVACY } from './default-privacy.ts'
import { DEFAULT_TERMS } from './default-terms.ts'
import { readTerms, shapeOf, TermsFormatError, type TermsInline } from './terms-document.ts'
import { fillTerms, placeholderProblems, termsValues } from './terms-placeholders.ts'

const values = termsValues({ supportEmail: 'help@example.org' })
const english = fillTerms(DEFAULT_TERMS.en, values)
const indonesian = fillTerms(DEFAULT_TERMS.id, values)

test.each([
  ['TERMS-02', /360 cycles at 0\.2% of the locked amount per cycle/],
  ['TERMS-03', /720 cycles at 0\.3% of the locked amount per cycle/],
  ['TERMS-04', /claim fee is 40% of the claimed reward, payable in USDT/],
  ['TERMS-05', /A separate energy fee applies in addition/],
  ['TERMS-06', /at least every 30 cycles, or the account is frozen/],
  ['TERMS-07', /The fee is paid first, then 100% of the reward is received/],
  ['TERMS-08', /50% of the reward is claimed free, and the fee is paid to receive the other 50%/],
  ['TERMS-09', /initial pool limit is 20,000 DCT/],
  ['TERMS-10', /Locked tokens return automatically after the lock period/],
  ['TERMS-11', /Support is given by e-mail: help@example\.org/],
  ['TERMS-12', /within 1x24 hours after the fee is paid/],
])('[%s] is in the English terms', (_id, sentence) => {
  expect(english).toMatch(sentence)
})

test('the terms state how the service applies them: grace, loss, both periods after the end, and the fee of HALF', () => {
  const {
    FREEZE_AFTER_CYCLES: limit,
    FREEZE_GRACE_CYCLES: grace,
    CLAIM_OPEN_DAYS_AFTER_END: claims,
    FEE_OPEN_DAYS_AFTER_END: fees,
    CLAIM_FEE_BPS: fee,
  } = constants
  for (const text of [english, indonesian]) {
    for (const number of [limit, grace, limit + grace + 1, claims, fees]) {
      expect(text).toMatch(new RegExp(`\\b${number}\\b`))
    }
    expect(text).toContain('HALF')
    expect(text).not.toContain('{{')
  }
  expect(english).toContain(`${fee / 100n}% of the whole claim`)
  expect(indonesian).toContain(`${fee / 100n}% dari seluruh klaim`)
})

test('changed terms have a new version, because users accept a version', () => {
  const digest = createHash('sha256').update(`${indonesian}${english}`).digest('hex').slice(0, 16)
  expect({ [constants.TERMS_VERSION]: digest }).toEqual({ '2026-11-23': '1e056304c1e9a2d6' })
})

test('the default terms contain every placeholder, and both languages have the same clauses', () => {
  for (const text of [DEFAULT_TERMS.id, DEFAULT_TERMS.en]) {
    expect(placeholderProblems('terms', text)).toEqual({ missing: undefined, unknown: undefined })
    expect(shapeOf(readTerms(text))).toEqual([9, 4])
  }
})

test('a missing placeholder is found, and so is one that does not exist', () => {
  const without = DEFAULT_TERMS.en.replaceAll('{{freeze_grace_cycles}}', '3')
  expect(placeholderProblems('terms', without).missing).toBe('freeze_grace_cycles')
  expect(placeholderProblems('terms', `${DEFAULT_TERMS.en} {{ grace }}`).unknown).toBe('grace')
})

test('a value is never read as markup', () => {
  const email = 'a_*<b>_[x](y)@example.org'
  const text = fillTerms('# a\n\n## b\n\nWrite to {{support_email}}', { support_email: email })
  const [block] = readTerms(text)[0]?.clauses[0]?.blocks ?? []
  expect(block?.kind === 'paragraph' ? plain(block.content) : '').toBe(`Write to ${email}`)
})

test('parts, clauses, paragraphs, lists and emphasis are read', () => {
  const text = '# One\n\n## First\n\nSome *soft* and **hard** words.\n\n- a\n- b\n\n1. c\n'
  expect(readTerms(text)).toEqual([
    {
      heading: [{ kind: 'text', text: 'One' }],
      clauses: [
        {
          heading: [{ kind: 'text', text: 'First' }],
          blocks: [
            {
              kind: 'paragraph',
              content: [
                { kind: 'text', text: 'Some ' },
                { kind: 'em', content: [{ kind: 'text', text: 'soft' }] },
                { kind: 'text', text: ' and ' },
                { kind: 'strong', content: [{ kind: 'text', text: 'hard' }] },
                { kind: 'text', text: ' words.' },
              ],
            },
            {
              kind: 'list',
              isOrdered: false,
              items: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
            },
            { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'c' }]] },
          ],
        },
      ],
    },
  ])
})

test.each([
  ['HTML', '<script>alert(1)</script>'],
  ['HTML within a line', 'a <b>c</b>'],
  ['an HTML comment', '<!-- a -->'],
  ['a link', '[a](https://example.org)'],
  ['a link by reference', '[a][b]\n\n[b]: https://example.org'],
  ['an address as a link', '<https://example.org>'],
  ['an image', '![a](https://example.org/a.png)'],
  ['code', '`a`'],
  ['a block of code', '    a'],
  ['a quotation', '> a'],
  ['a rule', '***'],
  ['a deeper heading', '### a'],
  ['a list within a list', '- a\n  - b'],
  ['two paragraphs in one item', '- a\n\n  b'],
])('%s is refused', (_what, body) => {
  expect(() => readTerms(`# One\n\n## First\n\n${body}\n`)).toThrow(TermsFormatError)
})

test.each(['Text before', '## Clause before a part', '# Part\n\nText before a clause'])(
  'content outside a clause is refused: %s',
  (text) => {
    expect(() => readTerms(text)).toThrow(TermsFormatError)
  },
)

function plain(content: readonly TermsInline[]): string {
  return content.map((one) => (one.kind === 'text' ? one.text : plain(one.content))).join('')
}

test('the default privacy notice names its support address and has the same clauses in both languages', () => {
  for (const text of [DEFAULT_PRIVACY.id, DEFAULT_PRIVACY.en]) {
    expect(placeholderProblems('privacy', text)).toEqual({ missing: undefined, unknown: undefined })
    expect(shapeOf(readTerms(text))).toEqual([5, 3, 3])
  }
  expect(placeholderProblems('privacy', '{{claim_fee_percentage}}')).toEqual({
    ...{ missing: 'support_email', unknown: 'claim_fee_percentage' },
  })
})

test('a changed privacy notice has a new version', () => {
  const whole = `${DEFAULT_PRIVACY.id}${DEFAULT_PRIVACY.en}`
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16)
  expect({ [constants.PRIVACY_VERSION]: digest }).toEqual({ '2026-11-28': 'c93b535fc1101869' })
})
