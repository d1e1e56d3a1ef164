import { separatorsOf } from './local-decimal.ts'
import { typedText } from './typed-text.ts'

/**
 * A typed number as a plain decimal, or why it is none. `unclear`: its only separator may mean thousands or decimals;
 * `unit`: it is an amount of something else; `number`: anything else that is not a number.
 */
export type ReadDecimal =
  | { plain: string; problem?: undefined }
  | { plain?: undefined; problem: 'empty' | 'unclear' | 'unit' | 'number' }

/**
 * Reads a typed number, possibly negative. Comma and point are both accepted as decimal separators and as thousands
 * separators, as long as only one reading is possible; a lone separator that could be either counts as the language's
 * decimal sign, and is unclear if it is not that ("10.500" in Indonesian, "10,500" in English).
 * @param unit may stand beside the number, in any case ("25 DCT")
 */
export function parseLocalDecimal(typed: string, language: string, unit = ''): ReadDecimal {
  const text = typedText(typed)
  if (text === '') return { problem: 'empty' }
  const [, before = '', number = '', after = ''] = AMOUNT.exec(text) ?? []
  const isOwn = (word: string) => word.toLowerCase() === unit.toLowerCase()
  if (![before, after].every((word) => word === '' || isOwn(word))) return { problem: 'unit' }
  const [, sign = '', body = ''] = /^([-+\u2212\u2013]?) ?(.*)$/.exec(number) ?? []
  const digits = body
    .replaceAll(/[ '\u2019\u02bc\u066c]/g, CLEAR_GROUP)
    .replaceAll('\u066b', CLEAR_POINT)
  const separators = findRoles(digits, separatorsOf(language).point)
  if (separators === undefined) return { problem: 'unclear' }
  const plain = withoutGroups(digits, separators)
  if (plain === undefined) return { problem: 'number' }
  return { plain: (sign === '' || sign === '+' ? '' : '-') + plain }
}

/** `parseLocalDecimal` for callers that need not know why. @returns undefined if it is not a clear number */
export function readLocalDecimal(typed: string, language: string, unit = ''): string | undefined {
  return parseLocalDecimal(typed, language, unit).plain
}

/** A word or sign, a number, a word or sign; the number must have a digit. */
const AMOUNT =
  /^([\p{L}%\p{Sc}]*) ?([-+\u2212\u2013]? ?[\d.,\u066b\u066c][\d.,'\u2019\u02bc\u066b\u066c ]*?) ?([\p{L}%\p{Sc}]*)$/u
/** Signs that have only one meaning: Arabic has its own decimal sign; a space or apostrophe separates thousands. */
const CLEAR_POINT = 'p'
const CLEAR_GROUP = 'g'
const COULD_BE_EITHER = /^[1-9]\d{0,2}[.,]\d{3}$/

type Roles = { point: string; group: string }

/** Which sign is which; undefined if that cannot be told. */
function findRoles(digits: string, languagePoint: string): Roles | undefined {
  const dots = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (digits.includes(CLEAR_POINT)) {
    return { point: CLEAR_POINT, group: dots > 0 ? '.' : commas > 0 ? ',' : CLEAR_GROUP }
  }
  if (dots > 0 && commas > 0) {
    const isPointLast = digits.lastIndexOf('.') > digits.lastIndexOf(',')
    return isPointLast ? { point: '.', group: ',' } : { point: ',', group: '.' }
  }
  const only = dots > 0 ? '.' : ','
  if (dots + commas > 1) return { point: CLEAR_POINT, group: only }
  if (only !== languagePoint && COULD_BE_EITHER.test(digits)) return undefined
  return { point: only, group: CLEAR_GROUP }
}

/** The number with a point and without groups; undefined if it is not written as one. */
function withoutGroups(digits: string, { point, group }: Roles): string | undefined {
  const [whole = '', fraction = '', ...more] = digits.split(point)
  const groups = whole.split(group)
  const areGroups =
    groups.length === 1 || groups.every((part, at) => (at === 0 ? FIRST : NEXT).test(part))
  const joined = groups.join('')
  if (more.length > 0 || !areGroups || !/^\d*$/.test(joined + fraction)) return undefined
  if (joined + fraction === '') return undefined
  return `${joined || '0'}${fraction && `.${fraction}`}`
}

const FIRST = /^[1-9]\d{0,2}$/
const NEXT = /^\d{3}$/
