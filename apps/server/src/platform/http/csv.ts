import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { BUSINESS_ZONE_NAME, type BusinessDay, businessTimeOf } from '../clock.ts'

/** One field of a row in a file. Objects are written as JSON. */
type Cell = unknown
type Row = Readonly<Record<string, Cell>>

/** An instant as replies contain it. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
/**
 * Spreadsheets treat a text that begins with one of these as a formula, and may run it. Where another character than the
 * comma separates fields, which differs by country, they begin a field after each `;`, tab, `|` or line end, ignore quotes
 * that do not, and drop those that do.
 */
const FORMULA = /(?<=^|[;|\t\r\n])(?=[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
/** Without it, spreadsheets do not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** One line of a CSV file (RFC 4180), in which no text can act as a formula, and instants are in business time. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  const plain = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  const text = INSTANT.test(plain) ? inBusinessTime(plain) : plain
  const harmless = PLAIN_NUMBER.test(text) ? text : text.replace(FORMULA, "'")
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** "2026-02-01 00:00:00 UTC+7": its day is the one that lists show and filters use. */
function inBusinessTime(instant: string): string {
  return `${businessTimeOf(new Date(instant))} ${BUSINESS_ZONE_NAME}`
}

const WHOLE = 'The whole list as a file, filtered and sorted; page and limit do not apply.'

/**
 * The schema of a list that is answered page by page, and as a file when the query says `format=csv`, or names another
 * of its formats.
 */
export function listOrFile<
  Q extends TProperties,
  R extends TSchema,
  const F extends readonly string[] = readonly ['csv'],
>(query: TObject<Q>, reply: R, formats?: F) {
  const names = [...(formats ?? ['csv'])] as F[number][]
  const format = Type.Optional(
    Type.Unsafe<F[number]>({ type: 'string', enum: names, description: WHOLE }),
  )
  return {
    querystring: Type.Object({ ...query.properties, format }, { additionalProperties: false }),
    response: {
      200: {
        description: 'One page, or the file.',
        content: { 'application/json': { schema: reply }, 'text/csv': { schema: Type.String() } },
      },
    },
  }
}

type CsvFile = {
  /** The file name without its day. */
  name: string
  day: BusinessDay
  /** The schema of a row: its fields are the columns. */
  row: { properties: TProperties }
  batches: AsyncGenerator<readonly Row[]>
  /** For a program that would read a byte order mark as part of the first header. */
  isForProgram?: boolean
}

/**
 * Streams a CSV file, holding one batch of rows in memory. The first batch is read before the response begins, so that
 * a refusal is still answered as an error.
 */
export async function sendCsv(reply: FastifyReply, file: CsvFile): Promise<FastifyReply> {
  const { batches, row, isForProgram = false } = file
  const columns = Object.keys(row.properties)
  const header = (isForProgram ? '' : BYTE_ORDER_MARK) + csvLine(columns)
  const first = await batches.next()
  const stream = Readable.from(linesOf({ header, columns, first }, batches), { objectMode: false })
  // Closes the cursor even if the client disconnects before the end.
  stream.once('close', () => void batches.return(undefined))
  return reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${file.name}-${file.day}.csv"`)
    .send(stream)
}

type Start = { header: string; columns: readonly string[]; first: IteratorResult<readonly Row[]> }

async function* linesOf(
  { header, columns, first }: Start,
  batches: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  yield header
  for (let next = first; next.done !== true; next = await batches.next()) {
    yield next.value.map((row) => csvLine(columns.map((column) => row[column]))).join('')
  }
}
