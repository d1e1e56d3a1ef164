import { AmountInput, Strict } from '@dct/api-contract/common'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { Refusal } from '../../platform/errors.ts'
import type { TimeTravel } from './advance.ts'
import type { ChainControl, DemoAccount, FaucetRequest } from './chain-control.ts'

const MAX_DAYS = 1_000
const FaucetBody = Strict({
  tron_address: Type.Optional(Type.String({ maxLength: 64 })),
  bsc_address: Type.Optional(Type.String({ maxLength: 64 })),
  dct: Type.Optional(AmountInput),
  trx: Type.Optional(AmountInput),
  usdt: Type.Optional(AmountInput),
  bnb: Type.Optional(AmountInput),
})

/** The addresses of the chains, for external tools: part of the fixed interface. */
export type DevnetAddresses = {
  tron: {
    full_host: string
    json_rpc: string
    chain_id: number
    token: string
    staking: string
    reward_pool: string
  }
  bsc: {
    rpc: string
    chain_id: number
    usdt: string
    receiver_address: string
    payout_address: string
  }
}

export type DevnetRoutesDeps = {
  clock: Clock
  control: ChainControl
  travel: TimeTravel
  addresses: DevnetAddresses
}

/** The calls that exist only in devnet. They are not registered in live mode. */
export const devnetRoutes: FastifyPluginAsyncTypebox<DevnetRoutesDeps> = async (app, deps) => {
  app.get('/devnet/info', async () => ({
    business_date: businessDayOf(deps.clock.now()),
    ...deps.addresses,
    accounts: (await deps.control.info()).accounts.map(describeAccount),
  }))
  app.post(
    '/devnet/advance',
    { schema: { body: Strict({ days: Type.Integer({ minimum: 1, maximum: MAX_DAYS }) }) } },
    async (request) => ({ business_date: await deps.travel.advance(request.body.days) }),
  )
  // No body schema: some clients send no body with such a call.
  app.post('/devnet/settle', async () => {
    await deps.travel.settle()
    return { business_date: businessDayOf(deps.clock.now()) }
  })
  app.post('/devnet/faucet', { schema: { body: FaucetBody } }, async (request) => {
    const { tron_address: tronAddress, bsc_address: bscAddress, ...amounts } = request.body
    return giveTokens(deps.control, { ...textsOf(amounts), tronAddress, bscAddress })
  })
}

function textsOf(amounts: Readonly<Record<string, AmountInput>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([asset, value]) => [asset, `${value}`]))
}

async function giveTokens(control: ChainControl, request: FaucetRequest) {
  try {
    return await control.faucet(request)
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('BAD_REQUEST', {}, error.message)
    throw error
  }
}

function describeAccount(account: DemoAccount) {
  return {
    name: account.name,
    role: account.role,
    tron_address: account.tronAddress,
    tron_private_key: account.tronPrivateKey,
    bsc_address: account.bscAddress,
    bsc_private_key: account.bscPrivateKey,
  }
}
