import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
} from 'kysely'
import {
  type Db,
  isOutage,
  type NoTables,
  openDatabase,
  type ReadDb,
  sharedReads,
  sqlState,
} from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import { invariant } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { Marks, type Position, parsePosition, RUN, type Seen } from './position.ts'

/** How a read was answered: by the replica, or by the primary for one of these reasons. */
export const OUTCOMES = ['replica', 'own_write', 'behind', 'conflict', 'down'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type ReplicaOptions = {
  url: string
  primary: Db
  /** An older replica is not read. */
  maxAgeMs: number
  maxConnections: number
  statementTimeoutMs: number
  log: Logger
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number
}

/** What a call requires of the replica. */
export type Call = {
  /** Its reads are of the kind that `sharedReads` is for. */
  isShort: boolean
  /** The position of the caller's last write. */
  seen: Seen
}

/** A replica that does not report its position within this time is down. */
const PATIENCE_MS = 2_000
/**
 * SQLSTATEs of a statement that a healthy replica cannot answer: its replay removed the rows or needed the lock, a
 * table does not exist there yet, or on a Citus cluster, is no longer on the worker where the replica expects it.
 */
const CONFLICTS = new Set(['40001', '40P01', '42P01'])
/** SQLSTATEs of the loss of the replica itself; every other SQLSTATE of an outage concerns a worker behind it. */
const OWN_STATES = /^(53|57)/
/** A statement took too long: it would on the primary, too. */
const CANCELLED = '57014'

/** The replica has not replayed what the caller must see. */
class NotReached extends Error {
  override name = 'NotReached'
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super('the replica is behind')
    this.outcome = outcome
  }
}

class ReplicaLost extends Error {
  override name = 'ReplicaLost'
}

/** A read-only copy of the primary with its own address, or several behind the address of a load balancer. */
export class Replica {
  readonly #options: ReplicaOptions
  #marks: Marks
  readonly #outcomes = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  readonly #underWay = new Set<(lost: ReplicaLost) => void>()
  /** The last known position of each connection's server: there may be several servers behind one address. */
  #positions = new WeakMap<DatabaseConnection, Position>()
  #connections: Db
  /** The primary that all of the above is about, as it was first seen. */
  #primary: Primary | undefined
  /** When the primary was at the position that the replica last reported. */
  #reachedAt: number | undefined
  #isUp = false

