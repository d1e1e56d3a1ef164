import type { ChainHost } from '@dct/devnet/chains/index'

/** The settings of a process that uses these development chains and this database. */
export function settingsOf(
  host: ChainHost,
  database: { DATABASE_URL: string },
): Record<string, string> {
  const { tronUrl, bscUrl, controlUrl, deployment, serviceKeys } = host
  return {
    MODE: 'devnet',
    LOG_LEVEL: 'info',
    ...database,
    CONTROL_URL: controlUrl,
    TRON_FULL_HOST: tronUrl,
    TRON_TOKEN: deployment.tron.token,
    TRON_STAKING: deployment.tron.staking,
    TRON_REWARD_POOL: deployment.tron.rewardPool,
    TRON_START_BLOCK: '1',
    BSC_RPC: bscUrl,
    BSC_USDT: deployment.bsc.usdt,
    BSC_RECEIVER: serviceKeys.feeReceiver.bscAddress,
    BSC_PAYOUT_VAULT: deployment.bsc.payoutVault,
    BSC_START_BLOCK: '1',
  }
}
