import { payoutVaultAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { formatAmount, formatUnits, type Usdt } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { type Hex, zeroAddress } from 'viem'
import type { PairReading, PairRules } from '../../modules/pricing/index.ts'
import type { Chains } from '../chains/chains.ts'
import { CHAIN_CHECKS, type Installation, viewsOf } from '../check-installation.ts'
import type { Config } from '../config.ts'
import { openPair } from '../loops/price-pair.ts'
import { StartError } from '../start-error.ts'
import { shownTron } from '../tron-addresses.ts'
import {
  advice,
  type Finding,
  fault,
  fine,
  fineIf,
  judge,
  judgeAll,
  judgeChecks,
} from './finding.ts'

type Deps = { config: Config; chains: Pick<Chains, 'tron' | 'bsc'> }

export type ContractFindings = Partial<Installation> & { findings: Finding[] }

/** Examines the contracts and tokens: as the start does, then the price and who may do what. */
export async function examineContracts({ config, chains }: Deps): Promise<ContractFindings> {
  const found: Partial<Installation> = {}
  const findings = await judgeChecks(CHAIN_CHECKS, { chains, config }, found)
  const { tron } = chains
  const { dctDecimals, operator, payoutOperator } = found
  if (payoutOperator !== undefined) {
    const examine = () => examineVault(chains.bsc, payoutOperator)
    findings.push(...(await judgeAll('vault', 'BSC_PAYOUT_VAULT', examine)))
  }
  const { pair } = config.money
  if (pair !== undefined) {
    findings.push(
      await judge('price.pair', 'PRICE_PAIR', async () => {
        const source = { reader: tron.reader, token: tron.token, dctDecimals: dctDecimals ?? 0 }
        return requirePrice(await (await openPair(source, pair))(), pair.rules)
      }),
    )
  }
  if (operator !== undefined) {
    const subject = 'TRON_STAKING, TRON_REWARD_POOL'
    findings.push(
      ...(await judgeAll('contracts.owner', subject, () => examineRoles(tron, operator))),
    )
  }
  return { findings, ...found }
}

function requirePrice(
  { price, usdt }: PairReading,
  { minimum, maximum, leastUsdt }: PairRules,
): string {
  const text = `DCT is worth ${formatUnits(price, PRICE_DECIMALS)} USDT there`
  if (usdt < leastUsdt) {
    throw new StartError(
      `The pair holds ${usdt} USDT, too little to be trusted: admins must set the price.`,
    )
  }
  if (price < minimum || price > maximum) {
    throw new StartError(
      `${text}, not within PRICE_BOUNDS_USDT: fix these, or let admins set the price.`,
    )
  }
  return `${text}.`
}

/** Examines the vault of referral payouts: who owns it, and what it may pay. */
async function examineVault(bsc: Chains['bsc'], operator: Hex): Promise<Finding[]> {
  const subject = 'BSC_PAYOUT_VAULT'
  const { vault } = bsc
  const ask = viewsOf(bsc.reader)
  const owner = `${await ask(vault, payoutVaultAbi, 'owner')}`.toLowerCase() as Hex
  const limit = await ask(vault, payoutVaultAbi, 'dailyLimit')
  const isPaused = (await ask(vault, payoutVaultAbi, 'paused')) === true
  return [
    fineIf(owner !== operator, {
      ...{ name: 'vault.owner', subject, right: `Its owner is ${owner}.` },
      wrong: `Its owner, ${owner}, is a key of this service: hand it to a cold wallet.`,
    }),
    fine(
      'vault.limit',
      subject,
      `It pays at most ${formatAmount('USDT', limit as Usdt)} USDT a day.`,
    ),
    ...(isPaused ? [advice('vault.paused', subject, 'Its owner has paused payouts.')] : []),
  ]
}

async function examineRoles(tron: Chains['tron'], operator: Hex): Promise<Finding[]> {
  const ask = viewsOf(tron.reader)
  const address = async (
    contract: Hex,
    abi: typeof rewardPoolAbi | typeof stakingAbi,
    view: string,
  ) => `${await ask(contract, abi, view)}`.toLowerCase() as Hex
  const contracts = [
    { subject: 'TRON_STAKING', at: tron.staking, abi: stakingAbi, stopped: 'joins' },
    { subject: 'TRON_REWARD_POOL', at: tron.rewardPool, abi: rewardPoolAbi, stopped: 'payouts' },
  ] as const
  const found: Finding[] = []
  for (const { subject, at, abi, stopped } of contracts) {
    const owner = await address(at, abi, 'owner')
    found.push(
      fineIf(owner !== operator, {
        ...{ name: 'contracts.owner', subject, right: `Its owner is ${shownTron(owner)}.` },
        wrong: `Its owner, ${shownTron(owner)}, is a key of this service: hand it to a cold wallet (npm run deploy -- accept).`,
      }),
    )
    const offered = await address(at, abi, 'pendingOwner')
    if (offered !== zeroAddress) {
      found.push(
        fault(
          'contracts.offered',
          subject,
          `${shownTron(offered)} has yet to accept its ownership (npm run deploy -- accept).`,
        ),
      )
    }
    if ((await ask(at, abi, 'paused')) === true) {
      found.push(advice('contracts.paused', subject, `Its owner has paused ${stopped}.`))
    }
  }
  return [
    ...found,
    fine('contracts.operator', 'TRON_REWARD_POOL', `Its operator is ${shownTron(operator)}.`),
  ]
}
