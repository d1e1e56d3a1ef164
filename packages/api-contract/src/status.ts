import { type Static, Type } from 'typebox'
import { Day, Nullable, OneOf, Strict, Timestamp, TimestampInput } from './common.ts'

/** `current`: everything final is booked. `silent`: no node has answered for a while. `halted`: until an admin acts. */
export const CHAIN_STATES = ['current', 'behind', 'silent', 'halted'] as const
export type ChainState = (typeof CHAIN_STATES)[number]

/** Work that the operator has announced: planned, or under way. */
export const MaintenanceNote = Type.Object({
  id: Type.String(),
  text_id: Type.String(),
  text_en: Type.String(),
  starts_at: Timestamp,
  ends_at: Timestamp,
})
export type MaintenanceNote = Static<typeof MaintenanceNote>

const NoteText = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })
export const MaintenanceNoteBody = Strict({
  text_id: NoteText,
  text_en: NoteText,
  starts_at: TimestampInput,
  ends_at: TimestampInput,
})
export type MaintenanceNoteBody = Static<typeof MaintenanceNoteBody>

export const MaintenanceNoteParams = Strict({ id: Type.String({ pattern: '^[0-9]{1,18}$' }) })
/** The process answers, or can serve calls. */
export const FineReply = Type.Object({ status: OneOf('ok') })

/** How this process, and the chains that the service follows, are getting on. */
export const ProcessHealthReply = Type.Object({
  status: OneOf('ok'),
  version: Type.String(),
  mode: OneOf('devnet', 'live'),
  now: Timestamp,
  chains: Type.Array(
    Type.Object({
      chain: OneOf('TRON', 'BSC'),
      block: Type.Integer({ description: 'The newest block that is booked.' }),
      blocks_behind: Type.Integer(),
      observed_at: Timestamp,
      is_halted: Type.Boolean(),
    }),
  ),
  loops: Type.Array(
    Type.Object({ name: Type.String(), is_idle: Type.Boolean(), failures: Type.Integer() }),
    { description: 'The background work of this process; none in one that only answers calls.' },
  ),
  alarms: Type.Integer({ description: 'How many alarms are open.' }),
})

export const MaintenanceNotesReply = Type.Object({ notes: Type.Array(MaintenanceNote) })
export type MaintenanceNotesReply = Static<typeof MaintenanceNotesReply>

const ChainName = OneOf('TRON', 'BSC')

/** What anyone may know about how the service is running; nothing about its machines, wallets or operators. */
export const StatusReply = Type.Object({
  at: Timestamp,
  is_well: Type.Boolean({
    description: 'True if nothing below is late, stopped or out of balance.',
  }),
  chains: Type.Array(
    Type.Object({
      chain: ChainName,
      state: OneOf(...CHAIN_STATES),
      seconds_behind: Type.Integer({
        description: 'The time from the newest booked block to the newest final block.',
      }),
      seconds_since_look: Type.Integer(),
    }),
  ),
  background_work: OneOf('running', 'partly', 'stopped'),
  daily_run: Nullable(
    Type.Object({
      through_day: Day,
      ran_at: Nullable(Timestamp),
      is_late: Type.Boolean(),
    }),
  ),
  last_audit: Nullable(Type.Object({ finished_at: Timestamp, is_green: Type.Boolean() })),
  payouts: Type.Array(
    Type.Object({
      chain: ChainName,
      waiting: Type.Integer(),
      oldest_at: Nullable(Timestamp),
      is_late: Type.Boolean({
        description: 'Whether one has waited longer than the terms promise.',
      }),
    }),
  ),
  price: Type.Object({ at: Nullable(Timestamp), is_current: Type.Boolean() }),
  notes: Type.Array(MaintenanceNote, {
    description: 'Notes whose end is not past, by their start.',
  }),
  are_operators_alerted: Type.Boolean({
    description: 'Whether an alarm that needs a person is open.',
  }),
})
export type StatusReply = Static<typeof StatusReply>
