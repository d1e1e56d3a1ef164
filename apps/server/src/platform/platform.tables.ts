import type { Generated } from 'kysely'

export type BusinessClockTable = { single: Generated<boolean>; offset_ms: bigint }
/** Facts of the outside world that this database was made for. */
export type PinTable = { name: string; value: string }
export type JobTable = {
  id: Generated<bigint>
  queue: string
  dedupe_key: string
  payload: Record<string, string>
  run_at: Date
  attempts: Generated<number>
  locked_until: Date | null
  last_error: string | null
}
export type ScheduleTable = { name: string; last_run_day: string | null; last_run_at: Date | null }
export type AlarmTable = {
  id: Generated<bigint>
  kind: string
  subject: string
  message: string
  raised_at: Date
  cleared_at: Date | null
}

/** How a loop of some process goes, as that process last said. */
export type LoopReportTable = {
  host: string
  name: string
  is_idle: boolean
  failures: number
  last_error: string | null
  /** Real time. */
  reported_at: Date
}

declare module './db.ts' {
  interface DB {
    business_clock: BusinessClockTable
    pin: PinTable
    job: JobTable
    schedule: ScheduleTable
    alarm: AlarmTable
    loop_report: LoopReportTable
  }
}
