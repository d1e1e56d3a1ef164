import type { ChainControl } from './control.ts'

/** Controls a chain host in another process. */
export function createControlClient(controlUrl: string): ChainControl {
  const call = async <T>(name: keyof ChainControl, argument: unknown = {}): Promise<T> => {
    const response = await fetch(`${controlUrl}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(argument),
    })
    const reply = (await response.json()) as T & { message?: string }
    if (response.status === 400) throw new RangeError(reply.message)
    if (!response.ok) throw new Error(`${name} on the development chains failed: ${reply.message}`)
    return reply
  }
  return {
    info: () => call('info'),
    advanceTo: (target) => call('advanceTo', target),
    finalize: () => call('finalize'),
    faucet: (request) => call('faucet', request),
    fundPlan: (plan) => call('fundPlan', plan),
    save: () => call('save'),
    mine: (request) => call('mine', request),
    pauseMining: () => call('pauseMining'),
    resumeMining: () => call('resumeMining'),
    dropTransactions: () => call('dropTransactions'),
    reorg: (change) => call('reorg', change),
    setTronBehaviour: (change) => call('setTronBehaviour', change),
  }
}
