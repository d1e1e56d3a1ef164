import { type Static, Type } from 'typebox'
import { AmountText, Day, Nullable, OneOf, Timestamp } from './common.ts'

const BaseUnits = Type.String({ description: 'Whole base units of USDT.', examples: ['1500000'] })
const Hash = Type.String({ description: '32 bytes as hex, without 0x.' })

/** What referrers are owed at the end of a business day, committed to by the root of a Merkle sum tree. */
export const OwedDay = Type.Object({
  day: Day,
  at: Timestamp,
  root: Hash,
  sum: BaseUnits,
  sum_usdt: AmountText,
  holders: Type.Integer(),
})
export type OwedDay = Static<typeof OwedDay>

export const OwedDaysReply = Type.Object({
  days: Type.Array(OwedDay, { description: 'The last 30, newest first.' }),
})
export type OwedDaysReply = Static<typeof OwedDaysReply>

/** The caller's own leaf of the newest list, with the nodes beside its path to the root. */
export const OwnOwedReply = Type.Object({
  published: Nullable(OwedDay),
  proof: Nullable(
    Type.Object(
      {
        day: Day,
        tron_address: Type.String(),
        owed: BaseUnits,
        salt: Hash,
        path: Type.Array(Type.Object({ side: OneOf('left', 'right'), hash: Hash, sum: BaseUnits })),
      },
      { description: 'Null when nothing was owed to the caller.' },
    ),
  ),
})
export type OwnOwedReply = Static<typeof OwnOwedReply>
