export { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
export {
  type ExitOutcome,
  type GuardedCommand,
  type GuardedProcess,
  type OutputStream,
  startGuarded,
} from './guard.ts'
export { releaseLockFile, takeLockFile } from './lock-file.ts'
export { assertPortFree } from './ports.ts'
export { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
export { inspectProcess, type ProcessState } from './processes.ts'
export { ServiceError } from './service-error.ts'
