import { formatTronAddress } from '@dct/rules/addresses'
import { readConfig, SettingsError } from '../main/config.ts'
import type { Environment } from '../main/settings/read-settings.ts'

export const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const BSC = '0x55d398326f99059fF775485246999027B3197955'
export const [RECEIVER, WALLET] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
export const STAKING = formatTronAddress(Buffer.alloc(20, 3))
const REWARD_POOL = formatTronAddress(Buffer.alloc(20, 4))

const CHAINS = {
  DATABASE_URL: 'postgres://dct:secret-password@db.example.org:5432/dct',
  TRON_FULL_HOST: 'https://tron.example.org/',
  TRON_TOKEN: TRON,
  TRON_STAKING: STAKING,
  TRON_REWARD_POOL: REWARD_POOL,
  TRON_START_BLOCK: '70000000',
  BSC_RPC: 'https://bsc.example.org',
  BSC_USDT: BSC,
  BSC_RECEIVER: RECEIVER,
  BSC_PAYOUT_VAULT: WALLET,
  BSC_START_BLOCK: '45000000',
}
/** Settings with which a live service starts. */
export const LIVE: Environment = {
  ...CHAINS,
  MODE: 'live',
  PUBLIC_ORIGIN: 'https://earn.example.org',
  SUPPORT_EMAIL: 'help@example.org',
  TRON_NETWORK: 'mainnet',
}
export const DEVNET: Environment = { ...CHAINS, CONTROL_URL: 'http://127.0.0.1:4000' }

/** The lines of the error; empty when the settings are accepted. */
export function problemsOf(env: Environment): string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
  return []
}
