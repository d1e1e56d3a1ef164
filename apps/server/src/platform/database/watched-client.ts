import type { Socket } from 'node:net'
import pg from 'pg'

/** How often the connections that wait for an answer are looked at. */
const LOOK_EVERY_MS = 500
/** A connection that has received nothing for this long while it waits for an answer may be dead. */
const SILENT_MS = 2_000
/** How long the database may take to answer a new connection. */
const PROBE_MS = 2_000
/** How often a statement that the database is still working on is asked about. */
const ASK_AGAIN_MS = 10_000

/**
 * The database does not answer, although its connection stands: something in between has stopped forwarding. To the
 * driver this looks like a slow statement, and could last for as long as the machine keeps the connection.
 */
class LinkSilent extends Error {
  override name = 'LinkSilent'
  readonly code = 'ETIMEDOUT'
}

class Watched extends pg.Client {
  readonly #config: pg.ClientConfig
  #waiting = 0
  #bytes = 0
  /** When it last received something, or began to wait; on the monotonic clock. */
  #heardAt = 0
  /** How many times in a row the database has said that it is not working on an answer. */
  #misses = 0

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#config = config
    this.once('end', () => watched.delete(this))
  }

  // The driver declares eight forms, which this passes on.
  override query(...given: never[]): never {
    const answer: unknown = (super.query as (...all: never[]) => unknown)(...given)
    if (answer instanceof Promise) {
      if (this.#waiting === 0) this.#heardAt = performance.now()
      this.#waiting += 1
      watch(this)
      const settle = () => {
        this.#waiting -= 1
      }
      answer.then(settle, settle)
    }
    return answer as never
  }

  override end(...given: never[]): never {
    // On a silent connection the goodbye would wait forever.
    const cut = setTimeout(() => this.connection.stream.destroy(), PROBE_MS).unref()
    this.once('end', () => clearTimeout(cut))
    return (super.end as (...all: never[]) => never)(...given)
  }

  /** Clients with the same link reach the same database in the same way. */
  get link(): string {
    return [this.host, this.port, this.database, this.user].join(' ')
  }

  isSuspect(now: number): boolean {
    const { bytesRead } = this.connection.stream as Socket
    if (this.#waiting === 0 || bytesRead !== this.#bytes) {
      this.#bytes = bytesRead
      this.#heardAt = now
      this.#misses = 0
    }
    return now - this.#heardAt > SILENT_MS
  }

  /** The database is working on an answer. */
  isAnswering(): void {
    this.#misses = 0
    this.#heardAt = performance.now() + ASK_AGAIN_MS - SILENT_MS
  }

  /**
   * The database is not working on an answer: it has sent it, unless it is just about to.
   * @returns whether the answer is lost
   */
  isMissing(): boolean {
    this.#misses += 1
    return this.#misses > 1
  }

  get isWaiting(): boolean {
    return this.#waiting > 0
  }

  cut(): void {
    this.connection.stream.destroy(new LinkSilent('The database does not answer'))
  }

  /** The state of the sessions with these ids, asked over a new connection. @throws when the database does not answer */
  async askAbout(sessions: readonly number[]): Promise<SessionStates> {
    const probe = new pg.Client({ ...this.#config, connectionTimeoutMillis: PROBE_MS })
    // The failure reaches the caller of the statement.
    probe.on('error', () => undefined)
    const late = setTimeout(() => probe.connection.stream.destroy(), 2 * PROBE_MS)
    try {
      await probe.connect()
      const { rows } = await probe.query<{ pid: number; is_working: boolean; own: number }>(
        SESSIONS,
        [sessions],
      )
      const found = new Map(rows.map(({ pid, is_working }) => [pid, is_working]))
      const { processID } = probe as unknown as { processID: number }
      return (session) => found.get(session) ?? (processID === rows[0]?.own ? false : undefined)
    } finally {
      clearTimeout(late)
      probe.connection.stream.destroy()
    }
  }
}

/**
 * A connection to the database that ends when it is silent: the statements that wait on it fail within seconds, as they
 * do when it breaks, however long a statement may take. Everything that talks to the database uses it.
 */
export const WatchedClient = Watched as unknown as new (config?: pg.ClientConfig) => pg.Client

/** Whether a session works on an answer; undefined where a pooler hides it. */
type SessionStates = (session: number) => boolean | undefined

/** One row for each session that exists, and one for the asking session, so that there is always one. */
const SESSIONS = `
  select pid, state = 'active' and wait_event_type is distinct from 'Client' as is_working,
    pg_backend_pid() as own
  from pg_stat_activity
  where (pid = any($1::int[]) or pid = pg_backend_pid())
    and datname = current_database() and usename = current_user`

const watched = new Set<Watched>()
const asking = new Set<string>()
let timer: NodeJS.Timeout | undefined

function watch(client: Watched): void {
  watched.add(client)
  if (timer === undefined) timer = setInterval(look, LOOK_EVERY_MS).unref()
}

function look(): void {
  const now = performance.now()
  const suspects = Map.groupBy(
    [...watched].filter((client) => client.isSuspect(now)),
    ({ link }) => link,
  )
  for (const [link, clients] of suspects) void examine(link, clients)
}

/** Asks the database about silent connections; if it does not answer either, cuts all connections to it. */
async function examine(link: string, suspects: readonly Watched[]): Promise<void> {
  const [first] = suspects
  if (first === undefined || asking.has(link)) return
  asking.add(link)
  try {
    const isWorking = await first.askAbout(suspects.map(sessionOf))
    for (const suspect of suspects) {
      if (isWorking(sessionOf(suspect)) !== false) suspect.isAnswering()
      else if (suspect.isMissing())
        cutOff(link, (client) => client === suspect || !client.isWaiting)
    }
  } catch (error) {
    // A refusal is an answer, too.
    if (!(error instanceof pg.DatabaseError)) cutOff(link, () => true)
  } finally {
    asking.delete(link)
  }
}

/** Connections that wait for nothing now would only be found dead by the next statements. */
function cutOff(link: string, which: (client: Watched) => boolean): void {
  for (const client of watched) if (client.link === link && which(client)) client.cut()
}

function sessionOf(client: Watched): number {
  return (client as unknown as { processID: number | null }).processID ?? 0
}
