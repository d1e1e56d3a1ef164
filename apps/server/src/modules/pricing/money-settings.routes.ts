import { doneOrWaiting } from '@dct/api-contract/common'
import {
  MONEY_SETTING_NAMES,
  MoneySettingHistoryQuery,
  MoneySettingHistoryReply,
  MoneySettingsReply,
  SetMoneySettingBody,
  SetMoneySettingReply,
} from '@dct/api-contract/money-settings'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { listFrame } from '../../platform/http/lists.ts'
import { listSettingChanges } from './money-settings.queries.ts'
import { moneySettingValues, readMoneySetting, showMoneySetting } from './money-settings.ts'
import { liveProposals, type SetMoneySettingDeps, setMoneySetting } from './set-money-setting.ts'
import { PROPOSAL_LIFE_MS } from './set-price.ts'

export type MoneySettingsRoutesDeps = SetMoneySettingDeps & {
  /** Refuses a session without a recent confirming signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const ADMIN = { role: 'admin' } as const

/** The fee settings for admins: values, proposals, changes, history. */
export const moneySettingsRoutes: FastifyPluginAsyncTypebox<MoneySettingsRoutesDeps> = async (
  app,
  deps,
) => {
  const show = { response: { 200: MoneySettingsReply } }
  app.get('/admin/money-settings', { schema: show, config: ADMIN }, async () => ({
    settings: await describeSettings(deps),
  }))

  const set = { body: SetMoneySettingBody, response: doneOrWaiting(SetMoneySettingReply) }
  app.post('/admin/money-settings', { schema: set, config: ADMIN }, async (request, reply) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { name, value } = request.body
    const isSet = await setMoneySetting(deps, { name, value: readMoneySetting(name, value), admin })
    const message = isSet ? SUCCESSES.MONEY_SETTING_SET : SUCCESSES.MONEY_SETTING_NEEDS_SECOND
    const settings = await describeSettings(deps)
    return reply.code(isSet ? 200 : 202).send({ settings, message, is_set: isSet })
  })

  const history = {
    querystring: MoneySettingHistoryQuery,
    response: { 200: MoneySettingHistoryReply },
  }
  app.get('/admin/money-settings-history', { schema: history, config: ADMIN }, async (request) => {
    const { rows, total } = await listSettingChanges(deps.db, request.query)
    const changes = rows.map(({ id, name, value, set_by, confirmed_by, at }) => ({
      ...{ id: String(id), name, value: showMoneySetting(name, value), at: at.toISOString() },
      set_by: set_by === null ? null : formatTronAddress(set_by),
      confirmed_by: confirmed_by === null ? null : formatTronAddress(confirmed_by),
    }))
    return { changes, ...listFrame(request.query, total) }
  })
}

async function describeSettings({ db, clock }: MoneySettingsRoutesDeps) {
  const [values, proposals] = await Promise.all([
    moneySettingValues(db),
    liveProposals(db, clock.now()),
  ])
  return MONEY_SETTING_NAMES.map((name) => {
    const proposal = proposals.find((one) => one.name === name)
    return {
      name,
      value: showMoneySetting(name, values[name]),
      proposal:
        proposal === undefined
          ? null
          : {
              value: showMoneySetting(name, proposal.value),
              proposed_by: formatTronAddress(proposal.proposedBy),
              proposed_at: proposal.at.toISOString(),
              expires_at: new Date(proposal.at.getTime() + PROPOSAL_LIFE_MS).toISOString(),
            },
    }
  })
}
