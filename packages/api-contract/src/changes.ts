import { type Static, Type } from 'typebox'

/**
 * Identifies the state of everything that the pages of a holder show: one part for the holder's own data, one for data
 * that all holders share.
 */
const Mark = Type.String({ pattern: '^[0-9a-f]{16}-[0-9a-f]{16}$' })

export const ChangesQuery = Type.Object(
  {
    since: Type.Optional(
      Type.Unsafe<string>({
        ...Mark,
        description: 'The mark that the caller has; without one, the reply is immediate.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ChangesQuery = Static<typeof ChangesQuery>

export const ChangesReply = Type.Object({
  mark: Mark,
  is_own: Type.Boolean({
    description:
      'Whether data of the caller has changed, and not only what many holders share, such as a daily run.',
  }),
})
export type ChangesReply = Static<typeof ChangesReply>
