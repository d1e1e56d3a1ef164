import { join } from 'node:path'
import { AWS_KEY, startKms } from '@dct/chain-clients/signers/testing/kms-stand-in'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { deployContracts } from '../live/deploy-contracts.ts'
import { startBscNode, startTronNode } from '../live/live-nodes.ts'
import { newAccount } from '../outside/outside-client.ts'
import { openToContainers } from './operation-network.ts'

export const SITE = 'earn.localhost'

/** Chains that containers can reach, with the contracts deployed by the operators' command. */
export type DeployedChains = {
  /** What an operator fills in: the content of the settings' file. */
  settings: string
  /** Files with the plain keys of the worker, by the name of the key. */
  keyFiles: Readonly<Record<'tron-operator' | 'bsc-payout', string>>
  /** A stand-in for AWS KMS with the same keys: what an operator adds to the settings, and the environment of the worker. */
  kms: { settings: string; credentials: string }
  stop(): Promise<void>
}

export async function startDeployedChains(folder: string): Promise<DeployedChains> {
  const chains = await startChainHost({ dir: join(folder, 'chains') })
  const [tron, bsc] = [await startTronNode(chains), await startBscNode(chains)]
  const { operator, payout } = chains.serviceKeys
  const kms = await startKms(bare(operator.tronPrivateKey), bare(payout.bscPrivateKey))
  const nodes = await openToContainers({ tron: tron.url, bsc: bsc.url, kms: kms.url })
  const deployed = await deployContracts(folder, { chains, nodeUrl: tron.url })
  const settings = {
    ...{ PUBLIC_ORIGIN: `https://${SITE}`, SUPPORT_EMAIL: 'support@example.org' },
    ...{ ADMINS: newAccount().tron_address, ...deployed },
    ...{ TRON_FULL_HOST: nodes.tron, BSC_RPC: nodes.bsc },
    BSC_RECEIVER: chains.serviceKeys.feeReceiver.bscAddress,
  }
  return {
    settings: Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    keyFiles: storeKeys(folder, chains),
    kms: {
      settings: `TRON_OPERATOR_KMS=aws:${AWS_KEY}\nBSC_PAYOUT_KMS=aws:${kms.otherAwsKey}\n`,
      credentials: `AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\nAWS_SECRET_ACCESS_KEY=example\nAWS_ENDPOINT_URL_KMS=${nodes.kms}\n`,
    },
    async stop() {
      nodes.close()
      await Promise.all([tron.stop(), bsc.stop(), chains.stop(), kms.stop()])
    },
  }
}

const bare = (hex: string) => hex.replace('0x', '')

function storeKeys(folder: string, { serviceKeys }: ChainHost): DeployedChains['keyFiles'] {
  const { operator, payout } = serviceKeys
  const store = (name: string, hex: string) => writeKeyFile(folder, { name, hex: bare(hex) })
  return {
    'tron-operator': store('tron-operator', operator.tronPrivateKey),
    'bsc-payout': store('bsc-payout', payout.bscPrivateKey),
  }
}
