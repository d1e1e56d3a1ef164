import { startForwarder } from '@dct/local-services/testing/forwarder'

/** When the connection breaks around a COMMIT. In both cases the client does not learn the outcome. */
export type Cut = 'before it reached the database' | 'after it took effect'
export type CommitCutter = { url: string; cutNext(cut: Cut): void; stop(): void }

const SAID = {
  'before it reached the database': { from: 'client', text: 'commit\0' },
  'after it took effect': { from: 'target', text: 'COMMIT\0' },
} as const

/** A proxy address of the database that can break a connection at the next COMMIT. */
export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  let cut: Cut | undefined
  const forwarder = await startForwarder({
    target: () => target,
    passes(bytes, from) {
      const isCut = cut !== undefined && SAID[cut].from === from && bytes.includes(SAID[cut].text)
      if (isCut) cut = undefined
      return !isCut
    },
  })
  url.hostname = '127.0.0.1'
  url.port = `${forwarder.port}`
  return {
    url: url.href,
    cutNext(next) {
      cut = next
    },
    stop: forwarder.stop,
  }
}
