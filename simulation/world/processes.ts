/**
 * The processes of the service. They share this one, but each has its own connections and memory, and each can die
 * between any two statements or requests: from then on nothing of it reaches the database or the network.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { giveBack } from './connections.ts'

/** The process was killed; whatever it was doing is over. */
export class Killed extends Error {
  override name = 'Killed'
}

/** The database does not answer, or has no room left. */
export type DatabaseTrouble = 'silent' | 'full'

export class SimulatedProcess {
  readonly name: string
  isDead = false
  /** How many more statements and requests it makes before it dies; undefined if it lives on. */
  fuse: number | undefined
  /** Whether the last one still takes effect, though its answer is never seen. */
  diesAfter = false
  readonly clients = new Set<pg.Client>()

  constructor(name: string) {
    this.name = name
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return running.run(this, work)
  }

  /** Counts one statement or request. @returns whether this one is the last, and takes effect */
  tick(): boolean {
    if (this.isDead) throw new Killed(this.name)
    if (this.fuse === undefined) return false
    this.fuse -= 1
    if (this.fuse > 0) return false
    if (this.diesAfter) return true
    throw this.die()
  }

  die(): Killed {
    this.isDead = true
    for (const client of this.clients) if (!giveBack(client)) streamOf(client)?.destroy()
    return new Killed(this.name)
  }
}

const running = new AsyncLocalStorage<SimulatedProcess>()
let trouble: DatabaseTrouble | undefined

export function currentProcess(): SimulatedProcess | undefined {
  return running.getStore()
}

export function setDatabaseTrouble(now: DatabaseTrouble | undefined): void {
  trouble = now
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown
type Connect = (this: pg.Client, ...args: unknown[]) => unknown

/** Makes every statement of a process countable. */
export function watchStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query; connect: Connect }
  const { query, connect } = prototype
  prototype.connect = function (...args) {
    const owner = running.getStore()
    if (owner?.isDead || (owner && trouble === 'silent')) {
      const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      const callback = args.at(-1)
      if (typeof callback !== 'function') return Promise.reject(error)
      callback(error)
      return undefined
    }
    owner?.clients.add(this)
    return connect.apply(this, args)
  }
  prototype.query = function (...args) {
    const owner = running.getStore()
    // Pools and the listener for signals use callbacks; they are connections' own affairs.
    if (owner === undefined || typeof args.at(-1) === 'function') return query.apply(this, args)
    const send = () => query.apply(this, prepared(args)) as Promise<unknown>
    return edge(owner, args, args[0] === 'begin' ? () => beginWith(this, send) : send)
  }
}

const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] }

/** Nobody needs the answer to a `begin`: it goes out in one write with the next statement, which fails if it did. */
async function beginWith(client: pg.Client, send: () => Promise<unknown>): Promise<unknown> {
  const { stream } = client.connection
  stream.cork()
  // The next statement fails with it, and is awaited.
  send().catch(() => undefined)
  setImmediate(() => stream.uncork())
  return BEGUN
}

/** Statements are parsed and planned once for each connection: with tables as small as these, that is most of their cost. */
function prepared(args: unknown[]): unknown[] {
  const [text, values] = args
  if (
    typeof text !== 'string' ||
    (!(Array.isArray(values) && values.length > 0) && !READS.test(text))
  )
    return args
  return [{ name: nameFor(text), text, values: values ?? [] }]
}

const READS = /^\s*(select|with)\b/i

const names = new Map<string, string>()
function nameFor(text: string): string {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}

const WRITES = /^\s*(insert|update|with|do|select pg_notify)\b/i

async function edge(
  owner: SimulatedProcess,
  args: readonly unknown[],
  send: () => Promise<unknown>,
) {
  const isLast = owner.tick()
  if (trouble === 'silent')
    throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
  if (trouble === 'full' && WRITES.test(textOf(args[0]))) {
    throw Object.assign(new Error('could not extend file: No space left on device'), {
      code: '53100',
    })
  }
  const answer = await send()
  if (isLast || owner.isDead) throw owner.die()
  return answer
}

function textOf(statement: unknown): string {
  return typeof statement === 'string'
    ? statement
    : String((statement as { text?: string }).text ?? '')
}

/** One that has ended may have handed its connection on. */
function streamOf(client: pg.Client): { destroy(): void } | undefined {
  const { connection, _ended } = client as unknown as {
    connection?: { stream?: { destroy(): void } }
    _ended: boolean
  }
  return _ended ? undefined : connection?.stream
}
