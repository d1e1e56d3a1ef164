const UNIT = String.raw`(?:[ \u00a0](?:DCT|USDT|TRX|BNB)(?![\p{L}\p{N}]))?`

/** What no translator may touch, the longest form first. A token with a digit is a figure, a date, a code or an address. */
const FIGURES = [
  String.raw`https?://[^\s<>"]*[^\s<>".,;:!?)]`,
  String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  // Days and instants in words: 5 Apr 2026, 14.05 or April 5, 2026
  String.raw`\d{1,2} \p{L}{3,}\.? \d{4}(?:(?:,| pukul)? \d{2}[.:]\d{2}(?:[.:]\d{2})?)?`,
  String.raw`\p{Lu}\p{L}{2,} \d{1,2}, \d{4}`,
  String.raw`UTC[+-]\d+`,
  // Shortened addresses and hashes: TXYZa...bcdEf
  String.raw`\w+\.\.\.\w+`,
  // Codes that happen to contain no digit: of plans and claims, and of referrals
  String.raw`(?<![\p{L}\p{N}])[A-Z]+(?:-[A-Z\d]+)+`,
  String.raw`(?<![\p{L}\p{N}])[A-Z]{8}(?![\p{L}\p{N}])`,
  String.raw`[-+−±≈~$#]?[\p{L}\p{N}_]*\d(?:[\p{L}\p{N}_.,:/'’%+–-]*[\p{L}\p{N}_%+])?%?${UNIT}`,
]
const FIGURE = new RegExp(`(${FIGURES.join('|')})`, 'u')

/** The hyphens of codes with their neighbours: PLAN-360, CL-66E98FAA5E6883C9. */
const HYPHENS = /([A-Z\d](?:-[A-Z\d])+)/

/** Splits a text into words and figures, which alternate: those with an odd index are figures. */
export function splitFigures(text: string): string[] {
  return text.split(FIGURE)
}

/** Splits a figure at hyphens that no line may break after: those with an odd index. */
export function splitHyphens(figure: string): string[] {
  return figure.split(HYPHENS)
}
