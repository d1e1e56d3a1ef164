import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { forgetOutdated, nameOf } from './statement-names.ts'

/** As many connections serve all reads of a process. */
const CONNECTIONS = 4
/** As many statements go to one connection before the next one is used, until they have left. */
const SENT_TOGETHER = 8
/** A connection that has answered nothing for this long is busy with something slow: others are used meanwhile. */
const SLOW_MS = 10
/** Longer than any queue. */
const SLOW_LOAD = 1e9

type Shared = {
  client: pg.Client
  handle: PostgresPoolClient
  isOpen: boolean
  /** Statements that are not answered yet. */
  waiting: number
  /** When it last answered, or began to wait for an answer; on the monotonic clock. */
  movedAt: number
  /** Statements that leave when this turn of the event loop ends. */
  unsent: number
}

/**
 * Connections that all calls of a process share, for single statements that only read. A call waits for no connection
 * of its own: its statements go at once, behind those of others, and what is sent within one turn of the event loop
 * leaves in one write. Whatever writes or may wait for a lock goes to `pool`, so that nothing waits behind it.
 */
export function shareConnections(pool: pg.Pool): PostgresPool {
  const slots = Array.from({ length: CONNECTIONS }, () => createSlot(pool))
  return {
    options: pool.options,
    connect: async () => (await leastBusy(slots).connect()).handle,
    async end() {
      await Promise.all(slots.map((slot) => slot.end()))
    },
  }
}

type Slot = { connect(): Promise<Shared>; load(): number; end(): Promise<void> }

/** One connection, opened at its first use and again after it broke. */
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

/** How long the queue of a connection is; those that still collect statements for one write come first. */
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
  const client = new pg.Client({ ...pool.options, pipeline: true })
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

/** Holds back what is written to a connection until this turn of the event loop ends. */
function collect(shared: Shared): void {
  shared.unsent += 1
  if (shared.unsent > 1) return
  const { stream } = shared.client.connection
  stream.cork()
  setImmediate(() => {
    shared.unsent = 0
    stream.uncork()
  })
}

const READS = /^\s*(select|with)\b/i
const WRITES =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|for\s+(key\s+)?share|nextval|pg_notify|\w*advisory\w*)\b/i
/** What is known of statements; as many as a process may send in its life are few. */
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
