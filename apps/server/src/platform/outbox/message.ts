import type { Severity } from '@dct/api-contract/alarms'
import type { JsonData } from '../database/platform.tables.ts'

/** What a channel sends. A repeat has the same id, so that the receiver can drop it. */
export type Message = {
  id: string
  type: string
  severity: Severity | null
  data: JsonData
  /** When the fact happened. */
  at: Date
}

export const TEST_TYPE = 'test'

export function isAlarm({ type }: Pick<Message, 'type'>): boolean {
  return type.startsWith('alarm.')
}

/** The kind and the subject of an alarm; empty for other messages. */
export function subjectOf({ type, data }: Pick<Message, 'type' | 'data'>): string {
  return isAlarm({ type }) ? `${data.kind}: ${data.subject}` : ''
}
