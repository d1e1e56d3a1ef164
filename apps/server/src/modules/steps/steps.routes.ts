import { MessageReply } from '@dct/api-contract/common'
import {
  MoneyStepsQuery,
  MoneyStepsReply,
  ReportStepBody,
  TakeStepBody,
  TakeStepReply,
} from '@dct/api-contract/money-steps'
import { SUCCESSES } from '@dct/api-contract/successes'
import { kindOfStep, STEP_KINDS } from '@dct/rules/money-steps'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/errors.ts'
import { userOf } from '../../platform/http/http.ts'
import { readSteps, reportStep, SHARED_SCOPE, type StepDeps, takeStep } from './take-step.ts'

/** A user's own steps below /user, those that all admins share below /admin. */
export const stepsRoutes: FastifyPluginAsyncTypebox<StepDeps> = async (app, deps) => {
  for (const role of ['user', 'admin'] as const) {
    const isShared = role === 'admin'
    const path = `/${role}/money-steps`
    const config = { role }
    const scopeOf = (request: FastifyRequest) => (isShared ? SHARED_SCOPE : userOf(request).id)

    const read = { querystring: MoneyStepsQuery, response: { 200: MoneyStepsReply } }
    app.get(path, { schema: read, config }, async (request) => {
      const key = { scope: scopeOf(request), step: request.query.step }
      return { steps: await readSteps(deps.db, key, deps.realClock.now()) }
    })

    const take = { body: TakeStepBody, response: { 200: TakeStepReply } }
    app.post(path, { schema: take, config }, async (request) => {
      const { step } = request.body
      const kind = kindOfStep(step)
      if (kind === undefined || STEP_KINDS[kind].isShared !== isShared) {
        throw new Refusal('STEP_UNKNOWN')
      }
      const { id: userId } = userOf(request)
      const taken = await takeStep(deps, { ...request.body, userId, scope: scopeOf(request) })
      const { isGranted: is_granted, mayConfirm: may_confirm, steps } = taken
      return { is_granted, may_confirm, steps }
    })

    const report = { body: ReportStepBody, response: { 200: MessageReply } }
    app.post(`${path}/report`, { schema: report, config }, async (request) => {
      const { attempt, outcome, tx_hash: hash } = request.body
      const { id: userId } = userOf(request)
      await reportStep(deps, { scope: scopeOf(request), userId, attempt, outcome, hash })
      return { message: SUCCESSES.STEP_REPORTED }
    })
  }
}
