import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  connectNode,
  continueState,
  type DeploymentInputs,
  type DeploymentNode,
  type DeploymentState,
  type Estimate,
  estimateDeployment,
  readState,
  runDeployment,
  writeState,
} from '@dct/contracts/deployment'
import { releaseLockFile, takeLockFile } from '@dct/local-services'
import { parseUnits } from '@dct/money'
import { formatTronAddress, parseTronAddress } from '@dct/rules/addresses'
import { TRON_CHAIN_IDS } from '@dct/rules/tron-networks'
import type { Hex } from 'viem'
import { type Flags, type Network, openKey, readSecret, required } from './options.ts'
import { type SettingLines, updateSettingsFile } from './settings-file.ts'
import { ask, DeployError, say } from './terminal.ts'

export const TIMEOUT_MS = 15_000
/** Tron makes a block every three seconds. */
const BLOCK_MS = 3_000

export async function deploy(flags: Flags): Promise<void> {
  const network = (await required(flags, 'network')) as Network
  const url = await nodeUrl(flags)
  const node = openNode(flags, url)
  const chainId = await requireNetwork(node, network)
  const signer = await openKey(flags)
  const inputs = await readInputs(flags, { chainId, deployer: signer.address })
  const path = statePath(flags, network)
  await withLock(path, async () => {
    const state = continueState(readState(path), inputs)
    await confirm(flags, network, inputs, await estimateDeployment(node, state))
    const deployed = await runDeployment(
      { node, signer, save: (next) => writeState(path, next), wait, report: say },
      state,
    )
    writeSettings(flags, { url, network, chainId }, deployed)
    say(`\nDeployed, final, and compared with this repository's code. State: ${path}`)
    if (deployed.isOwnerAwaited) {
      say(
        `The owner ${base58(inputs.owner)} must still accept the reward pool ${base58(deployed.rewardPool)}: ` +
          'npm run deploy -- accept, or acceptOwnership() from its own wallet.',
      )
    }
  })
}

/** Prints the contents of the state file. */
export async function status(flags: Flags): Promise<void> {
  const network = (await required(flags, 'network')) as Network
  const state = requireState(flags, network)
  for (const [name, record] of Object.entries(state.steps)) {
    const last = record.attempts.at(-1)
    const outcome = last?.outcome
    const text =
      typeof outcome === 'object'
        ? `block ${outcome.block}, ${trx(BigInt(outcome.feeSun))} TRX${outcome.failure ? `, failed: ${outcome.failure}` : ''}`
        : (outcome ?? 'signed, not final yet')
    const address = record.address ? `  ${base58(record.address)}` : ''
    say(`${name.padEnd(18)}${text}${address}  ${last?.hash.slice(2) ?? ''}`)
  }
}

/** @throws DeployError when nothing was deployed with this state file */
export function requireState(flags: Flags, network: Network): DeploymentState {
  const path = statePath(flags, network)
  const state = readState(path)
  if (!state) throw new DeployError(`${path} does not exist: no deployment was started with it.`)
  return state
}

export function statePath(flags: Flags, network: Network): string {
  return resolve(flags.state ?? `deployment-${network}.json`)
}

export async function nodeUrl(flags: Flags): Promise<string> {
  return (await required(flags, 'node')).replace(/\/+$/, '')
}

export function openNode(flags: Flags, url: string): DeploymentNode {
  const apiKey = flags['api-key-file'] && readSecret(flags['api-key-file'])
  return connectNode({ url, apiKey, timeoutMs: TIMEOUT_MS })
}

/** @returns the node's chain id @throws DeployError if the node serves another network */
export async function requireNetwork(node: DeploymentNode, network: Network): Promise<number> {
  const chainId = await node.chainId()
  const found = Object.entries(TRON_CHAIN_IDS).find(([, id]) => id === chainId)?.[0] ?? 'private'
  if (found === network) return chainId
  throw new DeployError(`The node serves ${found} (chain ${chainId}), not ${network}.`)
}

