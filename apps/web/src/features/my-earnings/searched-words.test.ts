import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLAIM_WORDS, LAPSED_CYCLE_WORD } from '@dct/api-contract/searched-words'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '../../..')
const catalogue = readFileSync(join(WEB, 'locales/id.po'), 'utf8')
const entries = [...catalogue.matchAll(/^msgctxt "earnings\..*"\nmsgid "(.*)"\nmsgstr "(.*)"$/gm)]

test.each([...Object.values(CLAIM_WORDS).flat(), LAPSED_CYCLE_WORD])(
  'the rows say "%s" and "%s", as the service searches for it',
  (english, indonesian) => {
    const shown = entries.filter(
      ([, id, text]) => id?.includes(english) && text?.includes(indonesian),
    )
    expect(shown).not.toEqual([])
  },
)
