import type { OwedDay as OwedDayReply, OwnOwedReply } from '@dct/api-contract/owed-list'
import { formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { pathPlaces, pathStep } from '@dct/rules/sum-tree'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  depthOf,
  findOwedLeaf,
  findOwedNodes,
  latestOwedDays,
  type OwedDay,
} from './owed-list.queries.ts'

type Holder = { id: bigint; address: Uint8Array }

/** The newest list, and a holder's own leaf in it with the way to the root. */
export async function describeOwnOwed(db: DbOrTx, holder: Holder): Promise<OwnOwedReply> {
  const [newest] = await latestOwedDays(db, 1)
  if (newest === undefined) return { published: null, proof: null }
  return { published: describeOwedDay(newest), proof: await proofOf(db, newest.day, holder) }
}

export function describeOwedDay({ day, at, root, sum, holders }: OwedDay): OwedDayReply {
  const sums = { sum: `${sum}`, sum_usdt: formatAmount('USDT', sum) }
  return { day, at: at.toISOString(), root: root.toString('hex'), ...sums, holders }
}

async function proofOf(db: DbOrTx, day: string, holder: Holder): Promise<OwnOwedReply['proof']> {
  const leaf = await findOwedLeaf(db, { day, userId: holder.id })
  if (leaf === undefined) return null
  const places = pathPlaces(leaf.position, await depthOf(db, day))
  const nodes = await findOwedNodes(db, { day, places })
  return {
    day,
    tron_address: formatTronAddress(holder.address),
    owed: `${leaf.owed}`,
    salt: leaf.salt.toString('hex'),
    path: places.map(({ level, position, side }) =>
      pathStep(side, nodes.get(`${level}:${position}`)),
    ),
  }
}
