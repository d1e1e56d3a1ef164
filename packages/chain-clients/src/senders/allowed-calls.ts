import { type Abi, type Hex, toFunctionSelector } from 'viem'
import type { EvmSigner } from './evm-signer.ts'
import type { TronSigner } from './tron-signer.ts'

/** A key is not meant for this call. Nothing was signed. */
export class CallNotAllowed extends Error {
  override name = 'CallNotAllowed'
}

/** The calls that a key is meant for. */
export type AllowedCalls = readonly { contract: Hex; selectors: readonly Hex[] }[]

/** The first four bytes of calls of these functions. */
export function selectorsOf(abi: Abi, functions: readonly string[]): Hex[] {
  return abi.flatMap((item) =>
    item.type === 'function' && functions.includes(item.name) ? [toFunctionSelector(item)] : [],
  )
}

/** A signer that throws `CallNotAllowed` for every other call, before its key is used. */
export function restrictTronSigner(signer: TronSigner, allowed: AllowedCalls): TronSigner {
  return {
    address: signer.address,
    async sign(call, anchor, options) {
      requireAllowed(allowed, { to: call.contract, data: call.data })
      return signer.sign(call, anchor, options)
    },
  }
}

/** A signer that throws `CallNotAllowed` for every other call, before its key is used. */
export function restrictEvmSigner(signer: EvmSigner, allowed: AllowedCalls): EvmSigner {
  return {
    address: signer.address,
    async sign(call) {
      requireAllowed(allowed, call)
      return signer.sign(call)
    },
  }
}

const SELECTOR_DIGITS = '0x12345678'.length

function requireAllowed(allowed: AllowedCalls, { to, data }: { to?: Hex; data: Hex }): void {
  const [contract, selector] = [to?.toLowerCase(), data.slice(0, SELECTOR_DIGITS).toLowerCase()]
  const isAllowed = allowed.some(
    (one) =>
      one.contract.toLowerCase() === contract &&
      one.selectors.some((known) => known.toLowerCase() === selector),
  )
  if (isAllowed) return
  throw new CallNotAllowed(`The key may not call ${selector} of ${contract ?? 'a new contract'}.`)
}
