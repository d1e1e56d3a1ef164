import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { decodeFunctionResult, type Hex } from 'viem'
import { type Figure, ownAddresses, type Tally } from '../../modules/chain/index.ts'
import { listPlans } from '../../modules/plans/index.ts'
import type { Chains } from './chains.ts'

/** The totals that each chain keeps on its own, to be compared with the events that were booked. */
export function chainTotals({ tron, bsc }: Chains): Record<'TRON' | 'BSC', Tally> {
  return {
    TRON: {
      beginsAtZero: true,
      async figures(db) {
        const plans = await listPlans(db)
        return [
          ...stakingFigures(tron.staking),
          ...plans.flatMap(({ code }) => planFigures(tron.rewardPool, code)),
        ]
      },
    },
    BSC: {
      // Our addresses may have held USDT before.
      beginsAtZero: false,
      async figures(db) {
        const { fee_receiver: receivers, payout_wallet: wallets } = await ownAddresses(db)
        return [...new Set([...receivers, ...wallets])].map((address) =>
          balanceFigure(bsc.usdt, address),
        )
      },
    },
  }
}

function stakingFigures(staking: Hex): Figure[] {
  const call = (view: 'stakeCount' | 'totalLocked') => ({
    to: staking,
    data: encodeCall(stakingAbi, view, []),
  })
  return [
    {
      name: 'stakeCount',
      call: call('stakeCount'),
      read: BigInt,
      changeBy: ({ name }) => (name === 'Staked' ? 1n : 0n),
    },
    {
      name: 'totalLocked',
      call: call('totalLocked'),
      read: BigInt,
      changeBy: ({ name, args }) => {
        const amount = BigInt(args.amount ?? 0)
        return name === 'Staked' ? amount : name === 'Released' ? -amount : 0n
      },
    },
  ]
}

/** The events that change each counter of a plan in the reward contract, and in which direction. */
const COUNTERS: Readonly<Record<'funded' | 'withdrawn' | 'reserved' | 'paid', Changes>> = {
  funded: { PlanFunded: 1n },
  withdrawn: { FreeWithdrawn: 1n, LapsedWithdrawn: 1n },
  reserved: { RewardReserved: 1n, RewardPaid: -1n, LapsedWithdrawn: -1n },
  paid: { RewardPaid: 1n },
}
type Changes = Readonly<Record<string, 1n | -1n>>

function planFigures(rewardPool: Hex, code: string): Figure[] {
  const call = { to: rewardPool, data: encodeCall(rewardPoolAbi, 'plans', [code]) }
  return (['funded', 'withdrawn', 'reserved', 'paid'] as const).map((counter) => ({
    name: `${code} ${counter}`,
    call,
    read: (data) =>
      decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data })[counter],
    changeBy: ({ name, args }) =>
      args.planCode === code ? (COUNTERS[counter][name] ?? 0n) * BigInt(args.amount ?? 0) : 0n,
  }))
}

function balanceFigure(usdt: Hex, address: Hex): Figure {
  return {
    name: `USDT of ${address}`,
    call: { to: usdt, data: encodeCall(tokenAbi, 'balanceOf', [address]) },
    read: BigInt,
    changeBy: ({ name, args }) => {
      if (name !== 'Transfer') return 0n
      const value = BigInt(args.value ?? 0)
      return (args.to === address ? value : 0n) - (args.from === address ? value : 0n)
    },
  }
}
