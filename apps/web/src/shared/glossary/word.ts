/** The words of the glossary, in its order. */
export type Word =
  | 'wallet'
  | 'plan'
  | 'earning'
  | 'cycle'
  | 'reward'
  | 'claim'
  | 'count'
  | 'fee'
  | 'energy'
  | 'freeze'
  | 'capital'
  | 'quota'
