import { expect, onTestFinished, test } from 'vitest'
import { i18n } from '../i18n/texts.ts'
import { textsOf, toHtml } from '../testing/to-html.tsx'
import { TermsView } from './terms-view.tsx'

const texts = {
  id: '# Bagian\n\n## Klausul\n\nTeks Indonesia.\n',
  en: '# Part\n\n## Clause\n\nEnglish text.\n',
}
/** What is in view, and what is folded. */
const halves = () => toHtml(<TermsView texts={texts} />).split('<details')

test('the terms are whole in the language of the page first, and folded in the other', () => {
  onTestFinished(() => i18n.activate('en'))
  const [english = '', otherOfEnglish = ''] = halves()
  expect(textsOf(english)).toBe('Part Clause English text.')
  expect(textsOf(otherOfEnglish)).toContain('Bagian Klausul Teks Indonesia.')
  i18n.loadAndActivate({ locale: 'id', messages: {} })
  const [indonesian = '', otherOfIndonesian = ''] = halves()
  expect(textsOf(indonesian)).toBe('Bagian Klausul Teks Indonesia.')
  expect(textsOf(otherOfIndonesian)).toContain('Part Clause English text.')
})
