import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** Values on disk, in the order in which they were appended. */
export type Spool<T> = {
  append(value: T): Promise<void>
  /** Forgets everything appended so far. */
  empty(): Promise<void>
  read(): AsyncGenerator<T>
  close(): Promise<void>
}

/** Opens a temporary file that is already unlinked, so that it disappears with the process, however that ends. */
export async function openSpool<T>(): Promise<Spool<T>> {
  const folder = await mkdtemp(join(tmpdir(), 'dct-'))
  const file = await open(join(folder, 'spool'), 'ax+', 0o600)
  await rm(folder, { recursive: true })
  let ends: number[] = []
  return {
    async append(value) {
      const bytes = serialize(value)
      await file.appendFile(bytes)
      ends.push((ends.at(-1) ?? 0) + bytes.length)
    },
    async empty() {
      ends = []
      await file.truncate()
    },
    async *read() {
      let start = 0
      for (const end of ends) {
        const bytes = Buffer.alloc(end - start)
        await file.read(bytes, 0, bytes.length, start)
        yield deserialize(bytes) as T
        start = end
      }
    },
    close: () => file.close(),
  }
}
