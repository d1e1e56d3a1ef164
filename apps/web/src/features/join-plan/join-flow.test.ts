import type { UserEarning } from '@dct/api-contract/earnings'
import type { MoneyStep } from '@dct/rules/money-steps'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { injectedWallet } from '../../shared/chain/injected-wallet.ts'
import { WALLET_REPLIES } from '../../shared/chain/testing/wallet-replies.ts'
import { WalletError } from '../../shared/chain/wallet-error.ts'
import { TxRefusal } from '../../shared/tx/execute-call.ts'
import type { SentTransaction } from '../../shared/tx/sent-transactions.ts'
import { followJoin, joinPlan, QuotaUnknown, resumeJoin } from './join-flow.ts'
import {
  candidate,
  deps,
  HASH,
  OWNER,
  PLAN,
  resetWorld,
  word,
  world,
} from './testing/join-world.ts'

beforeEach(() => {
  resetWorld()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => vi.unstubAllGlobals())

const join = (parts = deps()) =>
  joinPlan(parts, { plan: PLAN, amount: '25', owner: OWNER, known: [] })
const asked = (start: string) => world.asked.filter((line) => line.startsWith(start))

test('[JOIN-22, JOIN-23, JOIN-25, CHAIN-03, CHAIN-04, CHAIN-06] the flow in order, with an approval of exactly the amount', async () => {
  await join()
  expect(world.asked).toEqual([
    'GET /earning-plans/PLAN-360/check-quota',
    'read TToken.decimals()',
    'POST /earning-plans/PLAN-360/reserve {"amount":"25"}',
    expect.stringMatching(/^GET \/earnings\?/),
    'read TToken.allowance(TOwner,TStaking)',
    'try joinStake(uint256,string,uint256)',
    'try approve(address,uint256)',
    'sign TToken.approve(TStaking,25000000)',
    'try joinStake(uint256,string,uint256)',
    'sign TStaking.joinStake(25000000,PLAN-360,360)',
    `POST /earnings {"plan_code":"PLAN-360","amount":"25","trx_hash":"${HASH}"}`,
  ])
})

test.each([25_000_000n, 25_000_001n])(
  '[JOIN-24] an allowance of %d is enough: no approval',
  async (allowance) => {
    world.allowance = allowance
    await join()
    expect(asked('sign')).toEqual(['sign TStaking.joinStake(25000000,PLAN-360,360)'])
  },
)

test('[JOIN-23] an allowance of one unit less is not enough', async () => {
  world.allowance = 24_999_999n
  await join()
  expect(asked('sign')).toHaveLength(2)
})

test('a token that changes an allowance only from zero gets it set to zero first, as a step', async () => {
  world.approves = 'fromZero'
  world.allowance = 5_000_000n
  const step = vi.fn()
  const parts = deps()
  await join({ ...parts, report: { ...parts.report, step } })
  expect(asked('sign')).toEqual([
    'sign TToken.approve(TStaking,0)',
    'sign TToken.approve(TStaking,25000000)',
    'sign TStaking.joinStake(25000000,PLAN-360,360)',
  ])
  expect(step.mock.calls.map(([id]) => id)).toEqual(['quota', 'reset', 'approve', 'lock', 'record'])
})

test('a token that refuses every approval is refused before anything is signed', async () => {
  world.approves = 'never'
  for (const allowance of [0n, 5_000_000n]) {
    world.allowance = allowance
    await expect(join()).rejects.toBeInstanceOf(TxRefusal)
  }
  expect(asked('sign')).toEqual([])
})

test('an approval that returns false is refused before it is signed; one that returns nothing is not', async () => {
  world.approveReturns = word(0n)
  await expect(join()).rejects.toThrow('answeredNo')
  expect(asked('sign')).toEqual([])
  world.approveReturns = ''
  await join()
  expect(asked('sign')).toHaveLength(2)
})

test('[CHAIN-01] amounts are scaled by the contract’s decimals', async () => {
  world.decimals = 18n
  await join()
  expect(asked('sign')).toEqual([
    'sign TToken.approve(TStaking,25000000000000000000)',
    'sign TStaking.joinStake(25000000000000000000,PLAN-360,360)',
  ])
})

test('[JOIN-25] a reverted lock is neither recorded nor stored', async () => {
  world.lockOutcome = 'REVERT'
  const parts = deps()
  await expect(join(parts)).rejects.toThrow('reverted')
  expect(asked('POST /earnings')).toEqual([])
  expect(parts.kept.size).toBe(0)
})

test.each([
  ['does not show it', false, 'announced'],
  ['shows the stake', true, 'joined'],
] as const)(
  'a lock that no node has seen when its time is up, while the contract %s, is recorded, never called failed',
  async (_what, isStaked, outcome) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    Object.assign(world, { lockOutcome: 'UNSEEN', allowance: 25_000_000n, isStaked })
    let ended: string | undefined
    void join().then((end) => {
      ended = end
    })
    while (ended === undefined) await vi.advanceTimersByTimeAsync(1_000)
    expect(ended).toBe(outcome)
    expect(asked('POST /earnings')).toHaveLength(1)
  },
)

