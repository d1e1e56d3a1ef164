import pg from 'pg'

const RETRY_MS = 1_000

export type AnnouncementListener = {
  /** Whether everything that is announced now will be heard. */
  isLive(): boolean
  stop(): Promise<void>
}

/**
 * Hears what the database announces on a channel (`pg_notify`), over a connection of its own that is opened again
 * whenever it breaks. `onLost` is called when announcements may have been missed.
 */
export function listenForAnnouncements(
  { url, channel }: { url: string; channel: string },
  { onAnnounced, onLost }: { onAnnounced: (payload: string) => void; onLost: () => void },
): AnnouncementListener {
  let client: pg.Client | undefined
  let isLive = false
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const own = new pg.Client({ connectionString: url, keepAlive: true })
    client = own
    const onBroken = () => {
      if (client !== own) return
      client = undefined
      isLive = false
      onLost()
      if (!isStopped) retry = setTimeout(() => void connect(), RETRY_MS).unref()
    }
    own.on('error', onBroken)
    own.on('end', onBroken)
    own.on('notification', ({ payload = '' }) => onAnnounced(payload))
    try {
      await own.connect()
      await own.query(`listen ${own.escapeIdentifier(channel)}`)
      isLive = client === own
    } catch {
      onBroken()
      await own.end()
    }
  }
  const opening = connect()
  return {
    isLive: () => isLive,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await opening
      await client?.end()
    },
  }
}
