export type FaucetRequest = {
  tronAddress?: string | undefined
  bscAddress?: string | undefined
  dct?: string
  trx?: string
  usdt?: string
  bnb?: string
}

export type DemoAccount = {
  name: string
  role: 'admin' | 'holder'
  tronAddress: string
  tronPrivateKey: string
  bscAddress: string
  bscPrivateKey: string
}

/** The control interface of the development chains; every call resolves when it is done. */
export type ChainControl = {
  /** Moves both chains' time to `timestampMs`; all earlier transactions are then final. */
  advanceTo(target: { timestampMs: number }): Promise<unknown>
  /** Mines blocks until all earlier transactions are final on both chains. */
  finalize(): Promise<unknown>
  /** @throws RangeError for an invalid address or amount. */
  faucet(request: FaucetRequest): Promise<object>
  /** Mints DCT to the demo admin, who then funds the plan on chain with it. */
  fundPlan(plan: { planCode: string; amount: string }): Promise<unknown>
  info(): Promise<{ accounts: readonly DemoAccount[]; offsetMs: number }>
}

const CALL_TIMEOUT_MS = 120_000

/** A client for the control server of the development chains. */
export function createChainControl(controlUrl: string): ChainControl {
  const call = async <T>(name: keyof ChainControl, argument: unknown = {}): Promise<T> => {
    const response = await fetch(`${controlUrl}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(argument),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const reply = (await response.json()) as T & { message?: string }
    if (response.status === 400) throw new RangeError(reply.message)
    if (!response.ok) throw new Error(`${name} on the development chains failed: ${reply.message}`)
    return reply
  }
  return {
    advanceTo: (target) => call('advanceTo', target),
    finalize: () => call('finalize'),
    faucet: (request) => call('faucet', request),
    info: () => call('info'),
    fundPlan: (plan) => call('fundPlan', plan),
  }
}