  /** Opens no connection before the first `probe`. The caller ends it with `close`. */
  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#marks = new Marks(options.maxAgeMs)
    this.#connections = openDatabase(options)
  }

  /**
   * The handle of one call. Each of its reads goes to the replica if that is fresh enough and has what the caller wrote;
   * otherwise, or if the replica is lost during the read, to the primary.
   */
  readsFor(call: Call): ReadDb {
    return new ReplicaReads(this.#propsFor(call), this.#propsFor({ ...call, isShort: false }))
  }

  /**
   * Compares the replica with the primary. Call it about once a second: otherwise no read goes to the replica.
   * @throws while the primary is unreachable
   */
  async probe(): Promise<void> {
    const { primary, log, monotonic } = this.#options
    const takenAt = monotonic()
    const found = await askPrimary(primary)
    const isKnown = found.run === this.#primary?.run && found.run === found.noted
    const { position } = isKnown ? found : await this.#startOver(found)
    this.#marks.add({ takenAt, position })
    try {
      const executor = this.#connections.getExecutor()
      const reached = await within(
        PATIENCE_MS,
        executor.provideConnection((connection) => this.#ask(connection)),
      )
      this.#reachedAt = this.#marks.reachedAt(reached) ?? this.#reachedAt
      if (!this.#isUp) log.info('replicaUsed')
      this.#isUp = true
    } catch (error) {
      this.#lose(error)
    }
  }

  /** The maximum age of the replica's data; undefined while it is down or has never been seen to be fresh. */
  ageMs(): number | undefined {
    if (!this.#isUp || this.#reachedAt === undefined) return undefined
    return this.#options.monotonic() - this.#reachedAt
  }

  /** Whether reads go to the replica, as of the last `probe`. */
  isUsable(): boolean {
    return (this.ageMs() ?? Number.POSITIVE_INFINITY) <= this.#options.maxAgeMs
  }

  /** How many reads had each outcome. */
  outcomes(): ReadonlyMap<Outcome, number> {
    return this.#outcomes
  }

  async close(): Promise<void> {
    this.#isUp = false
    await this.#connections.destroy()
  }

  #propsFor(call: Call): KyselyProps {
    const over = (db: Db) => (call.isShort ? sharedReads(db) : db).getExecutor()
    const onPrimary = over(this.#options.primary)
    const provider: ConnectionProvider = {
      provideConnection: async (consumer) => {
        const used = this.#connections
        try {
          if (!this.#isUp) throw new ReplicaLost('the replica is down')
          const result = await over(used).provideConnection((connection) =>
            this.#unlessLost(
              this.#requireReached(connection, call).then(() => consumer(connection)),
            ),
          )
          this.#count('replica')
          return result
        } catch (error) {
          const outcome = outcomeOf(error)
          if (outcome === undefined) throw error
          if (outcome === 'down' && this.#isUp && used === this.#connections) this.#lose(error)
          this.#count(outcome)
        }
        return onPrimary.provideConnection(consumer)
      },
    }
    return { ...UNCONNECTED, executor: onPrimary.withConnectionProvider(provider) }
  }

  /** Forgets what was learnt about a former primary, and marks this one's log, so that its standbys are recognised. */
  async #startOver({ run }: Primary): Promise<Primary> {
    const { primary, maxAgeMs } = this.#options
    await noteRun(primary, run)
    this.#primary = await askPrimary(primary)
    this.#marks = new Marks(maxAgeMs)
    this.#positions = new WeakMap()
    this.#reachedAt = undefined
    return this.#primary
  }

  async #requireReached(connection: DatabaseConnection, { seen }: Call): Promise<void> {
    const needed = this.#marks.needed(this.#options.monotonic())
    const isOfOther = seen.run !== null && seen.run !== this.#primary?.run
    if (needed === undefined || isOfOther) throw new NotReached('behind')
    const isThere = (position: Position) => position >= needed && position >= seen.position
    const known = this.#positions.get(connection)
    if (known !== undefined && isThere(known)) return
    const position = await this.#ask(connection)
    if (!isThere(position)) throw new NotReached(position < needed ? 'behind' : 'own_write')
  }

  async #ask(connection: DatabaseConnection): Promise<Position> {
    const position = await askStandby(connection, this.#primary)
    this.#positions.set(connection, position)
    return position
  }

  /** Waits for the work, but fails as soon as the replica is found to be lost. */
  #unlessLost<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#underWay.add(reject)
    work.then(resolve, reject).finally(() => this.#underWay.delete(reject))
    return promise
  }

  /** Drops all connections, so that reads in progress are repeated on the primary. */
  #lose(cause: unknown): void {
    const { log } = this.#options
    if (this.#isUp) log.warn({ err: cause }, 'replicaLost')
    this.#isUp = false
    const lost = this.#connections
    this.#connections = openDatabase(this.#options)
    for (const abandon of this.#underWay)
      abandon(new ReplicaLost('the replica was lost', { cause }))
    lost.destroy().catch((err: unknown) => log.debug({ err }, 'replicaConnectionsBroken'))
  }

  #count(outcome: Outcome): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }
}

/** Why the primary has to answer instead; undefined for errors that the primary would return too. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof NotReached) return error.outcome
  if (error instanceof ReplicaLost || error instanceof NoStandby) return 'down'
  const state = sqlState(error)
  if (state !== undefined && CONFLICTS.has(state)) return 'conflict'
  if (!isOutage(error) || state === CANCELLED) return undefined
  return state === undefined || OWN_STATES.test(state) ? 'down' : 'conflict'
}

/** Only compiles statements for PostgreSQL: connections come from the provider of each handle. */
const dialect = new PostgresDialect({
  pool: async () => {
    throw new Error('a replica handle has no pool')
  },
})
const UNCONNECTED = { config: { dialect }, dialect, driver: dialect.createDriver() }

/** Each transaction needs its own connection, whatever single reads use. */
class ReplicaReads extends Kysely<NoTables> {
  readonly mayLag = true
  readonly #own: KyselyProps

  constructor(single: KyselyProps, own: KyselyProps) {
    super(single)
    this.#own = own
  }

  override transaction() {
    return new Kysely<NoTables>(this.#own).transaction()
  }
}

type Place = { position: string; system: string; noted: string | null }

/** The position of a primary, and what distinguishes its standbys from all other servers. */
export type Primary = {
  position: Position
  /** Identifies the cluster. */
  system: string
  /** Its run, and the run recorded in its log (`noted`): the same once a process has recorded it. */
  run: string
  noted: string | null
}

/** A pin that changes: every standby of the current primary gets its value through the log, and no other server. */
const RUN_PIN = 'primary'
const NOTED = `(select value from pin where name = '${RUN_PIN}') as noted`

/** Reads the position and the run of the primary. Every commit that anyone has seen lies before this position. */
export async function askPrimary(primary: Db): Promise<Primary> {
  const { rows } = await primary.getExecutor().executeQuery<Place & { run: string }>(
    CompiledQuery.raw(
      `select pg_current_wal_insert_lsn()::text as position, system_identifier::text as system,
        ${RUN} as run, ${NOTED} from pg_control_system()`,
    ),
  )
  const [found] = rows
  invariant(found !== undefined, 'a primary reports its position')
  return { ...found, position: parsePosition(found.position) }
}

async function noteRun(primary: Db, run: string): Promise<void> {
  await own(primary)
    .insertInto('pin')
    .values({ name: RUN_PIN, value: run })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: run }).where('pin.value', '<>', run),
    )
    .execute()
}

/**
 * How far a standby has replayed the log.
 * @throws NoStandby when the server is not a standby of this primary, or has servers behind it that may be older
 */
export async function askStandby(
  connection: DatabaseConnection,
  primary: Pick<Primary, 'position' | 'system' | 'noted'> | undefined,
): Promise<Position> {
  const { rows } = await connection.executeQuery<Place & { hasLaggingWorkers: boolean }>(
    CompiledQuery.raw(
      `select pg_last_wal_replay_lsn()::text as position, system_identifier::text as system, ${NOTED},
          current_setting('citus.use_secondary_nodes', true) is not distinct from 'always' as "hasLaggingWorkers"
        from pg_control_system() where pg_is_in_recovery()`,
    ),
  )
  const [found] = rows
  if (found === undefined) throw new NoStandby('it is not a standby')
  if (found.hasLaggingWorkers) {
    throw new NoStandby(
      'it reads from standbys of the workers, whose age is unknown (citus.use_secondary_nodes must be never)',
    )
  }
  if (found.system !== primary?.system) {
    throw new NoStandby('it is a standby of another database')
  }
  const position = parsePosition(found.position)
  if (position >= primary.position && found.noted !== primary.noted) {
    throw new NoStandby('its history differs from that of the primary, so it must be rebuilt')
  }
  return position
}

/** The server is not a copy of the primary. */
export class NoStandby extends Error {
  override name = 'NoStandby'
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
