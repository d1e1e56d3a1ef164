import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from './db.ts'
import { WatchedClient } from './watched-client.ts'

const RETRY_MS = 1_000
const CONNECT_MS = 3_000
/** Between two questions on the connection, which would otherwise never notice that it is silent. */
const HEARTBEAT_MS = 5_000
const PROBE = 'signal_probe'
const PROBE_TRIES = 30
const PROBE_PAUSE_MS = 100

export type SignalListener = {
  /** Whether signals are being received. */
  isLive(): boolean
  stop(): Promise<void>
}

/** Passes each payload once to every process that listens to the channel, at commit. */
export async function signal(
  db: Db | Tx,
  channel: string,
  payloads: readonly string[],
): Promise<void> {
  if (payloads.length === 0) return
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`.execute(
    db,
  )
}

/**
 * Listens for the database's signals (`pg_notify`) on the channels named in `onSignal`, over a dedicated
 * connection that is reopened whenever it breaks. `onLost` is called when signals may have been missed.
 */
export function listenForSignals(
  { url }: { url: string },
  {
    onSignal,
    onLost,
  }: { onSignal: Readonly<Record<string, (payload: string) => void>>; onLost: () => void },
): SignalListener {
  let client: pg.Client | undefined
  let isLive = false
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const own = new WatchedClient({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
    client = own
    // A failure also ends the connection, which is what counts.
    const ask = () => void own.query('select 1').catch(() => undefined)
    const heartbeat = setInterval(ask, HEARTBEAT_MS).unref()
    const onBroken = () => {
      clearInterval(heartbeat)
      if (client !== own) return
      client = undefined
      isLive = false
      onLost()
      if (!isStopped) retry = setTimeout(() => void connect(), RETRY_MS).unref()
    }
    own.on('error', onBroken)
    own.on('end', onBroken)
    own.on('notification', ({ channel, payload = '' }) => onSignal[channel]?.(payload))
    try {
      await own.connect()
      const channels = Object.keys(onSignal)
      await own.query(channels.map((name) => `listen ${own.escapeIdentifier(name)}`).join(';'))
      isLive = client === own
    } catch {
      onBroken()
      await own.end()
    }
  }
  const opening = connect()
  return {
    isLive: () => isLive,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await opening
      await client?.end()
    },
  }
}

/** Whether signals reach a listener at this address: not through a pooler that shares sessions between clients. */
export async function doSignalsArrive(db: Db, address: { url: string }): Promise<boolean> {
  const heard = Promise.withResolvers<true>()
  const probe = randomUUID()
  const onProbe = (payload: string) => payload === probe && heard.resolve(true)
  const listener = listenForSignals(address, {
    onSignal: { [PROBE]: onProbe },
    onLost: () => undefined,
  })
  try {
    for (let tries = 0; tries < PROBE_TRIES; tries += 1) {
      await signal(db, PROBE, [probe])
      if (await Promise.race([heard.promise, sleep(PROBE_PAUSE_MS, false)])) return true
    }
    return false
  } finally {
    await listener.stop()
  }
}
