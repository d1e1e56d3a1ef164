/** The words of the glossary, in its order. */
export type Word =
  | 'plan'
  | 'earning'
  | 'cycle'
  | 'reward'
  | 'claim'
  | 'fee'
  | 'freeze'
  | 'capital'
  | 'quota'
