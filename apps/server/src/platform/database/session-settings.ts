/** What statements and parsers rely on, whatever the defaults of the server, the database or the role are. */
const ASSUMED = {
  // A payment is sent once it is on disk; otherwise a crash of the database would let it be sent again.
  synchronous_commit: 'on',
  // A statement after a lock must see what was committed before.
  default_transaction_isolation: 'read committed',
  search_path: 'public',
  datestyle: 'ISO',
  timezone: 'UTC',
  bytea_output: 'hex',
  // Compiling a statement takes longer than our statements gain by it.
  jit: 'off',
} as const

/** In milliseconds; without a limit by default. */
type Limits = { statementMs?: number | undefined; idleInTransactionMs?: number }

/**
 * The statement that prepares a session. These are not parameters of the connection, because a connection pooler refuses
 * those that it does not know.
 */
export function sessionSettings({ statementMs = 0, idleInTransactionMs = 0 }: Limits = {}): string {
  const settings = {
    ...ASSUMED,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')
}
