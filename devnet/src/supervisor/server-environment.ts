import type { Postgres } from '@dct/local-services'
import { type ChainHost, DEMO_ACCOUNTS } from '../chains/index.ts'
import { writeKeyFile } from './data-folder.ts'
import type { DevnetSettings } from './settings.ts'
import { vapidKey } from './vapid-keys.ts'

/** The server's environment: the settings that a devnet determines, plus those of the user. */
export function serverEnvironment(options: {
  settings: DevnetSettings
  keyFolder: string
  postgres: Pick<Postgres, 'url'>
  chains: ChainHost
}): NodeJS.ProcessEnv {
  const { settings, keyFolder, postgres, chains } = options
  const { operator, payout, feeReceiver } = chains.serviceKeys
  const { tron, bsc } = chains.deployment
  const admins = DEMO_ACCOUNTS.filter(({ role }) => role === 'admin')
  return {
    ADMINS: admins.map(({ tronAddress }) => tronAddress).join(','),
    ...settings.forServer,
    MODE: 'devnet',
    HOST: settings.host,
    PORT: `${settings.port}`,
    DATABASE_URL: postgres.url,
    CONTROL_URL: chains.controlUrl,
    TRON_FULL_HOST: chains.tronUrl,
    TRON_TOKEN: tron.token,
    TRON_STAKING: tron.staking,
    TRON_REWARD_POOL: tron.rewardPool,
    TRON_START_BLOCK: '0',
    TRON_OPERATOR_KEY_FILE: writeKeyFile(keyFolder, {
      name: 'tron-operator',
      hex: operator.tronPrivateKey,
    }),
    BSC_RPC: chains.bscUrl,
    BSC_USDT: bsc.usdt,
    BSC_RECEIVER: feeReceiver.bscAddress,
    BSC_PAYOUT_VAULT: bsc.payoutVault,
    BSC_START_BLOCK: '0',
    BSC_PAYOUT_KEY_FILE: writeKeyFile(keyFolder, { name: 'bsc-payout', hex: payout.bscPrivateKey }),
    VAPID_PRIVATE_KEY: vapidKey(keyFolder),
  }
}
