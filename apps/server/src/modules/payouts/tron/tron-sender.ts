import type { TronPrices, TronResources } from '@dct/chain-clients'
import {
  restrictTronSigner,
  type TronAnchor,
  type TronSigner,
} from '@dct/chain-clients/senders/index'
import { realClock } from '../../../platform/clock.ts'
import { invariant } from '../../../platform/errors.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import type { BookDeps } from '../book-payment.ts'
import {
  dueCalls,
  finishDoneCall,
  finishSentCall,
  type OnCallDone,
  type OperatorCall,
} from '../operator-calls.ts'
import { type ChainAdapter, createSender, type OtherCall } from '../send-owed.ts'
import { lackOf } from './lack-of.ts'
import {
  callReadiness,
  callsOfOperator,
  paymentReadiness,
  type ReadyCall,
  readPaid,
  type TronReadDeps,
} from './tron-readiness.ts'

export type TronSenderDeps = Omit<TronReadDeps, 'operator'> &
  BookDeps & {
    signer: TronSigner
    onCallDone: OnCallDone
  }
type Deps = TronReadDeps & TronSenderDeps

/** How long a signed transaction can be included. Until then it is broadcast repeatedly. */
const LIFE_MS = 10 * 60_000
/** How far past its expiry the final chain must be before a transaction counts as expired. */
const EXPIRY_MARGIN_MS = 60_000
const MAX_IN_FLIGHT = 64
/** Tron blocks take about a minute to become final, and public nodes limit requests. */
const POLL_FACTOR = 6
/**
 * The most energy that a call may use: a ceiling, not a price. A simulation reports the energy after refunds, and the
 * cost of popular contracts changes from hour to hour; a call that hits the ceiling burns all of it.
 */
const ENERGY_CEILING = { factor: 3n, base: 50_000n }

type Means = { resources: TronResources; prices: TronPrices; anchor: TronAnchor }

/** Pays rewards, and makes the operator's other calls on Tron. */
export function createTronSender(given: TronSenderDeps): Loop {
  const signer = restrictTronSigner(given.signer, callsOfOperator(given.contracts))
  return createSender(given, tronAdapter({ ...given, signer, operator: signer.address }))
}

function tronAdapter(deps: Deps): ChainAdapter<ReadyCall, Means, null> {
  const { node, signer } = deps
  return {
    chain: 'TRON',
    sender: signer.address,
    mostInFlight: MAX_IN_FLIGHT,
    pollFactor: POLL_FACTOR,
    readTotal: (account) => readPaid(deps, account),
    prepare: (owed) => paymentReadiness(deps, owed),
    async others(limit) {
      const now = realClock.now()
      return (await dueCalls(deps.db, { chain: 'TRON', now, limit })).map((call) =>
        otherCall(deps, call),
      )
    },
    async readMeans() {
      const [resources, prices, anchor] = await Promise.all([
        node.resources(signer.address),
        node.prices(),
        node.anchor(),
      ])
      return { resources, prices, anchor }
    },
    async lackOf(means, { energy }, inFlight) {
      const detail = lackOf(means, { energy, count: inFlight + 1 })
      return detail === undefined ? undefined : { reason: 'NO_TRX', detail }
    },
    signing: ({ contract, data, energy }, { prices, anchor }) => ({
      // Tron has no nonces: it is enough that the number of the attempt is free.
      lockNonce: async () => null,
      takeNonce: async () => undefined,
      async sign({ attempt }) {
        const ceiling = energy * ENERGY_CEILING.factor + ENERGY_CEILING.base
        const call = { contract, data, feeLimitSun: ceiling * prices.energySun }
        const signed = await signer.sign(call, anchor, { lifeMs: LIFE_MS, salt: attempt })
        return { ...signed, gasPrice: null }
      },
    }),
    broadcast: (raw) => node.broadcast(raw),
    receipt: (hash) => node.receipt(hash),
    async endOther({ intent, hash: txHash }, { blockNumber, blockTime }) {
      deps.crashPoint('before-final-booking')
      await finishSentCall(deps.db, deps.onCallDone, {
        id: intent.id,
        facts: { txHash, blockNumber, at: blockTime },
        at: deps.clock.now(),
      })
      deps.crashPoint('after-final-booking')
    },
    async keepAlive({ hash, expiresAt }) {
      if (expiresAt === null) return undefined
      return node.proveExpiry({ hash, expiresAt, marginMs: EXPIRY_MARGIN_MS })
    },
  }
}

function otherCall(deps: Deps, call: OperatorCall): OtherCall<ReadyCall> {
  const { id } = call
  invariant(call.kind !== 'publishOwed', `call ${id} is not made on Tron`)
  return {
    intent: { table: 'operator_call', id },
    async readiness() {
      const ready = await callReadiness(deps, call)
      if (ready.kind === 'done') {
        await finishDoneCall(deps.db, deps.onCallDone, { id, at: deps.clock.now() })
      }
      return ready
    },
  }
}
