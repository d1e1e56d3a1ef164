import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { shownNetworkOf } from '../../platform/http/client-network.ts'
import { messageHolders } from './message-holders.ts'
import { own } from './messages.tables.ts'

export type SignIn = {
  userId: bigint
  /** `device` is the random id that the browser stores; without it, the kind of browser identifies the device. */
  client: { ip: string; userAgent: string; device: string | undefined }
  /** Real time. */
  at: Date
}

/** Records the device of a sign-in, and notifies the holder of a new one, unless it is the holder's first. */
export async function noteDevice(tx: Tx, { userId, client, at }: SignIn): Promise<void> {
  const hash = createHash('sha256')
    .update(
      client.device === undefined
        ? `agent:${withoutVersions(client.userAgent)}`
        : `id:${client.device}`,
    )
    .digest()
  const known = await own(tx)
    .insertInto('known_device')
    .values({ user_id: userId, device_hash: hash, first_seen_at: at, last_seen_at: at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_hash']).doUpdateSet({
        last_seen_at: sql<Date>`greatest(known_device.last_seen_at, excluded.last_seen_at)`,
      }),
    )
    .returning(({ exists, selectFrom }) => [
      sql<boolean>`xmax = 0`.as('isNew'),
      // The statement does not see its own row yet.
      exists(
        selectFrom('known_device as other')
          .select('other.user_id')
          .where('other.user_id', '=', userId),
      ).as('hasOthers'),
    ])
    .executeTakeFirstOrThrow()
  if (!known.isNew || !known.hasOthers) return
  await messageHolders(tx, [
    {
      ...{ userId, kind: 'new_device', key: `${userId}:${hash.toString('hex')}`, at },
      facts: {
        device: describeAgent(client.userAgent),
        network: shownNetworkOf(client.ip),
        at: at.toISOString(),
      },
    },
  ])
}

/** Browsers change their version every few weeks, which does not make them a new device. */
function withoutVersions(userAgent: string): string {
  return userAgent.replaceAll(/[\d._]+/g, '')
}

const BROWSERS = [/Edg/, /OPR/, /SamsungBrowser/, /Firefox|FxiOS/, /Chrome|CriOS/, /Safari/]
const BROWSER_NAMES = ['Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari']
const SYSTEMS = [/Android/, /iPhone|iPad/, /Windows/, /Mac OS X/, /Linux/]
const SYSTEM_NAMES = ['Android', 'iOS', 'Windows', 'macOS', 'Linux']

/** The common names of a user agent's browser and system. */
function describeAgent(userAgent: string): string {
  const browser = BROWSER_NAMES[BROWSERS.findIndex((pattern) => pattern.test(userAgent))]
  const system = SYSTEM_NAMES[SYSTEMS.findIndex((pattern) => pattern.test(userAgent))]
  const known = [browser, system].filter((part) => part !== undefined)
  return known.length === 0 ? userAgent.slice(0, 60) || '?' : known.join(', ')
}
