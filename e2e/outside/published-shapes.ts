/** The response of GET /devnet/info, which is fixed for outside clients. */
export type DevnetInfo = {
  business_date: string
  tron: {
    full_host: string
    json_rpc: string
    chain_id: number | string
    token: string
    staking: string
    reward_pool: string
  }
  bsc: {
    rpc: string
    chain_id: number
    usdt: string
    receiver_address: string
    payout_address: string
  }
  accounts: DemoAccount[]
}

export type DemoAccount = {
  name: string
  role: string
  tron_address: string
  tron_private_key: string
  bsc_address: string
  bsc_private_key: `0x${string}`
}

export type PendingFee = {
  earning_plan_code: string
  claim_type: string
  code_claim: string
  pending_token_amount: string
  unpaid_fee: string
  unpaid_fee_usdt: string
  is_paid: boolean
  deadline: string | null
  tx_hash_usdt: string | null
  tx_hash_reward: string | null
  claimed_amount: string | null
  claimed_trx_hash: string | null
  claim_date: string
}

export type EarningAnswer = {
  earning_plan_code: string
  start_date: string
  end_date: string
  tron_address: string
  total_locked_amount: string
  total_reward: string
  total_shared_reward: string
  daily_reward: string
  total_unclaimed: string
  reward_distribution_count: number
  is_frozen: boolean
  is_hash_confirmed: 'SUCCESS' | 'WAITING' | 'FAILED'
  waited_seconds: number | null
}
