/** Queries that only a change of the holder's own data makes outdated. */
export const OWN_LISTS = [
  ['earnings'],
  ['pending-fees'],
  ['history'],
  ['referrals'],
  ['messages'],
  ['money-steps'],
]

/** All queries of a signed-in holder's data; those not listed above also depend on prices or on time. */
export const OWN_QUERIES = [
  ...OWN_LISTS,
  ['claimable'],
  ['account', 'profile'],
  ['account', 'sessions'],
]