async function readInputs(
  flags: Flags,
  known: { chainId: number; deployer: Hex },
): Promise<DeploymentInputs> {
  const bytes = async (name: 'token' | 'operator' | 'owner') => parse(await required(flags, name))
  const [maximum, days] = [flags['max-daily-percent'], flags['min-days']]
  if ((maximum === undefined) !== (days === undefined)) {
    throw new DeployError('--max-daily-percent and --min-days must be given together.')
  }
  const limits =
    maximum === undefined || days === undefined
      ? {}
      : {
          termLimits: {
            maxDailyBps: Number(parseUnits(maximum, 2)),
            minDurationDays: Number(days),
          },
        }
  const token = flags['test-token'] ? {} : { token: await bytes('token') }
  return {
    ...known,
    owner: await bytes('owner'),
    operator: await bytes('operator'),
    ...token,
    ...limits,
  }
}

async function confirm(
  flags: Flags,
  network: Network,
  inputs: DeploymentInputs,
  { steps, totalSun, neededSun, balanceSun }: Estimate,
): Promise<void> {
  if (steps.length === 0) return
  if (network === 'mainnet' && inputs.token === undefined) {
    throw new DeployError(
      '--test-token is not allowed on mainnet: give the real token with --token.',
    )
  }
  say(`Network ${network} (chain ${inputs.chainId}); ${base58(inputs.deployer)} pays.`)
  say(`Owner ${base58(inputs.owner)}, operator ${base58(inputs.operator)}.\n`)
  for (const { step, energy, bytes, sun } of steps) {
    say(
      `  ${step.title.padEnd(32)}${`${energy}`.padStart(10)} energy${`${bytes}`.padStart(8)} bytes${trx(sun).padStart(12)} TRX`,
    )
  }
  say(`  ${'total, at most'.padEnd(32)}${trx(totalSun).padStart(43)} TRX`)
  if (balanceSun < neededSun) {
    throw new DeployError(
      `${base58(inputs.deployer)} has ${trx(balanceSun)} TRX; send it ${trx(neededSun - balanceSun)} TRX, which includes a reserve of 30 % that is not spent, and run this again.`,
    )
  }
  if (flags.yes) return
  const answer = await ask(
    '\nDeploy now? Type yes:',
    'There is no terminal to ask at: --yes spends without asking.',
  )
  if (answer !== 'yes') throw new DeployError('Nothing was signed.')
}

function writeSettings(
  flags: Flags,
  { url, network, chainId }: { url: string; network: Network; chainId: number },
  at: { token: Hex; rewardPool: Hex; staking: Hex; startBlock: number },
): void {
  const values: SettingLines = {
    MODE: 'live',
    TRON_NETWORK: network === 'private' ? `${chainId}` : network,
    TRON_FULL_HOST: flags['json-rpc'] === undefined ? url : `${url}|${flags['json-rpc']}`,
    TRON_TOKEN: base58(at.token),
    TRON_STAKING: base58(at.staking),
    TRON_REWARD_POOL: base58(at.rewardPool),
    TRON_START_BLOCK: `${at.startBlock}`,
  }
  const path = resolve(flags.settings ?? `${network}.env`)
  updateSettingsFile(path, values)
  say(`\nSettings written to ${path}; fill in the commented ones.`)
}

export async function withLock(statePath: string, work: () => Promise<void>): Promise<void> {
  const path = `${statePath}.lock`
  mkdirSync(dirname(path), { recursive: true })
  const holder = takeLockFile({ path, holderArgs: 'deploy.ts' })
  if (holder !== undefined) throw new DeployError(`Process ${holder} is using ${statePath}.`)
  try {
    await work()
  } finally {
    releaseLockFile(path)
  }
}

export function wait(): Promise<void> {
  return new Promise((done) => setTimeout(done, BLOCK_MS))
}

function parse(address: string): Hex {
  const bytes = parseTronAddress(address)
  if (!bytes) throw new DeployError(`${address} is not a Tron address.`)
  return `0x${Buffer.from(bytes).toString('hex')}`
}

export function base58(address: Hex): string {
  return formatTronAddress(Buffer.from(address.slice(2), 'hex'))
}

function trx(sun: bigint): string {
  return (Number(sun) / 1e6).toFixed(2)
}
