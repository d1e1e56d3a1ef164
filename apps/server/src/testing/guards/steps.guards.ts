import { AT, NOBODY, type TableGuards } from './guard.ts'

const FIRST = `${'0'.repeat(30)}a1`

const step = {
  ...{ attempt: FIRST, scope: 1, step: 'fee:A', user_id: 1, asked_at: AT },
  ...{ waits_until: AT, tx_hash: null, ended_at: null },
}

/** What wallets were asked for. */
export const STEP_GUARDS: readonly TableGuards[] = [
  {
    table: 'money_step',
    rows: [step],
    next: { ...step, attempt: FIRST.replace('a1', 'a2') },
    refused: {
      money_step_pkey: { attempt: FIRST },
      money_step_attempt_check: { attempt: 'a' },
      money_step_step_check: { step: '' },
      money_step_tx_hash_check: { tx_hash: '' },
      money_step_user_id_fkey: { user_id: NOBODY },
    },
  },
]
