import { resolve } from 'node:path'
import {
  connectBscNode,
  deployVault,
  readState,
  VAULT_GAS,
  type VaultInputs,
  type VaultState,
  verificationOfVault,
  writeState,
} from '@dct/contracts/deployment'
import { formatUnits, parseAmount } from '@dct/money'
import { formatEvmAddress, parseEvmAddress } from '@dct/rules/addresses'
import type { Hex } from 'viem'
import { nodeUrl, TIMEOUT_MS, wait, withLock } from './deploy.ts'
import { type Flags, openKey, required } from './options.ts'
import { updateSettingsFile } from './settings-file.ts'
import { ask, DeployError, say } from './terminal.ts'
import { writeVerification } from './verify.ts'

const BNB_DECIMALS = 18

/** Deploys the vault that referral payouts leave from on BSC, or continues where it stopped. */
export async function vault(flags: Flags): Promise<void> {
  const url = await nodeUrl(flags)
  const node = connectBscNode({ url, timeoutMs: TIMEOUT_MS })
  const chainId = await node.chainId()
  const signer = await openKey(flags)
  const inputs = await readInputs(flags, { chainId, deployer: signer.address })
  const path = resolve(flags.state ?? `deployment-bsc-${chainId}.json`)
  await withLock(path, async () => {
    const state = continueVault(readState<VaultState>(path), inputs)
    const cost = VAULT_GAS * (await node.gasPrice())
    const balance = await node.balanceOf(inputs.deployer)
    if (state.attempts.length === 0) await confirm(flags, inputs, { cost, balance })
    const save = (next: VaultState) => writeState(path, next)
    const deployed = await deployVault({ node, signer, save, wait, report: say }, state)
    const settings = resolve(flags.settings ?? `bsc-${chainId}.env`)
    updateSettingsFile(settings, {
      BSC_RPC: url,
      BSC_USDT: shown(inputs.usdt),
      BSC_PAYOUT_VAULT: shown(deployed.vault),
      BSC_START_BLOCK: `${deployed.startBlock}`,
    })
    say(`\nThe vault ${shown(deployed.vault)} is deployed, final, and compared with this code.`)
    say(`Send it USDT, and its operator ${shown(inputs.operator)} BNB. State: ${path}`)
    say(`Settings written to ${settings}. For the explorer that verifies its source:\n`)
    const folder = resolve(flags.out ?? `verify-bsc-${chainId}`)
    writeVerification(folder, verificationOfVault(state), shown(deployed.vault))
  })
}

async function readInputs(
  flags: Flags,
  known: { chainId: number; deployer: Hex },
): Promise<VaultInputs> {
  const address = async (name: 'usdt' | 'vault-owner' | 'vault-operator') =>
    `0x${Buffer.from(parseEvmAddress(await required(flags, name)) ?? []).toString('hex')}` as const
  const limit = await required(flags, 'daily-limit')
  return {
    ...known,
    usdt: await address('usdt'),
    owner: await address('vault-owner'),
    operator: await address('vault-operator'),
    dailyLimit: `${parseAmount('USDT', limit)}`,
  }
}

function continueVault(found: VaultState | undefined, inputs: VaultInputs): VaultState {
  if (found === undefined) return { version: 1, inputs, attempts: [] }
  if (JSON.stringify(found.inputs) === JSON.stringify(inputs)) return found
  throw new DeployError(
    'The state file belongs to a vault with other inputs: name another file for a new one.',
  )
}

async function confirm(
  flags: Flags,
  inputs: VaultInputs,
  { cost, balance }: { cost: bigint; balance: bigint },
): Promise<void> {
  const bnb = (wei: bigint) => formatUnits(wei, BNB_DECIMALS, 0)
  say(`BSC, chain ${inputs.chainId}; ${shown(inputs.deployer)} pays at most ${bnb(cost)} BNB.`)
  say(`Owner ${shown(inputs.owner)}, operator ${shown(inputs.operator)}, at most`)
  say(`${formatUnits(BigInt(inputs.dailyLimit), BNB_DECIMALS, 0)} USDT a day.`)
  if (balance < cost) {
    throw new DeployError(`${shown(inputs.deployer)} has ${bnb(balance)} BNB: send it the rest.`)
  }
  if (flags.yes) return
  const answer = await ask(
    '\nDeploy now? Type yes:',
    'There is no terminal to ask at: --yes spends without asking.',
  )
  if (answer !== 'yes') throw new DeployError('Nothing was signed.')
}

function shown(address: Hex): string {
  return formatEvmAddress(Buffer.from(address.slice(2), 'hex'))
}
