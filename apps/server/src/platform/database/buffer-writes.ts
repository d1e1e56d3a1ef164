import type pg from 'pg'

/** Buffers what is written to a connection, and sends it in one write when this turn of the event loop ends. */
export function bufferWrites({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
