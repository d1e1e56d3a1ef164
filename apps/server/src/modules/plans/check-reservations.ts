import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { lockQuotas } from './quota.queries.ts'
import { giveBack } from './release-lapsed.ts'
import {
  type Holding,
  type WatchedReservation,
  watchedReservations,
} from './reservations.queries.ts'

/** DCT in base units that an address received, sent (negative), or staked in the named plan (positive). */
export type DctMove = { address: Buffer; block: bigint; amount: bigint; planCode?: string }

/** Readers of the Tron chain. Each throws if no node answers. */
export type HoldingReaders = {
  /** The number of the latest block, never one before `known`. */
  readNewestBlock(known: bigint): Promise<bigint>
  /** The balance of an address at the latest final block, in DCT base units. */
  readFinalDct(address: Buffer): Promise<{ held: bigint; heldBlock: bigint }>
  /** What these addresses sent, received and staked in the range, which includes both ends. */
  readDctMoves(query: {
    addresses: readonly Buffer[]
    from: bigint
    to: bigint
  }): Promise<readonly DctMove[]>
}

export type CheckReservationsDeps = HoldingReaders & { db: Db }

/** The holdings of an address that requests a reservation, with every live reservation checked at the same block. */
export type Applicant = Holding & {
  /** Its balance at `seenBlock`, in DCT base units. */
  balance: bigint
  seenBlock: bigint
  /** The ids of the live reservations that were checked. */
  judged: readonly bigint[]
}

/**
 * Releases live reservations whose address can no longer fill them: it holds less than the reserved amount and has not
 * staked it. All are checked at one block, so that tokens moving between their addresses back only one reservation.
 * Idempotent.
 */
export async function giveUpUnbacked(deps: CheckReservationsDeps): Promise<void> {
  const reservations = await watchedReservations(deps.db)
  if (reservations.length > 0) await judge(deps, { reservations, holdings: reservations })
}

/** Like `giveUpUnbacked`, and reads the balance of the applicant's address at the same block. */
export async function readApplicant(
  deps: CheckReservationsDeps,
  address: Buffer,
): Promise<Applicant> {
  const reservations = await watchedReservations(deps.db)
  const holding = { address, ...(await deps.readFinalDct(address)) }
  const { seenBlock, moves } = await judge(deps, {
    reservations,
    holdings: [...reservations, holding],
  })
  const balance = holding.held + sumOf(moves, { ...holding, planCode: undefined })
  return { ...holding, balance, seenBlock, judged: reservations.map(({ id }) => id) }
}

/**
 * Checks reservations against the transfers up to the latest block, always starting from a final block, so that an orphaned
 * block or a transfer that a node omitted has an effect only until the next check.
 */
async function judge(
  deps: CheckReservationsDeps,
  {
    reservations,
    holdings,
  }: { reservations: readonly WatchedReservation[]; holdings: readonly Holding[] },
) {
  const starts = holdings.map(({ heldBlock }) => heldBlock).toSorted(inOrder)
  const known = [...starts, ...reservations.map((reservation) => reservation.seenBlock)].toSorted(
    inOrder,
  )
  const seenBlock = await deps.readNewestBlock(known.at(-1) ?? 0n)
  const from = (starts[0] ?? seenBlock) + 1n
  const addresses = holdings.map(({ address }) => address)
  const found = from > seenBlock ? [] : await deps.readDctMoves({ addresses, from, to: seenBlock })
  const moves = Map.groupBy(found, ({ address }) => address.toString('hex'))
  const lost = reservations.filter(
    (reservation) => reservation.held + sumOf(moves, reservation) < reservation.amount,
  )
  await giveUp(deps.db, lost)
  return { seenBlock, moves }
}

function inOrder(a: bigint, b: bigint): number {
  return Number(a - b)
}

/**
 * The net change of an address's balance since its holding was read; a stake in the reserved plan does not reduce it.
 */
function sumOf(
  moves: ReadonlyMap<string, readonly DctMove[]>,
  { address, heldBlock, planCode }: Holding & { planCode: string | undefined },
): bigint {
  return (moves.get(address.toString('hex')) ?? [])
    .filter((move) => move.block > heldBlock)
    .filter((move) => move.planCode === undefined || move.planCode === planCode)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

async function giveUp(db: Db, lost: readonly WatchedReservation[]): Promise<void> {
  if (lost.length === 0) return
  await inTransaction(db, async (tx) => {
    await lockQuotas(tx, [...new Set(lost.map(({ planId }) => planId))])
    // A stake may have used one of them in the meantime.
    for (const reservation of lost) await giveBack(tx, reservation, 'unbacked')
  })
}

/** Checks live reservations, so that quota shown as used up is held only by holders who can still join. */
export function createReservationLoop(deps: CheckReservationsDeps & { pauseMs: number }): Loop {
  return {
    name: 'reservations',
    pauseMs: deps.pauseMs,
    async step() {
      await giveUpUnbacked(deps)
      return true
    },
  }
}
