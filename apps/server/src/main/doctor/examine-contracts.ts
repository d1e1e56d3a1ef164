import { payoutVaultAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { formatAmount, formatUnits, type Usdt } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { type Hex, zeroAddress } from 'viem'
import type { PairReading, PairRules } from '../../modules/pricing/index.ts'
import type { Chains } from '../chains/chains.ts'
import {
  requireCode,
  requireContracts,
  requireDct,
  requireSameTokens,
  requireUsdt,
  requireVault,
  viewsOf,
} from '../check-installation.ts'
import type { Config } from '../config.ts'
import { openPair } from '../loops/price-pair.ts'
import { StartError } from '../start-error.ts'
import { shownTron } from '../tron-addresses.ts'
import { advice, type Finding, fault, fine, judge, judgeAll } from './finding.ts'

type Deps = { config: Config; chains: Pick<Chains, 'tron' | 'bsc'> }

export type ContractFindings = {
  findings: Finding[]
  dctDecimals: number | undefined
  operator: Hex | undefined
}

/** Examines the contracts and tokens: their code, how they refer to each other, who may do what, decimals. */
export async function examineContracts({ config, chains }: Deps): Promise<ContractFindings> {
  let dctDecimals: number | undefined
  let operator: Hex | undefined
  const { tron } = chains
  const findings = [
    await judge('token.dct', 'TRON_TOKEN', async () => {
      dctDecimals = await requireDct(chains, config)
      return `A token with ${dctDecimals} decimals.`
    }),
    await judge('token.usdt', 'BSC_USDT', async () => {
      await requireUsdt(chains, config)
      return 'A token with 18 decimals.'
    }),
    await judge('token.agreed', 'TRON_TOKEN, BSC_USDT', async () => {
      await requireSameTokens(chains)
      return 'Every node reports the same decimals.'
    }),
    await judge('contracts.bound', 'TRON_STAKING, TRON_REWARD_POOL', async () => {
      operator = await requireContracts(tron)
      return 'The contracts name each other and the token.'
    }),
    await judge('contracts.code', 'TRON_STAKING, TRON_REWARD_POOL', async () => {
      await requireCode(tron)
      return 'The contracts run the code of this version.'
    }),
    ...(await judgeAll('vault', 'BSC_PAYOUT_VAULT', () => examineVault(chains.bsc))),
  ]
  const { pair } = config.money
  if (pair !== undefined) {
    findings.push(
      await judge('price.pair', 'PRICE_PAIR', async () => {
        const source = { reader: tron.reader, token: tron.token, dctDecimals: dctDecimals ?? 0 }
        return requirePrice(await (await openPair(source, pair))(), pair.rules)
      }),
    )
  }
  const known = operator
  if (known !== undefined) {
    const subject = 'TRON_STAKING, TRON_REWARD_POOL'
    findings.push(
      ...(await judgeAll('contracts.owner', subject, () => examineRoles(chains, known))),
    )
  }
  return { findings, dctDecimals, operator }
}

function requirePrice(
  { price, usdt }: PairReading,
  { minimum, maximum, leastUsdt }: PairRules,
): string {
  const text = `DCT is worth ${formatUnits(price, PRICE_DECIMALS)} USDT there`
  if (usdt < leastUsdt) {
    throw new StartError(
      `The pair holds ${usdt} USDT, less than PRICE_LEAST_USDT: admins must set the price.`,
    )
  }
  if (price < minimum || price > maximum) {
    throw new StartError(
      `${text}, not between PRICE_MINIMUM_USDT and PRICE_MAXIMUM_USDT: fix these, or let admins set the price.`,
    )
  }
  return `${text}.`
}

/** Examines the vault of referral payouts: its code and token, who owns it, what it holds and may pay. */
async function examineVault(bsc: Chains['bsc']): Promise<Finding[]> {
  const subject = 'BSC_PAYOUT_VAULT'
  const { vault, payoutWallet } = bsc
  const operator = await requireVault(bsc)
  if (vault === undefined || operator === undefined) return []
  const ask = viewsOf(bsc.reader)
  const owner = `${await ask(vault, payoutVaultAbi, 'owner')}`.toLowerCase() as Hex
  const limit = await ask(vault, payoutVaultAbi, 'dailyLimit')
  const isPaused = (await ask(vault, payoutVaultAbi, 'paused')) === true
  return [
    owner === operator || owner === payoutWallet
      ? fault(
          'vault.owner',
          subject,
          `Its owner, ${owner}, is a key of this service: hand it to a cold wallet.`,
        )
      : fine('vault.owner', subject, `Its owner is ${owner}.`),
    operator === payoutWallet
      ? fine('vault.operator', subject, `Its operator is ${operator}.`)
      : fault('vault.operator', subject, `Its operator is ${operator}, not ${payoutWallet}.`),
    fine(
      'vault.limit',
      subject,
      `It pays at most ${formatAmount('USDT', limit as Usdt)} USDT a day.`,
    ),
    ...(isPaused ? [advice('vault.paused', subject, 'Its owner has paused payouts.')] : []),
  ]
}

async function examineRoles(
  { tron, bsc }: Pick<Chains, 'tron' | 'bsc'>,
  operator: Hex,
): Promise<Finding[]> {
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
    const isHot = owner === operator || owner === bsc.payoutWallet
    found.push(
      isHot
        ? fault(
            'contracts.owner',
            subject,
            `Its owner, ${shownTron(owner)}, is a key of this service: hand it to a cold wallet (npm run deploy -- accept).`,
          )
        : fine('contracts.owner', subject, `Its owner is ${shownTron(owner)}.`),
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
