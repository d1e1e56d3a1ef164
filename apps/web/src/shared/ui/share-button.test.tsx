import { expect, onTestFinished, test, vi } from 'vitest'
import { textsOf, toHtml } from '../testing/to-html.tsx'
import { ShareButton } from './share-button.tsx'

test('a link can be shared in the device’s own way where it has one', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('navigator', {})
  expect(toHtml(<ShareButton url="https://example.org" />)).toBe('')
  vi.stubGlobal('navigator', { share: async () => undefined })
  expect(textsOf(toHtml(<ShareButton url="https://example.org" />))).toBe('Share')
})
