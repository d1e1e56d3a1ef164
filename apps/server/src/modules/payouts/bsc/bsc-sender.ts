import { greater } from '@dct/chain-clients/bigints'
import { restrictEvmSigner } from '@dct/chain-clients/senders/index'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { realClock } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { bytesOf } from '../../chain/index.ts'
import { type Attempt, liveAttempts } from '../intents.queries.ts'
import { dueCalls, finishDoneCall, finishSentCall, type OperatorCall } from '../operator-calls.ts'
import { own } from '../payouts.tables.ts'
import { type ChainAdapter, createSender, type OtherCall } from '../send-owed.ts'
import type { BscDeps, BscSenderDeps } from './bsc-deps.ts'
import { replaceStuck, stepAbove } from './bsc-replacement.ts'
import { publicationReadiness } from './publish-owed.ts'
import { callsOfPayer, paymentReadiness, readPaid, type VaultCall } from './vault-call.ts'

/** Nodes keep only so many waiting transactions of one account. */
const MAX_IN_FLIGHT = 16

type Means = { nonce: number; gasPrice: bigint; wei: bigint }

/** Pays referral claims from the vault on BSC, and publishes there what is owed. */
export function createBscSender(given: BscSenderDeps): Loop {
  const signer = restrictEvmSigner(given.signer, callsOfPayer(given))
  return createSender(given, bscAdapter({ ...given, signer, operator: signer.address }))
}

function bscAdapter(deps: BscDeps): ChainAdapter<VaultCall, Means, number> {
  const { node, signer, operator: sender, maxGasPrice } = deps
  return {
    chain: 'BSC',
    sender,
    mostInFlight: MAX_IN_FLIGHT,
    pollFactor: 1,
    readTotal: (account) => readPaid(deps, account),
    prepare: (owed) => paymentReadiness(deps, owed),
    async others(limit) {
      const now = realClock.now()
      const calls = await dueCalls(deps.db, { chain: 'BSC', now, limit })
      return calls.map((call) => publication(deps, call))
    },
    async readMeans() {
      const [nonce, gasPrice, wei] = await Promise.all([
        node.nonceOf(sender, 'latest'),
        node.gasPrice(),
        node.balanceOf(sender),
      ])
      return { nonce, gasPrice, wei }
    },
    async lackOf({ gasPrice, wei }, { gas }, inFlight) {
      if (gasPrice > maxGasPrice) {
        const detail = `The network asks for ${gasPrice} wei, the maximum is ${maxGasPrice}.`
        return { reason: 'GAS_PRICE', detail }
      }
      const needed = gas * gasPrice * BigInt(inFlight + 1)
      if (wei >= needed) return undefined
      return { reason: 'NO_BNB', detail: `${needed} wei is needed, the balance is ${wei}.` }
    },
    signing: ({ to, data, gas }, { nonce: first, gasPrice }) => ({
      lockNonce: (tx) => lockNextNonce(tx, { sender, first }),
      // Storing the attempt takes its nonce.
      takeNonce: async () => undefined,
      async sign({ nonce }) {
        const price = await priceAt(deps, { sender, nonce, least: gasPrice })
        const signed = await signer.sign({ to, data, gas, gasPrice: price, nonce })
        return { ...signed, gasPrice: price, expiresAt: null }
      },
    }),
    broadcast: (raw) => node.broadcast(raw),
    receipt: (hash) => node.receipt(hash),
    async endOther({ intent, hash: txHash }, { blockNumber, blockTime }) {
      await finishSentCall(deps.db, nothingElse, {
        id: intent.id,
        facts: { txHash, blockNumber, at: blockTime },
        at: deps.clock.now(),
      })
    },
    keepAlive: (attempt) => keepAlive(deps, attempt),
  }
}

/** Nothing in the service waits for a publication. */
const nothingElse = async () => undefined

function publication(deps: BscDeps, call: OperatorCall): OtherCall<VaultCall> {
  const { id } = call
  invariant(call.kind === 'publishOwed', `call ${id} is not made on BSC`)
  return {
    intent: { table: 'operator_call', id },
    async readiness() {
      const ready = await publicationReadiness(deps, call)
      if (ready.kind === 'done') {
        await finishDoneCall(deps.db, nothingElse, { id, at: deps.clock.now() })
      }
      return ready
    },
  }
}

/**
 * Locks the numbering until the transaction ends, so that two processes never store the same nonce. A wrong one costs time
 * and nothing else.
 */
async function lockNextNonce(tx: Tx, account: { sender: Hex; first: number }): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.nonces})`.execute(tx)
  return nextNonce(tx, account)
}

/**
 * The lowest nonce that neither the chain has used nor a stored transaction has. It may lie before theirs: a transaction
 * that failed leaves its nonce open when its block is undone, and none after it can be mined until another takes it.
 */
async function nextNonce(
  db: DbOrTx,
  { sender, first }: { sender: Hex; first: number },
): Promise<number> {
  const rows = await own(db)
    .selectFrom('send_attempt')
    .select('nonce')
    .where('chain', '=', 'BSC')
    .where('sender', '=', bytesOf(sender))
    .where('state', '<>', 'expired')
    .where('nonce', '>=', BigInt(first))
    .execute()
  const taken = new Set(rows.map(({ nonce }) => Number(nonce)))
  let next = first
  while (taken.has(next)) next += 1
  return next
}

/** More than what transactions given up would pay that had the nonce: they may still wait at nodes, or return. */
async function priceAt(
  { db, maxGasPrice }: BscDeps,
  { sender, nonce, least }: { sender: Hex; nonce: number; least: bigint },
): Promise<bigint> {
  const { most } = await own(db)
    .selectFrom('send_attempt')
    .select((eb) => eb.fn.max('gas_price').as('most'))
    .where('chain', '=', 'BSC')
    .where('sender', '=', bytesOf(sender))
    .where('nonce', '=', BigInt(nonce))
    .executeTakeFirstOrThrow()
  const price = most === null ? least : greater(least, stepAbove(most))
  return price > maxGasPrice ? least : price
}

/**
 * Proof that a transaction can take no effect any more, or none before another is signed; otherwise offers more for it once
 * it has waited too long.
 */
async function keepAlive(
  deps: BscDeps,
  attempt: Attempt,
): Promise<Record<string, unknown> | undefined> {
  const { node, operator } = deps
  const { sender, nonce } = attempt
  if (sender !== operator) return { kind: 'the key is replaced', sender, operator }
  const variants = await liveAttempts(deps.db, { chain: 'BSC', sender, nonce: nonce ?? 0 })
  const used = await node.nonceOf(sender, 'final')
  if (used <= (nonce ?? 0)) {
    if (variants.at(-1)?.id !== attempt.id) return undefined
    if (await isAfterGap(deps, attempt, used)) return { kind: 'an earlier nonce is open', nonce }
    await replaceStuck(deps, attempt)
    return undefined
  }
  // Read after the nonce, so that a variant that was mined in the meantime is found.
  for (const { hash } of variants) {
    if ((await node.receipt(hash)).kind !== 'unknown') return undefined
  }
  return { kind: 'another transaction has its nonce', nonce, used }
}

/** Whether a nonce before that of a transaction is taken by none. If its call is signed again, it gets that one. */
async function isAfterGap(
  { db, node }: BscDeps,
  { sender, nonce }: Attempt,
  usedFinally: number,
): Promise<boolean> {
  const hasGap = async (first: number) => (await nextNonce(db, { sender, first })) < (nonce ?? 0)
  return (await hasGap(usedFinally)) && hasGap(await node.nonceOf(sender, 'latest'))
}
