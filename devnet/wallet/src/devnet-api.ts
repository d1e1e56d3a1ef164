/** The part of the published development interface used by the wallet and its panel. */
export type DemoAccount = {
  name: string
  role: string
  tron_address: string
  tron_private_key: string
  bsc_address: string
  bsc_private_key: string
}

export type DevnetInfo = {
  business_date: string
  tron: {
    full_host: string
    chain_id: number
    token: string
    staking: string
    reward_pool: string
  }
  bsc: { rpc: string; chain_id: number; usdt: string; receiver_address: string }
  accounts: DemoAccount[]
}

/** A fee of the signed-in holder that has not been paid yet. */
export type OpenFee = { earning_plan_code: string; unpaid_fee_usdt: string; is_paid: boolean }

export const devnetApi = {
  info: () => call<DevnetInfo>('GET', '/devnet/info'),
  advance: (days: number) => call<{ business_date: string }>('POST', '/devnet/advance', { days }),
  settle: () => call<object>('POST', '/devnet/settle', {}),
  faucet: (request: Record<string, string>) => call<object>('POST', '/devnet/faucet', request),
  /** Calls the service as the user signed in on this page. */
  async openFees(): Promise<OpenFee[]> {
    const path = '/api/user/pending-claim-fees?page=1&limit=100'
    const { pending_fees } = await call<{ pending_fees: OpenFee[] }>('GET', path)
    return pending_fees.filter(({ is_paid }) => !is_paid)
  },
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const token = localStorage.getItem('authToken')
  const response = await fetch(path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && path.startsWith('/api/') && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? `${path} answered ${response.status}`)
  return answer
}

/** A gateway's URL on this page's origin, because the page's policy allows no other. */
export function onThisOrigin(url: string): string {
  return new URL(new URL(url).pathname, location.origin).href
}
