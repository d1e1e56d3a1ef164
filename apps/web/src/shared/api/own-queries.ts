/** Queries of what only a change of the holder's own figures makes out of date. */
export const OWN_LISTS = [['earnings'], ['pending-fees'], ['history'], ['referrals'], ['notices']]

/** All queries of what pages show of a signed-in holder; those not above also depend on prices, or on time. */
export const OWN_QUERIES = [
  ...[...OWN_LISTS, ['claimable']],
  ...[
    ['account', 'profile'],
    ['account', 'sessions'],
  ],
]
