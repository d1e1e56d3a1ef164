/**
 * How people read and write decimals. Programs exchange plain ones ("1234.500000"), and so do CSV files and copy
 * buttons.
 */

const PLAIN = /^([-+]?)(\d+)(\.\d+)?$/

/** Numbers in English are written as the service sends them, without a thousands separator. */
const ENGLISH = { point: '.', group: '' }
const known = new Map<string, typeof ENGLISH>([['en', ENGLISH]])

function separatorsOf(language: string): typeof ENGLISH {
  const found = known.get(language) ?? findSeparators(language)
  known.set(language, found)
  return found
}

function findSeparators(language: string): typeof ENGLISH {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8)
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { point: sign('decimal') || '.', group: sign('group') }
}

/** Writes a plain decimal in the notation of a language; anything else is returned unchanged. */
export function localDecimal(plain: string, language: string): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(plain) ?? []
  if (whole === undefined) return plain
  const { point, group } = separatorsOf(language)
  return sign + whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group) + fraction.replace('.', point)
}

/**
 * Reads a typed number, possibly negative, as a plain decimal. Comma and point are both accepted as decimal separators,
 * and so are the language's thousands separators.
 * @returns undefined if it is not a number, or if its only separator could be of either kind ("10.500" in Indonesian)
 */
export function readLocalDecimal(typed: string, language: string): string | undefined {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/s.exec(typed.trim()) ?? []
  const plain = withoutGroups(digits, separatorsOf(language))
  const match = plain === undefined ? null : /^(\d*)(?:[.,](\d*))?$/.exec(plain)
  const [, whole = '', fraction = ''] = match ?? []
  if (whole + fraction === '') return undefined
  return `${sign}${whole || '0'}${fraction && `.${fraction}`}`
}

function withoutGroups(digits: string, { point, group }: typeof ENGLISH): string | undefined {
  if (group === '' || !digits.includes(group)) return digits
  const [whole = '', ...fractions] = digits.split(point)
  const groups = whole.split(group)
  const areGroups =
    groups.length > 1 && groups.every((part, at) => (at === 0 ? FIRST : NEXT).test(part))
  if (!areGroups) return digits
  const isClear = groups.length > 2 || fractions.length > 0 || !/[.,]/.test(group)
  return isClear ? [groups.join(''), ...fractions].join(point) : undefined
}

const FIRST = /^[1-9]\d{0,2}$/
const NEXT = /^\d{3}$/
