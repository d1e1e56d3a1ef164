import type { Generated } from 'kysely'
import { tablesOf } from './db.ts'

export type BusinessClockTable = { single: Generated<boolean>; offset_ms: bigint }
/** Facts of the outside world that this database was created for. */
export type PinTable = { name: string; value: string }
export type JobTable = {
  id: Generated<bigint>
  queue: string
  dedupe_key: string
  payload: Record<string, string>
  run_at: Date
  attempts: Generated<number>
  last_error: string | null
}
export type AlarmTable = {
  id: Generated<bigint>
  kind: string
  subject: string
  message: string
  raised_at: Date
  cleared_at: Date | null
}

/** The state of a process's loop, as last reported. */
export type LoopReportTable = {
  host: string
  name: string
  is_idle: boolean
  failures: number
  last_error: string | null
  /** Real time. */
  reported_at: Date
}

export type PlatformTables = {
  business_clock: BusinessClockTable
  pin: PinTable
  job: JobTable
  alarm: AlarmTable
  loop_report: LoopReportTable
}

export const own = tablesOf<PlatformTables>()
