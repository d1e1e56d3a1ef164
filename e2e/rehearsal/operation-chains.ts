import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AWS_KEY,
  GOOGLE_KEY,
  type KmsStandIn,
  startKms,
} from '@dct/chain-clients/signers/testing/kms-stand-in'
import { payoutVaultAbi, rewardPoolAbi } from '@dct/contract-abi'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { createBscWallet } from '@dct/devnet/chains/setup/bsc-wallet'
import { asArgument, createTronWallet } from '@dct/devnet/chains/setup/tron-wallet'
import { deployPair } from '@dct/devnet/chains/testing/deploy-pair'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { deployContracts } from '../live/deploy-contracts.ts'
import { type LiveNode, lost, sound, startBscNode, startTronNode } from '../live/live-nodes.ts'
import { newAccount } from '../outside/outside-client.ts'
import { openToContainers } from './operation-network.ts'

export const SITE = 'earn.localhost'
const PLENTY = { trx: '100000', bnb: '100' }
/** Base units of each token in a pair: a price of 1 USDT. */
const LIQUIDITY = 100_000_000_000n

type ServiceKey = 'tron-operator' | 'bsc-payout'

/** What an operator adds to the settings for a key service, and the environment of the worker. */
export type AtService = { settings: string; credentials: string }

/** Chains that containers can reach, with the contracts deployed by the operators' command. */
export type DeployedChains = {
  /** What an operator fills in: the content of the settings' file. */
  settings: string
  /** Files with the plain keys of the worker, by the name of the key. */
  keyFiles: Readonly<Record<ServiceKey, string>>
  /** A stand-in for key services with the same keys. */
  kms: {
    /** Its address for containers. */
    url: string
    aws: AtService
    google: AtService & { account: string }
  }
  /** Funds a new key, and has the contracts' owner name it to them. */
  nameKey(key: ServiceKey, address: string): Promise<void>
  /** Deploys a pair of DCT and USDT at a price of 1. @returns its address */
  makePair(): Promise<string>
  /** Settings with three nodes of each chain. */
  threeNodes: string
  /** Another of the three nodes of Tron, by the name that alarms use for it. */
  lastNode: Pick<LiveNode, 'host'> & { lose(): void; find(): void }
  /** Makes a server of this machine reachable by containers. @returns its address there */
  open(url: string): Promise<string>
  stop(): Promise<void>
}

export async function startDeployedChains(folder: string): Promise<DeployedChains> {
  const chains = await startChainHost({ dir: join(folder, 'chains') })
  const tron = [
    await startTronNode(chains),
    await startTronNode(chains),
    await startTronNode(chains),
  ]
  const bsc = [await startBscNode(chains), await startBscNode(chains), await startBscNode(chains)]
  const { operator, payout, owner } = chains.serviceKeys
  const kms = await startKms(bare(operator.tronPrivateKey), bare(payout.bscPrivateKey))
  const { open, close } = openToContainers()
  const opened = {
    tron: await Promise.all(tron.map(({ url }) => open(url))),
    bsc: await Promise.all(bsc.map(({ url }) => open(url))),
    kms: await open(kms.url),
  }
  const wallets = {
    tron: await createTronWallet(chains.tronUrl, owner),
    bsc: createBscWallet(chains.bscUrl, owner),
  }
  const deployed = await deployContracts(folder, {
    ...{ chains, nodeUrl: tron[0]?.url ?? '' },
    async acceptByWallet(contract) {
      await wallets.tron.call({
        ...{ contract, abi: rewardPoolAbi, functionName: 'acceptOwnership', args: [] },
      })
      await chains.control.finalize()
    },
  })
  const settings = {
    ...{ PUBLIC_ORIGIN: `https://${SITE}`, SUPPORT_EMAIL: 'support@example.org' },
    ...{ ADMINS: newAccount().tron_address, ...deployed },
    ...{ TRON_FULL_HOST: opened.tron[0], BSC_RPC: opened.bsc[0] },
    BSC_RECEIVER: chains.serviceKeys.feeReceiver.bscAddress,
  }
  const last = tron[2] as LiveNode
  return {
    settings: linesOf(settings),
    keyFiles: storeKeys(folder, chains),
    kms: atServices(kms, opened.kms),
    async nameKey(key, address) {
      const functionName = 'setOperator'
      if (key === 'tron-operator') {
        await chains.control.faucet({ tronAddress: address, trx: PLENTY.trx })
        const contract = `${deployed.TRON_REWARD_POOL}`
        const args = [asArgument(address)]
        await wallets.tron.call({ contract, abi: rewardPoolAbi, functionName, args })
      } else {
        const bscAddress = address as `0x${string}`
        await chains.control.faucet({ bscAddress, bnb: PLENTY.bnb })
        const contract = `${deployed.BSC_PAYOUT_VAULT}` as const
        const args = [bscAddress]
        await wallets.bsc.call({
          contract: contract as `0x${string}`,
          abi: payoutVaultAbi,
          functionName,
          args,
        })
      }
      await chains.control.finalize()
    },
    async makePair() {
      const { address } = await deployPair(chains, { dct: LIQUIDITY, usdt: LIQUIDITY })
      await chains.control.finalize()
      return address
    },
    threeNodes: linesOf({ TRON_FULL_HOST: opened.tron.join(), BSC_RPC: opened.bsc.join() }),
    lastNode: {
      host: new URL(opened.tron[2] ?? '').host,
      lose: () => last.behave(lost),
      find: () => last.behave(sound),
    },
    open,
    async stop() {
      close()
      await Promise.all([...tron, ...bsc, chains, kms].map((one) => one.stop()))
    },
  }
}

const bare = (hex: string) => hex.replace('0x', '')

const linesOf = (settings: NodeJS.Dict<string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

function atServices(kms: KmsStandIn, url: string): DeployedChains['kms'] {
  const named = (service: string, ...[operator, payout]: [string, string]) =>
    linesOf({
      TRON_OPERATOR_KMS: `${service}:${operator}`,
      BSC_PAYOUT_KMS: `${service}:${payout}`,
    })
  return {
    url,
    aws: {
      settings: named('aws', AWS_KEY, kms.otherAwsKey),
      credentials: linesOf({
        AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        ...{ AWS_SECRET_ACCESS_KEY: 'example', AWS_ENDPOINT_URL_KMS: url },
      }),
    },
    google: {
      settings: named('google', GOOGLE_KEY, kms.otherGoogleKey),
      credentials: 'GOOGLE_APPLICATION_CREDENTIALS=/etc/dct-earning/keys/google.json\n',
      account: readFileSync(kms.environment.GOOGLE_APPLICATION_CREDENTIALS, 'utf8'),
    },
  }
}

function storeKeys(folder: string, { serviceKeys }: ChainHost): DeployedChains['keyFiles'] {
  const { operator, payout } = serviceKeys
  const store = (name: string, hex: string) => writeKeyFile(folder, { name, hex: bare(hex) })
  return {
    'tron-operator': store('tron-operator', operator.tronPrivateKey),
    'bsc-payout': store('bsc-payout', payout.bscPrivateKey),
  }
}
