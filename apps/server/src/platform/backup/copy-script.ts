/** The line that ends a table's rows in a dump. */
const END = Buffer.from('\\.\n')
const END_AFTER_ROWS = Buffer.from('\n\\.\n')

/** Reads COPY statements and their rows from a dump, piece by piece. */
export class CopyScript {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next line without its break; undefined at the end. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const at = this.#rest.indexOf('\n')
      if (at >= 0) return this.#take(at + 1).toString('utf8', 0, at)
      if (!(await this.#more())) return undefined
    }
  }

  /** The rows of a table, in pieces of whole lines. @throws RangeError when the dump ends before the rows do */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#rest.subarray(0, END.length).equals(END)) {
        this.#take(END.length)
        return
      }
      const end = this.#rest.indexOf(END_AFTER_ROWS)
      const through = end >= 0 ? end + 1 : this.#rest.lastIndexOf('\n') + 1
      if (through > 0) yield this.#take(through)
      else if (!(await this.#more())) throw new RangeError('the dump ends before the rows do')
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return taken
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done === true) return false
    this.#rest = Buffer.concat([this.#rest, next.value])
    return true
  }
}
