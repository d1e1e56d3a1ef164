import { askOnce, BadAnswer, describeReply, persist, type Reply } from './persistence.ts'

async function post(url: string, path: string, body: unknown): Promise<Reply> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: await reply.json() }
}

async function businessDate(url: string): Promise<string> {
  const reply = await persist('info', async () => {
    const answer = await fetch(`${url}/devnet/info`)
    return { status: answer.status, body: await answer.json() }
  })
  return (reply.body as { business_date: string }).business_date
}

const DAY_MS = 86_400_000

/** Advances time by whole days even if the server crashes meanwhile, by requesting the days that are still missing. */
export async function advance(url: string, days: number): Promise<void> {
  const target = Date.parse(await businessDate(url)) + days * DAY_MS
  for (;;) {
    const missing = Math.round((target - Date.parse(await businessDate(url))) / DAY_MS)
    if (missing <= 0) return
    // If the response is lost, some of the days may have passed, so the same request must not be repeated.
    const reply = await askOnce(() => post(url, '/devnet/advance', { days: missing }))
    if (reply !== undefined && reply.status !== 200 && reply.status !== 503)
      throw new BadAnswer(`advance: ${describeReply(reply)}`)
  }
}

export async function settle(url: string): Promise<void> {
  const reply = await persist('settle', () => post(url, '/devnet/settle', {}))
  if (reply.status !== 200) throw new BadAnswer(`settle: ${describeReply(reply)}`)
}

/** Requests funds from the faucet. A retry may give them twice, which does no harm. */
export async function give(url: string, request: Record<string, string>): Promise<void> {
  const reply = await persist('faucet', () => post(url, '/devnet/faucet', request))
  if (reply.status !== 200) throw new BadAnswer(`faucet: ${describeReply(reply)}`)
}
