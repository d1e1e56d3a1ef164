import { Lexer, type Token, type Tokens } from 'marked'

export type TermsText = { kind: 'text'; text: string }
export type TermsInline = TermsText | { kind: 'strong' | 'em'; content: readonly TermsInline[] }
export type TermsBlock =
  | { kind: 'paragraph'; content: readonly TermsInline[] }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly TermsInline[])[] }
export type TermsClause = { heading: readonly TermsInline[]; blocks: readonly TermsBlock[] }
export type TermsPart = { heading: readonly TermsInline[]; clauses: readonly TermsClause[] }

/** Terms contain something that this product does not display; `excerpt` shows where. */
export class TermsFormatError extends Error {
  override name = 'TermsFormatError'
  readonly excerpt: string

  constructor(raw: string) {
    const excerpt = raw.trim().slice(0, 60)
    super(`Not allowed in terms: ${excerpt}`)
    this.excerpt = excerpt
  }
}

const PART_DEPTH = 1
const CLAUSE_DEPTH = 2

/**
 * Reads terms written in a part of Markdown: `# part`, `## clause`, paragraphs, lists of one level, *emphasis* and
 * **strong**. Everything else is refused, in particular HTML and links, because terms must not lead anywhere else.
 * @throws TermsFormatError
 */
export function readTerms(markdown: string): TermsPart[] {
  const parts: { heading: readonly TermsInline[]; clauses: Mutable[] }[] = []
  for (const token of Lexer.lex(markdown, { gfm: false })) {
    if (token.type === 'space') continue
    if (isHeading(token, PART_DEPTH)) {
      parts.push({ heading: readInlines(token.tokens), clauses: [] })
      continue
    }
    const clauses = parts.at(-1)?.clauses
    if (isHeading(token, CLAUSE_DEPTH) && clauses !== undefined) {
      clauses.push({ heading: readInlines(token.tokens), blocks: [] })
      continue
    }
    const clause = clauses?.at(-1)
    if (clause === undefined) throw new TermsFormatError(token.raw)
    clause.blocks.push(readBlock(token))
  }
  return parts
}

type Mutable = { heading: readonly TermsInline[]; blocks: TermsBlock[] }

/** The number of clauses of each part; both languages of the terms must have the same. */
export function shapeOf(parts: readonly TermsPart[]): number[] {
  return parts.map(({ clauses }) => clauses.length)
}

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === 'heading' && token.depth === depth
}

function readBlock(token: Token): TermsBlock {
  if (token.type === 'paragraph') return { kind: 'paragraph', content: readInlines(token.tokens) }
  if (token.type !== 'list') throw new TermsFormatError(token.raw)
  const { ordered, items } = token as Tokens.List
  return { kind: 'list', isOrdered: ordered, items: items.map(readItem) }
}

/** An item is one line of text: no nested list and no checkbox. */
function readItem(item: Tokens.ListItem): TermsInline[] {
  const [line, ...others] = item.tokens.filter(({ type }) => type !== 'space')
  const isLine = line?.type === 'text' || line?.type === 'paragraph'
  if (!isLine || others.length > 0 || item.task) throw new TermsFormatError(item.raw)
  return readInlines((line as Tokens.Text | Tokens.Paragraph).tokens)
}

function readInlines(tokens: readonly Token[] | undefined): TermsInline[] {
  return (tokens ?? []).map((token) => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return { kind: 'text', text: token.text }
      case 'br':
        return { kind: 'text', text: ' ' }
      case 'strong':
      case 'em':
        return { kind: token.type, content: readInlines(token.tokens) }
      default:
        throw new TermsFormatError(token.raw)
    }
  })
}
