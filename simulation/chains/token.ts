/** What a TRC20 or BEP20 token does. */
import { tokenAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import { event, Reverted, readCall, result } from './abi.ts'
import type { Log } from './chain.ts'

export type TokenState = {
  address: Hex
  decimals: number
  balances: Map<Hex, bigint>
  /** By owner and spender. */
  allowances: Map<string, bigint>
}

export type Effect = { output: Hex; logs: Log[] }
export const lower = (address: unknown) => String(address).toLowerCase() as Hex

export function balance(token: TokenState, of: Hex): bigint {
  return token.balances.get(of) ?? 0n
}

export function move(token: TokenState, moved: { from: Hex; to: Hex; value: bigint }): Log {
  const { from, to, value } = moved
  const held = balance(token, from)
  if (held < value) throw new Reverted(tokenAbi, 'ERC20InsufficientBalance', [from, held, value])
  token.balances.set(from, held - value)
  token.balances.set(to, balance(token, to) + value)
  return event(tokenAbi, token.address, 'Transfer', { from, to, value })
}

/** A contract takes what its caller allowed it. */
export function pull(token: TokenState, moved: { from: Hex; to: Hex; value: bigint }): Log {
  const { from, to, value } = moved
  const key = `${from} ${to}`
  const allowed = token.allowances.get(key) ?? 0n
  if (allowed < value)
    throw new Reverted(tokenAbi, 'ERC20InsufficientAllowance', [to, allowed, value])
  token.allowances.set(key, allowed - value)
  return move(token, moved)
}

export function callToken(token: TokenState, from: Hex, data: Hex): Effect {
  const { name, args } = readCall(tokenAbi, data)
  const [first, second] = args
  switch (name) {
    case 'balanceOf':
      return view(name, balance(token, lower(first)))
    case 'decimals':
      return view(name, token.decimals)
    case 'allowance':
      return view(name, token.allowances.get(`${lower(first)} ${lower(second)}`) ?? 0n)
    case 'totalSupply':
      return view(
        name,
        [...token.balances.values()].reduce((sum, one) => sum + one, 0n),
      )
    case 'approve':
      token.allowances.set(`${from} ${lower(first)}`, second as bigint)
      return view(name, true)
    case 'transfer': {
      const log = move(token, { from, to: lower(first), value: second as bigint })
      return { output: result(tokenAbi, name, true), logs: [log] }
    }
    default:
      throw new Reverted(tokenAbi, 'ERC20InvalidSender', [from])
  }
}

function view(name: string, value: unknown): Effect {
  return { output: result(tokenAbi, name, value), logs: [] }
}
