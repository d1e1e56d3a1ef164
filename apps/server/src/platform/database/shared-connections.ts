import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { bufferWrites } from './buffer-writes.ts'
import { forgetOutdated, nameOf } from './statement-names.ts'
import { WatchedClient } from './watched-client.ts'

/** The number of connections that serve all reads of a process. */
export const SHARED_CONNECTIONS = 4
/** How many statements are collected for one write to a connection before another connection is used. */
const SENT_TOGETHER = 8
/** A connection that has answered nothing for this long is busy with a slow statement: others are preferred. */
const SLOW_MS = 10
/** Added to the load of a slow connection; more than the length of any queue. */
const SLOW_LOAD = 1e9

type Shared = {
  client: pg.Client
  handle: PostgresPoolClient
  isOpen: boolean
  /** Statements that are not answered yet. */
  waiting: number
  /** When it last answered, or began to wait for an answer; on the monotonic clock. */
  movedAt: number
  /** Statements that are sent when this turn of the event loop ends. */
  unsent: number
}

/**
 * Connections that all calls of a process share, for single statements that only read. A call never waits for a free
 * connection: its statements are sent immediately, queued behind those of others, and everything sent within one turn
 * of the event loop goes out in one write. Statements that write or may wait for a lock go to `pool`, so that no read
 * waits behind them.
 */
export function shareConnections(pool: pg.Pool): PostgresPool {
  const slots = Array.from({ length: SHARED_CONNECTIONS }, () => createSlot(pool))
  return {
    options: pool.options,
    connect: async () => (await leastBusy(slots).connect()).handle,
    async end() {
      await Promise.all(slots.map((slot) => slot.end()))
    },
  }
}

type Slot = { connect(): Promise<Shared>; load(): number; end(): Promise<void> }

/** One connection, opened on first use and reopened after it breaks. */
function createSlot(pool: pg.Pool): Slot {
  let opening: Promise<Shared> | undefined
  let present: Shared | undefined
  const open = async () => {
    try {
      present = await openShared(pool)
      return present
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    connect() {
      if (present?.isOpen === false) {
        opening = undefined
        present = undefined
      }
      opening ??= open()
      return opening
    },
    load: () => loadOf(present),
    async end() {
      await opening?.then(({ client }) => client.end())
    },
  }
}

/** The length of a connection's queue; a connection that is still collecting statements for one write comes first. */
function loadOf(shared: Shared | undefined): number {
  if (shared === undefined || shared.waiting === 0) return 0
  if (performance.now() - shared.movedAt > SLOW_MS) return SLOW_LOAD + shared.waiting
  const isCollecting = shared.unsent > 0 && shared.unsent < SENT_TOGETHER
  return isCollecting ? -1 : shared.waiting
}

function leastBusy(slots: readonly Slot[]): Slot {
  return slots.reduce((best, slot) => (slot.load() < best.load() ? slot : best))
}

async function openShared(pool: pg.Pool): Promise<Shared> {
  const client = new WatchedClient({ ...pool.options, pipeline: true })
  const ask = async (text: string, values: readonly unknown[] = []) => {
    if (!onlyReads(text)) return pool.query(text, [...values])
    try {
      return await send(shared, text, values)
    } catch (error) {
      if (!forgetOutdated(error)) throw error
      return send(shared, text, values)
    }
  }
  const handle = { query: ask, release: () => undefined } as unknown as PostgresPoolClient
  const shared: Shared = { client, handle, isOpen: true, waiting: 0, movedAt: 0, unsent: 0 }
  const close = () => {
    shared.isOpen = false
  }
  client.on('error', close)
  client.on('end', close)
  await client.connect()
  await pool.options.onConnect?.(client)
  return shared
}

async function send(shared: Shared, text: string, values: readonly unknown[]) {
  collect(shared)
  const name = nameOf(text)
  if (shared.waiting === 0) shared.movedAt = performance.now()
  shared.waiting += 1
  try {
    return await shared.client.query({ ...(name && { name }), text, values: [...values] })
  } finally {
    shared.waiting -= 1
    shared.movedAt = performance.now()
  }
}

function collect(shared: Shared): void {
  shared.unsent += 1
  if (shared.unsent > 1) return
  bufferWrites(shared.client)
  setImmediate(() => {
    shared.unsent = 0
  })
}

const READS = /^\s*(select|with)\b/i
const WRITES =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|for\s+(key\s+)?share|nextval|pg_notify|\w*advisory\w*)\b/i
/** The maximum number of statements whose kind is remembered. A process rarely sends this many different ones. */
const MOST_KNOWN = 5_000
const known = new Map<string, boolean>()

function onlyReads(text: string): boolean {
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size === MOST_KNOWN) known.clear()
  const isRead = READS.test(text) && !WRITES.test(text)
  known.set(text, isRead)
  return isRead
}
