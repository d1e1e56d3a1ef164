import { type Db, inTransaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { lockQuotas } from './quota.queries.ts'
import { givePlaceBack } from './release-lapsed.ts'
import { type Holding, type WatchedPlace, watchedPlaces } from './reservations.queries.ts'

/** DCT that an address received, or sent (negative), in base units, or staked in the named plan (positive). */
export type DctMove = { address: Buffer; block: bigint; amount: bigint; planCode?: string }

/** Readings of the Tron chain. Each throws when no node answers. */
export type PlaceReaders = {
  /** The number of the newest block, which is none before the one that is known. */
  readNewestBlock(known: bigint): Promise<bigint>
  /** What an address held in the newest final block, in DCT base units. */
  readFinalDct(address: Buffer): Promise<{ held: bigint; heldBlock: bigint }>
  /** What these addresses sent, received and staked in the range, both ends included. */
  readDctMoves(query: {
    addresses: readonly Buffer[]
    from: bigint
    to: bigint
  }): Promise<readonly DctMove[]>
}

export type CheckPlacesDeps = PlaceReaders & { db: Db }

/** What is known of an address that asks for a place, with every live place judged at the same block. */
export type Applicant = Holding & {
  /** What it held at `seenBlock`, in DCT base units. */
  balance: bigint
  seenBlock: bigint
  /** The ids of the live places that were judged. */
  judged: readonly bigint[]
}

/**
 * Gives up live reservations whose address can no longer fill them: it holds less than the reserved amount and has not
 * staked it. All are judged at one block, so that tokens that move between their addresses back one place. Idempotent.
 */
export async function giveUpUnbackedPlaces(deps: CheckPlacesDeps): Promise<void> {
  const places = await watchedPlaces(deps.db)
  if (places.length > 0) await judge(deps, { places, holdings: places })
}

/** The same, and reads at the same block what an address holds. */
export async function readApplicant(deps: CheckPlacesDeps, address: Buffer): Promise<Applicant> {
  const places = await watchedPlaces(deps.db)
  const holding = { address, ...(await deps.readFinalDct(address)) }
  const { seenBlock, moves } = await judge(deps, { places, holdings: [...places, holding] })
  const balance = holding.held + sumOf(moves, { ...holding, planCode: undefined })
  return { ...holding, balance, seenBlock, judged: places.map(({ id }) => id) }
}

/**
 * Judges by the transfers up to the newest block, each time from a final block on, so that a block that is undone or a
 * transfer that a node left out counts only until the next look.
 */
async function judge(
  deps: CheckPlacesDeps,
  { places, holdings }: { places: readonly WatchedPlace[]; holdings: readonly Holding[] },
) {
  const starts = holdings.map(({ heldBlock }) => heldBlock).toSorted(inOrder)
  const known = [...starts, ...places.map((place) => place.seenBlock)].toSorted(inOrder)
  const seenBlock = await deps.readNewestBlock(known.at(-1) ?? 0n)
  const from = (starts[0] ?? seenBlock) + 1n
  const addresses = holdings.map(({ address }) => address)
  const found = from > seenBlock ? [] : await deps.readDctMoves({ addresses, from, to: seenBlock })
  const moves = Map.groupBy(found, ({ address }) => address.toString('hex'))
  const lost = places.filter((place) => place.held + sumOf(moves, place) < place.amount)
  await giveUp(deps.db, lost)
  return { seenBlock, moves }
}

function inOrder(a: bigint, b: bigint): number {
  return Number(a - b)
}

/** What an address gained since its holding was read; a stake in the plan takes nothing away from it. */
function sumOf(
  moves: ReadonlyMap<string, readonly DctMove[]>,
  { address, heldBlock, planCode }: Holding & { planCode: string | undefined },
): bigint {
  return (moves.get(address.toString('hex')) ?? [])
    .filter((move) => move.block > heldBlock)
    .filter((move) => move.planCode === undefined || move.planCode === planCode)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

async function giveUp(db: Db, lost: readonly WatchedPlace[]): Promise<void> {
  if (lost.length === 0) return
  await inTransaction(db, async (tx) => {
    await lockQuotas(tx, [...new Set(lost.map(({ planId }) => planId))])
    // A stake may have used one of them in the meantime.
    for (const place of lost) await givePlaceBack(tx, place, 'unbacked')
  })
}

/** Checks live reservations, so that a quota shown as used up is used by holders who can still join. */
export function createPlaceLoop(deps: CheckPlacesDeps & { pauseMs: number }): Loop {
  return {
    name: 'places',
    pauseMs: deps.pauseMs,
    async step() {
      await giveUpUnbackedPlaces(deps)
      return true
    },
  }
}
