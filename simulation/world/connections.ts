/**
 * Connections to PostgreSQL that outlive the processes and stories that open them. A new one costs more than a hundred
 * statements: a process of the server, what it reads of the schema, the plan of every statement. What ends a connection
 * in good order hands it on; the next one to the same database gets it with everything that it has prepared.
 */
import pg from 'pg'

type Listener = (...args: unknown[]) => void
type Connection = {
  stream: { destroyed: boolean; destroy(): void }
  connect(...place: unknown[]): void
  on(event: string, listener: Listener): void
  once(event: string, listener: Listener): void
  emit(event: string, ...args: unknown[]): void
  removeAllListeners(): void
}
/** What the driver keeps to itself. */
type Driver = Omit<pg.Client, 'connection'> & {
  connection: Connection
  processID: number | null
  secretKey: number | null
  _connected: boolean
  _ending: boolean
  _ended: boolean
  _queryable: boolean
  _activeQuery: object | null
  _queryQueue: readonly object[]
  _sentQueryQueue: readonly object[]
  _txStatus: string | null
  _connect(callback: Listener): void
}
type Kept = { connection: Connection; processID: number | null; secretKey: number | null }

const kept = new Map<string, Kept[]>()
const IDLE = 'I'
let areKept = false
const givenBack = new WeakSet<Driver>()

/** From here on, connections of this process are handed on. */
export function keepConnections(): void {
  areKept = true
  const prototype = pg.Client.prototype as unknown as Driver & { end: Listener }
  const { _connect: connect, end } = prototype
  Object.assign(prototype, {
    _connect(this: Driver, callback: Listener) {
      const found = kept.get(this.database ?? '')?.pop()
      if (found !== undefined) adopt(this, found)
      return connect.call(this, callback)
    },
    end(this: Driver, callback?: Listener) {
      // Whoever ends it once more waits for the event before the connection is cut: it is another's by now.
      if (givenBack.has(this)) process.nextTick(() => this.emit('end'))
      if (!isFree(this)) return end.call(this, callback)
      handOn(this)
      if (callback === undefined) return Promise.resolve()
      process.nextTick(callback)
      return undefined
    },
  })
}

/** Hands on the connection of a client that is ended from outside. @returns whether it was free */
export function giveBack(client: pg.Client): boolean {
  const driver = client as unknown as Driver
  if (!areKept || !isFree(driver)) return false
  handOn(driver)
  givenBack.add(driver)
  return true
}

/** Closes what is kept of a database, as nobody may be connected to one that is copied or dropped. */
export function closeConnections(database: string): void {
  for (const { connection } of kept.get(database) ?? []) connection.stream.destroy()
  kept.delete(database)
}

/** Whether it waits for nothing, and no transaction is open. */
function isFree(client: Driver): boolean {
  const { _connected, _ending, _queryable, _activeQuery, _queryQueue, _sentQueryQueue } = client
  const isOpen = _connected && !_ending && _queryable && !client.connection.stream.destroyed
  const waits = _activeQuery !== null || _queryQueue.length + _sentQueryQueue.length > 0
  return isOpen && !waits && client._txStatus === IDLE
}

function handOn(client: Driver): void {
  const { connection, processID, secretKey, database = '' } = client
  connection.removeAllListeners()
  // The server may end it.
  connection.on('error', () => undefined)
  const one = { connection, processID, secretKey }
  connection.once('end', () => forget(database, one))
  kept.set(database, [...(kept.get(database) ?? []), one])
  Object.assign(client, { _ending: true, _ended: true, _queryable: false })
  process.nextTick(() => client.emit('end'))
}

function forget(database: string, gone: Kept): void {
  kept.set(
    database,
    (kept.get(database) ?? []).filter((one) => one !== gone),
  )
}

/** The client connects as usual; what it takes for a new connection answers at once. */
function adopt(client: Driver, { connection, processID, secretKey }: Kept): void {
  connection.removeAllListeners()
  // With the listeners of the stream, which are the connection's own, it goes on as if it had just been opened.
  connection.connect = () => {
    process.nextTick(() => {
      connection.emit('backendKeyData', { processID, secretKey })
      connection.emit('readyForQuery', { status: IDLE })
    })
  }
  client.connection = connection
}
