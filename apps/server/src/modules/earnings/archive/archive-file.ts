import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { CycleRow } from './archive.queries.ts'

const HEADER = 'earning_id,day,cycle,amount,lapsed_amount\n'

/** The text of an archive file: one line per cycle, amounts in base units. */
export async function* csvOf(batches: AsyncIterable<readonly CycleRow[]>): AsyncGenerator<string> {
  yield HEADER
  for await (const rows of batches) {
    yield rows
      .map((r) => `${r.earning_id},${r.day},${r.cycle},${r.amount},${r.lapsed_amount ?? ''}\n`)
      .join('')
  }
}

/** The SHA-256 of a text. */
export async function digestOf(text: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const part of text) hash.update(part)
  return hash.digest()
}

/**
 * Writes a text to a new compressed file and waits until it is on disk.
 * @returns the text's SHA-256
 */
export async function writeCompressed(path: string, text: AsyncIterable<string>): Promise<Buffer> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const part of text) {
      hash.update(part)
      yield part
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(hashed()), createGzip(), file)
  return hash.digest()
}

/** The SHA-256 of the text in a compressed file. */
export function digestOfFile(path: string): Promise<Buffer> {
  return digestOf(createReadStream(path).pipe(createGunzip()))
}
