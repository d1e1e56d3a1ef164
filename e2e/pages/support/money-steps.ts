import type { MoneyStepEntry, ReportStepBody, TakeStepBody } from '@dct/api-contract/money-steps'
import { SUCCESSES } from '@dct/api-contract/successes'
import { judgeStep, STEP_LEASE_MS } from '@dct/rules/money-steps'
import { addressOfRole } from './test.ts'
import type { World } from './world.ts'

/** Keeps the holder's steps in memory, judged by the service's own rule. @returns those that have not ended */
export function keepSteps(world: World): readonly MoneyStepEntry[] {
  const steps: MoneyStepEntry[] = []
  const path = '/api/user/money-steps'
  world.answer(`GET ${path}`, ({ query }) => ({
    steps: steps.filter(({ step }) => query.step === undefined || step === query.step),
  }))
  world.answer(`POST ${path}`, ({ body }) => {
    const { step, attempt, known } = body as TakeStepBody
    const others = steps.filter((one) => one.step === step && one.attempt !== attempt)
    const answer = judgeStep(
      others.map(({ tx_hash, asked_at, ...one }) => ({
        ...{ ...one, hash: tx_hash, askedAt: Date.parse(asked_at) },
      })),
      known,
    )
    if (answer.kind === 'taken')
      return { is_granted: false, may_confirm: answer.mayConfirm, steps: others }
    steps.push({
      ...{ attempt, step, tron_address: addressOfRole('user'), state: 'waiting', tx_hash: null },
      asked_at: new Date().toISOString(),
      waits_until: new Date(Date.now() + STEP_LEASE_MS).toISOString(),
    })
    return { is_granted: true, may_confirm: false, steps: others }
  })
  world.answer(`POST ${path}/report`, ({ body }) => {
    const { attempt, outcome, tx_hash = null } = body as ReportStepBody
    const at = steps.findIndex((one) => one.attempt === attempt)
    const [reported] = at < 0 ? [] : steps.splice(at, 1)
    if (reported !== undefined && outcome !== 'ended') {
      const state = outcome === 'waiting' ? 'waiting' : outcome === 'sent' ? 'sent' : 'asked'
      const waits_until = outcome === 'waiting' ? reported.waits_until : null
      steps.push({ ...reported, state, waits_until, tx_hash: tx_hash ?? reported.tx_hash })
    }
    return { message: SUCCESSES.STEP_REPORTED }
  })
  return steps
}
