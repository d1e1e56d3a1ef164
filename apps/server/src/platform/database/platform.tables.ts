import type { Severity } from '@dct/api-contract/alarms'
import type { ChannelKind } from '@dct/api-contract/deliveries'
import type { ColumnType, Generated } from 'kysely'
import { tablesOf } from './db.ts'

export type BusinessClockTable = { single: Generated<boolean>; offset_ms: bigint }
/** Facts about the outside world that this database was created for. */
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
  repeated_at: Generated<Date | null>
  confirmed_at: Generated<Date | null>
  /** How many times its cause was found: once, and again each time it came back before its end was announced. */
  times: Generated<number>
  /** The message that announces its end; withdrawn if the cause comes back. */
  ended_with: Generated<string | null>
}

/** A JSON object. */
export type JsonData = Readonly<Record<string, unknown>>
/** One receiver of a message for particular holders. */
export type Receiver = { channel: HolderChannel; receiver: string }
export const HOLDER_CHANNELS = ['holder_email', 'holder_telegram', 'holder_push'] as const
export type HolderChannel = (typeof HOLDER_CHANNELS)[number]
export type OutboxMessageTable = {
  id: Generated<string>
  number: Generated<bigint>
  type: string
  severity: Severity | null
  data: JsonData
  receivers: ColumnType<readonly Receiver[] | null, string | undefined, never>
  at: Date
  dispatched_at: Date | null
}
export type OutboxDeliveryTable = {
  id: Generated<bigint>
  message_id: string
  channel: ChannelKind | HolderChannel
  receiver: string
  state: Generated<'pending' | 'sent' | 'failed'>
  attempts: Generated<number>
  due_at: Date
  last_error: string | null
  ended_at: Date | null
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

/** The last backup of each kind, in real time. */
export type BackupTable = {
  kind: 'full' | 'incremental' | 'dump' | 'provider'
  finished_at: Date
}

export type PlatformTables = {
  business_clock: BusinessClockTable
  pin: PinTable
  job: JobTable
  alarm: AlarmTable
  outbox_message: OutboxMessageTable
  outbox_delivery: OutboxDeliveryTable
  loop_report: LoopReportTable
  backup: BackupTable
}

export const own = tablesOf<PlatformTables>()
