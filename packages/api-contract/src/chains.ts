import { type Static, Type } from 'typebox'
import { OneOf, Strict, Timestamp } from './common.ts'

const ChainName = OneOf('TRON', 'BSC')

export const HaltQuery = Strict({ chain: ChainName })
export type HaltQuery = Static<typeof HaltQuery>

/** A contract event as booked, or as it is on chain now. */
export const HaltEvent = Type.Object({
  name: Type.String(),
  tx_hash: Type.String(),
  log_index: Type.Integer(),
  block: Type.Integer(),
  args: Type.Record(Type.String(), Type.String()),
})
export type HaltEvent = Static<typeof HaltEvent>

/** Why a chain is halted, and how it differs from the books. */
export const HaltReply = Type.Object({
  chain: ChainName,
  block: Type.Integer({ description: 'The block that was final and has been replaced.' }),
  expected_hash: Type.String(),
  found_hash: Type.String(),
  halted_at: Timestamp,
  present_hash: Type.String(),
  read_from: Type.Integer(),
  read_to: Type.Integer({ description: 'Below read_from: nothing had to be read again.' }),
  undone: Type.Array(HaltEvent, { description: 'Booked, and no longer on chain.' }),
  added: Type.Array(HaltEvent, { description: 'On chain, and not booked yet.' }),
  changed: Type.Array(HaltEvent, { description: 'Booked, and on chain with different content.' }),
  moved: Type.Integer({ description: 'Booked events that are in other blocks now.' }),
  digest: Type.String({ description: 'Identifies exactly these changes.' }),
})
export type HaltReply = Static<typeof HaltReply>

export const EndHaltBody = Strict({
  chain: ChainName,
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Identifies the reviewed changes; if they differ now, the halt is not ended.',
  }),
})
export type EndHaltBody = Static<typeof EndHaltBody>