test('what the wallet signs after the holder has stopped waiting is not sent', async () => {
  const stop = new AbortController()
  world.onSign = () => stop.abort(new WalletError('cancelled'))
  world.onBroadcast = () => expect.unreachable('broadcast')
  const parts = { ...deps(), signal: stop.signal }
  await expect(join(parts)).rejects.toMatchObject({ problem: 'cancelled' })
  expect(parts.kept.size).toBe(0)
})

test('a lock that waits for its confirmation, wherever it was sent, is a fact that no confirmation gets past', async () => {
  const joins = [{ is_hash_confirmed: 'WAITING', trx_hash: HASH }]
  world.joins = joins as UserEarning[]
  const parts = deps()
  let facts: readonly MoneyStep[] = []
  parts.take = async (press) => {
    facts = await press.facts()
    throw new WalletError('pending')
  }
  await expect(join(parts)).rejects.toMatchObject({ problem: 'pending' })
  expect(facts).toMatchObject([{ attempt: HASH, state: 'checking' }])
  expect(asked('sign')).toEqual([])

  world.joins = [{ is_hash_confirmed: 'SUCCESS', trx_hash: HASH }] as UserEarning[]
  await expect(join()).rejects.toThrow("You have followed this plan, can't join again!")
  expect(asked('sign')).toEqual([])
})

test('[JOIN-25] a declined lock is not recorded', async () => {
  world.allowance = 25_000_000n
  world.onSign = () => {
    throw new WalletError('rejected')
  }
  await expect(join()).rejects.toBeInstanceOf(WalletError)
  expect(asked('POST /earnings')).toEqual([])
})

/** What a page says of something that may have left; and what is untrue once the approval has. */
const UNTRUE = /may (still )?(have|send)|pays twice|check its history|nothing was sent/i

test.each(WALLET_REPLIES)(
  'after the approval, a lock that is refused as $wallet does is not sent, nor said to be possibly sent: $meaning',
  async ({ thrown }) => {
    world.onSign = () => {
      if (world.asked.at(-1)?.includes('joinStake')) throw thrown
    }
    const sent: (string | undefined)[] = []
    world.onBroadcast = () => sent.push(world.asked.at(-1))
    const parts = { ...deps(), signTransaction: injectedWallet(candidate).signTransaction }
    const reported: string[] = []
    parts.take = async ({ mayBeSent }, ask) => {
      const held = { attempt: 'a', asking: () => undefined }
      try {
        return await ask({ ...held, sent: async (hash) => void reported.push(hash) })
      } catch (error) {
        if (mayBeSent(error)) reported.push('unknown')
        throw error
      }
    }
    const refusal: unknown = await join(parts).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(WalletError)
    expect((refusal as WalletError).message).not.toMatch(UNTRUE)
    expect(sent).toEqual(['sign TToken.approve(TStaking,25000000)'])
    expect(reported).toEqual([])
    expect(asked('POST /earnings')).toEqual([])
    expect(parts.kept.size).toBe(0)
  },
)

test('[JOIN-21] an exhausted quota stops the join before anything is reserved, read or signed', async () => {
  world.quota = { daily: '0', annual: '10000' }
  await expect(join()).rejects.toThrow(
    'The daily quota for this plan has run out.Try again tomorrow!',
  )
  expect(world.asked).toEqual(['GET /earning-plans/PLAN-360/check-quota'])
})

test('an unknown quota stops the join with a specific error', async () => {
  world.quota = 'fails'
  await expect(join()).rejects.toBeInstanceOf(QuotaUnknown)
  expect(world.asked).toHaveLength(1)
})

test('more decimals than the token has are refused before the quota is reserved', async () => {
  const parts = deps()
  await expect(
    joinPlan(parts, { plan: PLAN, amount: '25.0000001', owner: OWNER, known: [] }),
  ).rejects.toThrow('decimals')
  expect(asked('POST')).toEqual([])
})

test('the lock is stored from before its broadcast until it is recorded, and can be resumed', async () => {
  const parts = deps()
  let keptAtSend: SentTransaction | undefined
  world.onBroadcast = () => {
    keptAtSend = parts.kept.get(HASH)
  }
  await join(parts)
  expect(keptAtSend).toMatchObject({ owner: OWNER, facts: { planCode: 'PLAN-360', amount: '25' } })
  expect(parts.kept.size).toBe(0)

  world.asked = []
  await resumeJoin(parts, keptAtSend as SentTransaction)
  expect(world.asked).toEqual([
    `POST /earnings {"plan_code":"PLAN-360","amount":"25","trx_hash":"${HASH}"}`,
  ])
  vi.restoreAllMocks()
})

test('a lock from another device is followed by the service’s state, without requests by this page', async () => {
  const said = (facts: Partial<UserEarning>) => Promise.resolve(facts as UserEarning)
  await followJoin(deps(), { hash: HASH, decided: said({ is_hash_confirmed: 'SUCCESS' }) })
  const failed = said({ is_hash_confirmed: 'FAILED', failure_reason: 'Nothing was locked.' })
  await expect(followJoin(deps(), { hash: HASH, decided: failed })).rejects.toThrow(
    'Nothing was locked.',
  )
  expect(world.asked).toEqual([])
})
