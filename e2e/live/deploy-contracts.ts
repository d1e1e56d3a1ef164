import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import type { ChainHost } from '@dct/devnet/chains/index'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import type { Hex } from 'viem'
import { newAccount } from '../outside/outside-client.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const DEPLOYER_TRX = '1000'

/**
 * Deploys the contracts for the token of these chains with the operators' command, through one node, has their owner
 * accept ownership, deploys the vault on BSC, and prepares the verification of their sources. @returns the settings that the command wrote
 */
export async function deployContracts(
  dir: string,
  {
    chains,
    nodeUrl,
    acceptByWallet,
  }: {
    chains: ChainHost
    nodeUrl: string
    /** Accepts the reward pool from its owner's wallet. By default, the command does. */
    acceptByWallet?: (rewardPool: string) => Promise<void>
  },
): Promise<NodeJS.Dict<string>> {
  const { control, deployment, serviceKeys } = chains
  const deployer = newAccount()
  const bscAddress = deployer.bsc_address as Hex
  await control.faucet({ tronAddress: deployer.tron_address, trx: DEPLOYER_TRX })
  await control.faucet({ bscAddress, bnb: '1' })
  const settings = join(dir, 'live.env')
  const state = ['--network', 'private', '--state', join(dir, 'deployment.json')]
  const runTool = (name: string, ...more: string[]) =>
    run(process.execPath, ['tools/deploy.ts', name, ...state, ...more], {
      cwd: ROOT,
      env: ownEnvironment(),
    })
  const command = (name: string, key: { name: string; hex: string }, ...more: string[]) =>
    runTool(name, '--node', nodeUrl, '--key-file', writeKeyFile(dir, key), ...more)
  await command(
    'deploy',
    { name: 'deployer', hex: deployer.tron_private_key },
    ...['--token', deployment.tron.token, '--operator', serviceKeys.operator.tronAddress],
    ...['--owner', serviceKeys.owner.tronAddress, '--settings', settings, '--yes'],
  )
  const { TRON_REWARD_POOL = '' } = parseEnv(readFileSync(settings, 'utf8'))
  if (acceptByWallet !== undefined) await acceptByWallet(TRON_REWARD_POOL)
  else await command('accept', { name: 'owner', hex: serviceKeys.owner.tronPrivateKey })
  await runTool('verify', '--out', join(dir, 'verify'))
  await runTool('status')
  await run(
    process.execPath,
    [
      ...['tools/deploy.ts', 'vault', '--node', chains.bscUrl, '--usdt', deployment.bsc.usdt],
      ...['--vault-owner', serviceKeys.owner.bscAddress, '--daily-limit', '1000000'],
      ...['--vault-operator', serviceKeys.payout.bscAddress, '--settings', settings, '--yes'],
      ...['--key-file', join(dir, 'deployer.key'), '--state', join(dir, 'vault.json')],
      ...['--out', join(dir, 'verify')],
    ],
    { cwd: ROOT, env: ownEnvironment() },
  )
  const deployed = parseEnv(readFileSync(settings, 'utf8'))
  await control.faucet({ bscAddress: `${deployed.BSC_PAYOUT_VAULT}`, usdt: '1000' })
  return deployed
}
